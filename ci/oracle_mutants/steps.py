"""What is done to the copy: configuring, building, testing; each in a session of its own, which ends with us."""
import contextlib
import os
import re
import signal
import subprocess
import tempfile

from mutants import die

BUILD_SECONDS, TEST_SECONDS = 3600, 900


def session_of(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return int(file.read().rsplit(")", 1)[1].split()[3])
    except OSError:
        return None


def end_session(session):
    """Whatever a step has left: a mutant of what ends processes may leave some."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        if session_of(process) == session:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)


def run(command, copy, seconds, **environment):
    """All that it said, and its exit code."""
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen(command, cwd=copy, env=os.environ | environment, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=said, start_new_session=True)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            die(f"{' '.join(command)} did not end in {seconds} s")
        finally:
            end_session(process.pid)
            process.wait()
        said.seek(0)
        return said.read(), code


def configure(copy):
    said, code = run(["cmake", "-G", "Ninja", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", "-DLOCKSTEP_CUDA=OFF"], copy,
                     BUILD_SECONDS)
    if code != 0:
        die(f"cmake fails:\n{said}")


def build(copy):
    """What it said if it failed, else nothing."""
    said, code = run(["cmake", "--build", "build", "--target", "lockstep_tests", "--", "--quiet"], copy, BUILD_SECONDS)
    return "" if code == 0 else said[-3000:] or "the build fails and says nothing"


def names_of_tests(copy):
    said, _ = run(["build/lockstep_tests", "--gtest_list_tests", "--gtest_filter=-*Nightly*"], copy, TEST_SECONDS)
    names, suite = [], ""
    for line in said.splitlines():
        word = line.split("#")[0].rstrip()
        if word and not word.startswith(" "):
            suite = word
        elif word:
            names.append(suite + word.strip())
    return names


def failed_tests(copy, tests):
    """The names of those that failed; of none but a failing exit, how it ended."""
    said, code = run(["build/lockstep_tests", f"--gtest_filter={tests}:-*Nightly*", "--gtest_brief=1", "--gtest_fail_fast"], copy,
                     TEST_SECONDS, RC_PARAMS="seed=1 max_success=200 noshrink=1")
    failed = re.findall(r"^\[  FAILED  \] (\w[^\s,]*)", said, re.MULTILINE)
    return failed or ([f"an end with code {code}"] if code != 0 else [])
