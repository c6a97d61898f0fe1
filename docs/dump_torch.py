#!/usr/bin/env python3
"""Saves a row-parallel linear layer in PyTorch, forward and backward, for `lockstep check`.

    python3 dump_torch.py layer.safetensors && lockstep check layer.safetensors      P ranks in one process
    torchrun --nproc-per-node 4 dump_torch.py layer.safetensors                      one file a rank:
    lockstep check layer.rank*.safetensors

For a layer of your own, keep `save` and give it your tensors.
"""
import argparse

import torch
import torch.distributed as dist
from safetensors.torch import save_file


def summed(parts):  # over the ranks: those here, and those elsewhere
    total = sum(parts[1:], parts[0])
    if dist.is_initialized():
        dist.all_reduce(total)
    return total


def gathered(parts):
    if not dist.is_initialized():
        return torch.cat(parts)
    whole = [torch.empty_like(parts[0]) for _ in range(dist.get_world_size())]
    dist.all_gather(whole, parts[0])
    return torch.cat(whole)


def row_linear(ranks, tp, x, w, b, dy):  # lists over the ranks here
    y = summed([a @ c.T for a, c in zip(x, w)]).tensor_split(tp)
    dys = gathered(dy)
    return {"y": [y[r] + bias for r, bias in zip(ranks, b)], "dx": [dys @ c for c in w],
            "dw": [dys.T @ a for a in x], "db": [d.sum(0) for d in dy]}


def save(path, ranks, tensors, metadata):  # {"x": a list over the ranks here, ..}
    metadata = {key: str(value) for key, value in metadata.items()}
    named = {f"rank{r}.{name}": part[i].contiguous() for name, part in tensors.items() for i, r in enumerate(ranks)}
    if dist.is_initialized():
        path = path.removesuffix(".safetensors") + f".rank{ranks[0]}.safetensors"
        metadata["rank"] = str(ranks[0])
    save_file(named, path, metadata)


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("path")
    for name, size in (("tp", 4), ("tokens", 64), ("in_features", 96), ("out_features", 80)):
        flags.add_argument(f"--{name}", type=int, default=size)
    flags.add_argument("--dtype", default="bfloat16")
    a = flags.parse_args()
    if dist.is_torchelastic_launched():
        dist.init_process_group("gloo")
        a.tp = dist.get_world_size()
    ranks = [dist.get_rank()] if dist.is_initialized() else list(range(a.tp))
    torch.manual_seed(1)  # the same matrices everywhere; each rank takes its part
    draw = lambda *shape: torch.randn(*shape).to(getattr(torch, a.dtype))
    x, w = draw(a.tokens, a.in_features).tensor_split(a.tp, 1), draw(a.out_features, a.in_features).tensor_split(a.tp, 1)
    b, dy = draw(a.out_features), draw(a.tokens, a.out_features).tensor_split(a.tp)
    given = {"x": [x[r] for r in ranks], "w": [w[r] for r in ranks], "b": [b.clone() for _ in ranks], "dy": [dy[r] for r in ranks]}
    save(a.path, ranks, given | row_linear(ranks, a.tp, *given.values()),
         {"op": "row_linear", "tp": a.tp, "tokens": a.tokens, "in_features": a.in_features,
          "out_features": a.out_features, "bias": "after", "source": f"torch {torch.__version__}"})


if __name__ == "__main__":
    main()
