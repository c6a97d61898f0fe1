#!/usr/bin/env python3
"""PyTorch's symmetric-memory operations as a peer of our schedules, a process a rank: their times beside PyTorch's own
unfused layer (a product and NCCL), all in turn; and what they give on whole numbers, for `lockstep check`.

    torchrun --nproc-per-node 8 bench/torch_symmetric_memory.py [--ranks-share-a-gpu] [--save FOLDER]
    for kernel in reduce_scatter all_gather; do lockstep check FOLDER/$kernel.rank*.safetensors; done

ECT and E_overlap are those of bench/cuda/group/overlap.cpp, and so are the shapes: M x N x K of a rank's whole product,
BF16. --ranks-share-a-gpu tries it where there are fewer GPUs than ranks, and times nothing. No multicast is used.
"""
import argparse
import os
import statistics
import sys

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory  # noqa: F401, which registers torch.ops.symm_mem

SHAPES = [(8192, 8192, 1024), (8192, 8192, 3584), (8192, 8192, 8192), (8192, 8192, 28672), (4096, 12288, 6144)]
ROUNDS, IN_A_ROW = 12, 5


class Kernel:
    """One of a rank: x and w are its own; `whole` is what the collective alone is tried on."""

    def __init__(self, scatters, m, n, k, make):
        self.scatters, self.ranks, self.group = scatters, dist.get_world_size(), dist.group.WORLD.group_name
        self.x, self.w = make(m if scatters else m // self.ranks, k), make(n, k)
        self.whole = make(m, n if scatters else k)

    def overlapped(self):
        if self.scatters:
            return torch.ops.symm_mem.fused_matmul_reduce_scatter(self.x, self.w.t(), "sum", 0, self.group)
        return torch.ops.symm_mem.fused_all_gather_matmul(self.x, [self.w.t()], 0, self.group)[1][0]

    def gemm(self):
        return (self.x if self.scatters else self.whole) @ self.w.t()

    def collective(self, of=None):
        of = (self.whole if self.scatters else self.x) if of is None else of
        if self.scatters:
            part = of.new_empty(of.shape[0] // self.ranks, of.shape[1])
            dist.reduce_scatter_tensor(part, of)
            return part
        whole = of.new_empty(of.shape[0] * self.ranks, of.shape[1])
        dist.all_gather_into_tensor(whole, of)
        return whole

    def unfused(self):
        return self.collective(self.gemm()) if self.scatters else self.collective() @ self.w.t()


def milliseconds(run):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    dist.barrier()
    begin.record()
    for _ in range(IN_A_ROW):
        run()
    end.record()
    end.synchronize()
    slowest = torch.tensor([begin.elapsed_time(end) / IN_A_ROW], device="cuda")
    dist.all_reduce(slowest, dist.ReduceOp.MAX)
    return slowest.item()


def timed(scatters, m, n, k):
    kernel = Kernel(scatters, m, n, k, lambda *shape: torch.randn(*shape, device="cuda", dtype=torch.bfloat16))
    contenders = [kernel.gemm, kernel.collective, kernel.unfused, kernel.overlapped]
    times = [[milliseconds(run) for run in contenders] for _ in range(ROUNDS + 1)][1:]
    gemm, collective, unfused, overlapped = (statistics.median(of_one) for of_one in zip(*times))
    if dist.get_rank() == 0:
        print(f"{'gemm_rs' if scatters else 'ag_gemm'} {m} x {n} x {k}: gemm {gemm:.3f} ms, collective {collective:.3f}, unfused "
              f"{unfused:.3f}, overlapped {overlapped:.3f}, E_overlap {1 - (overlapped - gemm) / (unfused - gemm):.2f}, "
              f"to_limit {overlapped / max(gemm, collective):.2f}")


def save(folder, scatters):
    """On numbers that are 0 for the most part and else 1 or -1, so that every order of sums gives the same bits."""
    from safetensors.torch import save_file
    ranks, rank = dist.get_world_size(), dist.get_rank()
    m, n, k = 64 * ranks, 192, 128
    torch.manual_seed(rank)

    def make(*shape):
        return ((torch.rand(*shape) < 0.1) * (torch.randint(0, 2, shape) * 2 - 1)).to("cuda", torch.bfloat16)

    kernel = Kernel(scatters, m, n, k, make)
    output = kernel.overlapped()
    torch.cuda.synchronize()
    metadata = {"op": "gemm_reduce_scatter" if scatters else "all_gather_gemm", "tp": ranks, "rank": rank, "tokens": m,
                "in_features": k * ranks if scatters else k, "out_features": n if scatters else n * ranks}
    save_file({name: tensor.cpu().contiguous() for name, tensor in
               {"input": kernel.x, "weight": kernel.w, "output": output}.items()},
              f"{folder}/{'reduce_scatter' if scatters else 'all_gather'}.rank{rank}.safetensors",
              {key: str(value) for key, value in metadata.items()})


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--ranks-share-a-gpu", action="store_true")
    flags.add_argument("--save", metavar="FOLDER")
    a = flags.parse_args()
    if not torch.cuda.is_available():
        sys.exit("torch_symmetric_memory.py: PyTorch finds no GPU here")
    if "LOCAL_RANK" not in os.environ:
        sys.exit("torch_symmetric_memory.py: it runs in several processes: torchrun --nproc-per-node N starts them")
    if int(os.environ["LOCAL_WORLD_SIZE"]) > torch.cuda.device_count() and not a.ranks_share_a_gpu:
        sys.exit(f"torch_symmetric_memory.py: {os.environ['LOCAL_WORLD_SIZE']} ranks and {torch.cuda.device_count()} GPUs: "
                 "fewer ranks, or --ranks-share-a-gpu, which times nothing")
    os.environ.setdefault("TORCH_SYMM_MEM_DISABLE_MULTICAST", "1")
    if a.ranks_share_a_gpu:
        os.environ["TORCH_SYMM_MEM_ALLOW_OVERLAPPING_DEVICES"] = "1"
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
    dist.init_process_group("gloo" if a.ranks_share_a_gpu else "nccl")
    if a.save:
        os.makedirs(a.save, exist_ok=True)
        for scatters in (True, False):
            save(a.save, scatters)
    if not a.ranks_share_a_gpu:
        for shape in SHAPES:
            for scatters in (True, False):
                timed(scatters, *shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
