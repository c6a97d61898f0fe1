#!/usr/bin/env python3
"""An MPI job ends, soon, and names the case at which it was, whatever ends one of its processes.

    ends_with_its_case.py LOCKSTEP -- MPIRUN...

What follows `--` starts the job. No process may outlive it.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from processes import children, is_alive

# Longer than any of what follows takes.
CASE = "op=row_linear pass=both tp=4 tokens=3000 in=1500 out=1500 data=normal"
NAMED = re.compile(r"at the case 'op=\S+ .*executor=mpi.*'")


class Job:
    def __init__(self, *flags):
        dashes = sys.argv.index("--")
        self.said = tempfile.TemporaryFile("w+")
        self.mpirun = subprocess.Popen([*sys.argv[dashes + 1:], sys.argv[1], "run", "--executor", "mpi", *flags],
                                       stdout=self.said, stderr=self.said)

    def processes(self):
        """All of them, once they run."""
        count = int(sys.argv[-1])
        while len(children(self.mpirun.pid)) < count:
            self.expect(self.mpirun.poll() is None, "the job ended before its processes were there")
            time.sleep(0.05)
        return children(self.mpirun.pid)

    def text(self):
        self.said.seek(0)
        return self.said.read()

    def expect(self, is_so, sentence):
        if not is_so:
            self.mpirun.terminate()
            sys.exit(f"{sentence}\n{self.text()}")

    def ended(self, processes, within):
        try:
            code = self.mpirun.wait(within)
        except subprocess.TimeoutExpired:
            self.expect(False, f"the job has not ended within {within} s")
        self.expect(code != 0, "the job ended as if nothing had been")
        left = [process for process in processes if is_alive(process)]
        self.expect(not left, f"processes outlive the job: {left}")
        return code, self.text()


def one_is_sent(sent, which, within, *flags):
    """The job, how it ended and what it said."""
    job = Job("--cases", "100000", "--seed", "5", *flags)
    processes = job.processes()
    time.sleep(2)
    os.kill(processes[which], sent)
    return job, *job.ended(processes, within)


def one_is_killed(which):
    job, _, text = one_is_sent(signal.SIGKILL, which, 30)
    lines = [line for line in text.splitlines() if "was told to end" in line]
    job.expect(lines and all(NAMED.search(line) for line in lines), f"killed process {which}: no line with the case")


def one_crashes(which):
    job, _, text = one_is_sent(signal.SIGSEGV, which, 30)
    job.expect(re.search(r"process \d of \d+ crashes by signal 11 at the case 'op=", text),
               f"process {which} crashed, and no line with the case")


def one_stands_still(which):
    """Stopped between two cases it is told of by those who wait for the next, at any other time by those who are at one."""
    for _ in range(8):
        job, code, text = one_is_sent(signal.SIGSTOP, which, 60, "--case-timeout", "3")
        at_one = re.search(r"the case 'op=.*executor=mpi.*' takes longer than 3 s: ended", text)
        between = re.search(r"waits after the case 'op=.*executor=mpi.*' for longer than 9 s: ended", text)
        job.expect(code == 124 and (at_one or between),
                   f"process {which} stood still: exit code {code}, and no line with the case")
        if at_one:
            return
    sys.exit(f"process {which} stood still 8 times, and never was anybody at a case")


def a_case_takes_too_long():
    job = Job("--case", CASE, "--case-timeout", "1")
    code, text = job.ended(job.processes(), 60)
    job.expect(code == 124 and re.search(r"process 0 of \d+: the case 'op=row_linear .*' takes longer than 1 s: ended", text),
               f"a case without end: exit code {code}, and no line with the case")


def main():
    for which in (0, -1):
        one_is_killed(which)
        one_crashes(which)
        one_stands_still(which)
    a_case_takes_too_long()
    print("the job ended and named the case each time")


main()
