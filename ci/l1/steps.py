"""The steps of a nightly run, as data: what is run, for which share of the time, and what it needs."""
import json
import random
import subprocess
from dataclasses import dataclass, field


@dataclass
class Step:
    name: str
    command: list
    share: float  # of all the time, at the most
    shares_with: str = ""  # all steps of this name have the share together; else it is the step's own
    needs: tuple = ()
    environment: dict = field(default_factory=dict)
    again: bool = False  # with the next seed (the place of SEED in the command) for as long as its share lasts


SEED = "{seed}"


def tests(build, seed):
    """Each L1 test on its own, in an order of the seed, so that a short run comes to each of them some night."""
    listed = subprocess.run(["ctest", "--test-dir", build, "-L", "^L1$", "--show-only=json-v1"],
                            capture_output=True, text=True, check=True)
    names = sorted(test["name"] for test in json.loads(listed.stdout)["tests"])
    random.Random(seed).shuffle(names)
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "-R"]
    return [Step(name, command + [f"^{name.replace('.', '[.]')}$"], 0.5, "tests") for name in names]


def campaigns(lockstep, folder):
    def campaign(name, *flags, needs=(), before=(), cases=2000, share=0.1):
        return Step(name, [*before, lockstep, "run", "--cases", str(cases), "--seed", SEED, "--db", f"{folder}/failures", *flags],
                    share, needs=needs, again=True)

    def under_mpi(processes):
        return campaign(f"campaign of {processes} processes", "--executor", "mpi", needs=("mpi",), cases=300, share=0.02,
                        before=("mpirun", "-np", str(processes)))

    return [campaign("campaign"), campaign("campaign in threads", "--executor", "threads:1", share=0.03),
            *[under_mpi(processes) for processes in (2, 3, 4, 8)],
            campaign("campaign on the GPU", "--device", "cuda", needs=("gpu",)),
            campaign("campaign of 4 processes on the GPU", "--device", "cuda", "--executor", "mpi", needs=("gpu", "mpi"),
                     cases=300, share=0.05, before=("mpirun", "-np", "4"))]


def others(build, lockstep):
    def sanitized(tool, cases):
        return Step(f"{tool} of {cases} cases", ["compute-sanitizer", "--tool", tool, "--error-exitcode", "1",
                    f"{build}/lockstep_cuda", "run", "--device", "cuda", "--cases", str(cases), "--threads", "1",
                    "--seed", SEED], 0.1, needs=("gpu", "sanitizer"))

    def fuzzed(reader):
        return Step(f"fuzz {reader}", [f"{build}/lockstep_fuzz", reader, "--seconds", "60", "--seed", SEED], 0.02)

    return [*[fuzzed(reader) for reader in ("case", "config", "safetensors", "journal")],
            Step("score of the named faults", [lockstep, "faults", "score", "--named"], 0.05),
            Step("score of every 50th mutant", [lockstep, "faults", "score", "--generated", "--sample", "50"], 0.1),
            Step("explanation score", [lockstep, "faults", "score", "--explain"], 0.1),
            Step("hazards", [lockstep, "hazards", "--cases", "5000", "--seed", SEED], 0.05),
            Step("tests on the GPU", [f"{build}/lockstep_cuda_tests"], 0.2, needs=("gpu",)),
            Step("NCCL between GPUs", [f"{build}/lockstep_nccl_tests"], 0.05, needs=("gpus", "nccl")),
            sanitized("memcheck", 100), sanitized("racecheck", 20)]
