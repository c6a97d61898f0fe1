"""A nightly run (ci/l1.sh): step after step, each within its share of the time, whatever becomes of the others."""
import argparse
import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import machine
import report
import steps as all_steps

NEEDS = ("gpu", "gpus", "mpi", "nccl", "sanitizer")


@dataclass
class Result:
    name: str
    outcome: str  # passed, failed, skipped, cut
    seconds: float = 0
    reason: str = ""
    tail: str = ""


class Stopped(Exception):
    pass


def end_group(process):
    """All that the process started ends with it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def run(command, environment, log, limit):
    """The exit code, or None where the limit was reached."""
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               env=os.environ | machine.MPI_ENVIRONMENT | environment, start_new_session=True)
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end_group(process)


def tail_of(path, most=6000):
    with open(path, "rb") as log:
        log.seek(max(0, os.path.getsize(path) - most))
        return log.read().decode(errors="replace")


def judged(code, path, times):
    """By the exit code, and by what a test runner says that it skipped."""
    tail = tail_of(path)
    if code is None:
        return Result("", "cut", reason="its time was up" + (f" in run {times}" if times > 1 else "")), tail
    if code != 0:
        return Result("", "failed", reason=f"exit code {code}" + (f" in run {times}" if times > 1 else "")), tail
    if "(Skipped)" in tail or "***Skipped" in tail:
        return Result("", "skipped", reason="by the test itself: see its log"), tail
    return Result("", "passed", reason=f"{times} runs" if times > 1 else ""), tail


def do(step, limit, seed, folder):
    path = os.path.join(folder, "".join(c if c.isalnum() or c in "._-" else "_" for c in step.name) + ".txt")
    begin, times, code = time.monotonic(), 0, 0
    with open(path, "wb") as log:
        while True:
            left = limit - (time.monotonic() - begin)
            if times > 0 and (code != 0 or not step.again or left < (time.monotonic() - begin) / times):
                break  # what has begun is to end: another run as long as the mean would not
            command = [str(seed + times) if part == all_steps.SEED else part for part in step.command]
            log.write(f"$ {' '.join(command)}\n".encode())
            log.flush()
            times += 1
            code = run(command, step.environment, log, max(left, 1))
    result, tail = judged(code, path, times)
    result.name, result.seconds, result.tail = step.name, time.monotonic() - begin, tail
    return result


def do_all(todo, minutes, seed, folder, lacking, results):
    begin, all_seconds, used = time.monotonic(), 60 * minutes, {}
    for step in todo:
        reason = next((lacking[need] for need in step.needs if lacking[need]), "")
        left = all_seconds - (time.monotonic() - begin)
        share = step.shares_with or step.name
        of_share = step.share * all_seconds - used.get(share, 0)
        if step.shares_with:
            of_share = min(of_share, max(60, of_share / 2))  # no one of many takes it all
        limit = min(left, of_share)
        if reason:
            result = Result(step.name, "skipped", reason=reason)
        elif limit < 1:
            result = Result(step.name, "cut", reason="there was no time for it")
        else:
            result = do(step, limit, seed, folder)
        used[share] = used.get(share, 0) + result.seconds
        results.append(result)
        print(report.line(result), flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="ci/l1.sh", add_help=False)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--need", default="")
    parser.add_argument("--out", default="build/l1")
    given = parser.parse_args()
    needed = [need for need in given.need.split(",") if need]
    for need in needed:
        if need not in NEEDS:
            parser.error(f"--need {need}: allowed are {', '.join(NEEDS)}")
    if not given.minutes > 0:
        parser.error(f"--minutes {given.minutes}: it is more than 0")
    if given.seed is not None and given.seed < 0:
        parser.error(f"--seed {given.seed}: it is 0 or more")
    return given, needed


def build_or_exit():
    if "LOCKSTEP_BUILD" in os.environ:
        return os.environ["LOCKSTEP_BUILD"]
    if subprocess.run(["bash", "ci/build.sh"]).returncode != 0:
        sys.exit(2)
    return "build"


def verdict_of(results, unmet, stopped):
    if any(result.outcome == "failed" for result in results):
        return 1, "failed"
    if stopped:
        return 1, "stopped before its end"
    if unmet:
        return 3, "what was needed is not here: " + "; ".join(unmet)
    if not any(result.outcome == "passed" for result in results):
        return 3, "nothing was tested"
    return 0, "passed"


def stop(number, _):
    raise Stopped(signal.Signals(number).name)


def main():
    given, needed = arguments()
    build = build_or_exit()
    lacking = machine.missing(build)
    seed = secrets.randbelow(2**31) if given.seed is None else given.seed
    os.makedirs(given.out, exist_ok=True)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    unmet = [f"{need} ({lacking[need]})" for need in needed if lacking[need]]
    here = ", ".join(need for need in NEEDS if not lacking[need]) or "none of " + ", ".join(NEEDS)
    about = f"seed {seed}, {given.minutes:g} minutes, {os.cpu_count()} cores, here: {here}"
    print(about, flush=True)
    lockstep = os.path.join(build, "lockstep")
    results, stopped = [], ""
    try:
        todo = all_steps.campaigns(lockstep, given.out) + all_steps.others(build, lockstep) + all_steps.tests(build, seed)
        do_all(todo, given.minutes, seed, given.out, lacking, results)
    except Stopped as signalled:
        stopped = str(signalled)
    code, verdict = verdict_of(results, unmet, stopped)
    report.write_all(given.out, verdict, about + (f"; stopped by {stopped}" if stopped else ""), results)
    print(f"{verdict}: {given.out}/summary.html, {given.out}/l1.xml; again: ci/l1.sh --minutes {given.minutes:g} --seed {seed}")
    sys.exit(code)


main()
