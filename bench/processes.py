#!/usr/bin/env python3
"""How a campaign scales over the processes of an MPI job: each is a team of its own, which takes cases as it ends the last,
against as many threads of one process on the same cases, in turns.

    bench/processes.py [LOCKSTEP] [--cases N] [--turns T] [--processes 1,2,4,8]

Prints the medians of the turns: cases a second, that divided by the cores in use (at most as many as there are), and the
share of what the same number of single processes would do. The start of the job is no part of it. The limit is 1.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def cases_a_second(command):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | MPI)
    summary = re.search(r"^(\d+) cases in ([\d.]+) s: .* 0 disagree", ended.stdout, re.MULTILINE)
    if ended.returncode != 0 or not summary:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return int(summary[1]) / float(summary[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep", nargs="?", default="build/lockstep")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--processes", default="1,2,4,8")
    given = parser.parse_args()
    run = [given.lockstep, "run", "--cases", str(given.cases), "--seed", "5"]
    ways = {}
    for n in map(int, given.processes.split(",")):
        ways["processes", n] = ["mpirun", "--bind-to", "none", "-np", str(n), *run, "--executor", "mpi", "--team", "1"]
        ways["threads", n] = [*run, "--threads", str(n)]
    rates = {way: [] for way in ways}
    for _ in range(given.turns):
        for way, command in ways.items():
            rates[way].append(cases_a_second(command))
    cores = os.cpu_count()
    first = {kind: next(iter(statistics.median(rates[way]) for way in ways if way[0] == kind)) for kind in ("processes", "threads")}
    least = min(n for _, n in ways)
    print(f"{given.cases} cases, {given.turns} turns, {cores} cores")
    for (kind, n), all_rates in rates.items():
        rate, used = statistics.median(all_rates), min(n, cores)
        share = rate / used / (first[kind] / min(least, cores))
        print(f"{n:3} {kind:9} {rate:8.0f} cases/s {rate / used:7.0f} a core, {share:.2f} of {used} alone")


main()
