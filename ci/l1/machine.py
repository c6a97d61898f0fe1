"""What this machine has of what a step may need: a name for each, and why it is missing."""
import os
import shutil
import subprocess

MPI_ENVIRONMENT = {  # as root in a container, and more processes than cores
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def gpus():
    if not shutil.which("nvidia-smi"):
        return 0
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True)
    return sum(line.startswith("GPU ") for line in listed.stdout.splitlines()) if listed.returncode == 0 else 0


def missing(build):
    """Of each thing that can be needed: why it is not here, or "" where it is."""
    count = gpus()

    def executable(name):
        return "" if os.access(os.path.join(build, name), os.X_OK) else f"{name} was not built"

    return {
        "gpu": executable("lockstep_cuda") or ("" if count else "there is no GPU"),
        "gpus": "" if count > 1 else f"there {'is one GPU' if count else 'is no GPU'}",
        "mpi": executable("lockstep_mpi") or ("" if shutil.which("mpirun") else "there is no mpirun"),
        "nccl": executable("lockstep_nccl_tests"),
        "sanitizer": "" if shutil.which("compute-sanitizer") else "there is no compute-sanitizer",
    }
