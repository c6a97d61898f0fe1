#!/usr/bin/env python3
"""The same campaign in this process and in an MPI job: case by case the same case line (but for its executor), verdict,
judge and hash of the outputs; and the cases were of every schedule.

    campaigns_agree.py LOCKSTEP CASES SEED [FLAG...] -- MPIRUN...

What follows `--` starts the job; the FLAGs are given to its `run` too (--team 2). The exit code is 1 where they differ.
"""
import json
import re
import subprocess
import sys
import tempfile

# What a case must do for its schedule to have been run: of its forward pass the key `method`, of its backward pass `dgrad`.
SCHEDULES = {("gemm_rs", "forward", "pipeline"), ("gemm_rs", "forward", "ring_exchange"), ("gemm_rs", "forward", "accumulate"),
             ("ag_gemm", "forward", "ring_exchange"), ("gemm_ar", "forward", "pipeline"),
             ("row_linear", "forward", "pipeline"), ("row_linear", "forward", "ring_exchange"),
             ("row_linear", "forward", "accumulate"), ("row_linear", "backward", "ring_exchange"),
             ("column_linear", "forward", "ring_exchange"), ("column_linear", "backward", "bulk"),
             ("column_linear", "backward", "pipeline"), ("column_linear", "backward", "ring_exchange"),
             ("column_linear", "backward", "accumulate")}


def schedules(line):
    """Of each call of a case, which takes the keys of the one before that it does not name."""
    keys, met = {}, set()
    for call in line.split(" ; "):
        keys.update(word.split("=", 1) for word in call.split())
        if keys["pass"] != "backward":
            met.add((keys["op"], "forward", keys["method"]))
        if keys["pass"] != "forward":
            met.add((keys["op"], "backward", keys["dgrad"]))
    return met


def results(command, file):
    ended = subprocess.run([*command, "--results", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stdout}")
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def but_for_executor(result):
    return {**result, "case": re.sub(r" executor=\S+", "", result["case"])}


def main():
    dashes = sys.argv.index("--")
    lockstep, cases, seed, *flags = sys.argv[1:dashes]
    run = [lockstep, "run", "--cases", cases, "--seed", seed]
    with tempfile.TemporaryDirectory() as folder:
        here = results(run, f"{folder}/here")
        there = results([*sys.argv[dashes + 1:], *run, "--executor", f"mpi:{seed}", *flags], f"{folder}/there")
    if len(here) != int(cases) or len(there) != int(cases):
        sys.exit(f"{len(here)} results in process, {len(there)} in the job, of {cases} cases")
    for one, other in zip(here, there):
        if "executor=mpi" not in other["case"] or "executor=mpi" in one["case"]:
            sys.exit(f"run by another executor than asked:\n  {one}\n  {other}")
        if but_for_executor(one) != but_for_executor(other):
            sys.exit(f"in process and in the job they differ:\n  {one}\n  {other}")
    missing = SCHEDULES - set().union(*(schedules(result["case"]) for result in here))
    if int(cases) >= 500 and missing:
        sys.exit(f"no case of the schedules {sorted(missing)}")
    print(f"{cases} cases agree case by case; {len({result['outputs'] for result in here})} different outputs")


main()
