#!/usr/bin/env python3
"""Saves a column-parallel linear layer in JAX, forward and backward, for `lockstep check`.

    XLA_FLAGS=--xla_force_host_platform_device_count=4 python3 dump_jax.py layer.safetensors
    lockstep check layer.safetensors

The ranks are the devices; JAX makes the backward pass from the forward one.
"""
import argparse

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P
from safetensors.numpy import save_file


def column_linear(x, w, b):  # on one rank
    return jax.lax.all_gather(x, "tp", tiled=True) @ w.T + b


def with_gradients(x, w, b, dy):
    y, pull_back = jax.vjp(column_linear, x, w, b)
    return (y, *pull_back(dy))


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("path")
    for name, size in (("tokens", 64), ("in_features", 96), ("out_features", 80)):
        flags.add_argument(f"--{name}", type=int, default=size)
    flags.add_argument("--dtype", default="bfloat16")
    a = flags.parse_args()
    tp = jax.device_count()
    keys = iter(jax.random.split(jax.random.key(1), 4))
    draw = lambda *shape: jax.random.normal(next(keys), shape).astype(a.dtype)
    given = {"x": draw(a.tokens, a.in_features), "w": draw(a.out_features, a.in_features),
             "b": draw(a.out_features), "dy": draw(a.tokens, a.out_features)}
    rows, columns = P("tp"), P(None, "tp")
    shards = {"x": rows, "w": rows, "b": rows, "dy": columns, "y": columns, "dx": rows, "dw": rows, "db": rows}
    layer = jax.shard_map(with_gradients, mesh=Mesh(np.array(jax.devices()), ("tp",)),
                          in_specs=tuple(shards[name] for name in given), out_specs=(columns, rows, rows, rows))
    tensors = given | dict(zip(("y", "dx", "dw", "db"), jax.jit(layer)(*given.values())))
    named = {f"rank{r}.{name}": np.ascontiguousarray(part)
             for name, whole in tensors.items()
             for r, part in enumerate(np.split(np.asarray(whole), tp, axis=shards[name].index("tp")))}
    save_file(named, a.path, {"op": "column_linear", "tp": str(tp), "tokens": str(a.tokens),
                              "in_features": str(a.in_features), "out_features": str(a.out_features), "db_sum": "rounded",
                              "source": f"jax {jax.__version__}"})


if __name__ == "__main__":
    main()
