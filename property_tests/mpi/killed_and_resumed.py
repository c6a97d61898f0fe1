#!/usr/bin/env python3
"""Any process of a campaign is killed at a random moment, again and again, and the campaign resumed: each time it ends soon
and leaves no process behind, its journal is whole and names what had begun; in the end its results are those of a
campaign that nobody disturbed.

    killed_and_resumed.py LOCKSTEP CASES KILLS SEED [FLAG...] [-- MPIRUN...]

What follows `--` starts a job, of which any process is killed; else it is lockstep itself or any process that it
started. Where the campaign has ended before all kills are done, another begins. Exit code 1 where something is lost.
"""
import collections
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from processes import descendants, is_alive

ENDS_WITHIN = 30  # seconds
RUNS_OF_A_CRASH = 3  # as is_crash of oracle/campaign/judged.h has it
NAMED = re.compile(r"at the case '(.*)'")


def read_journal(path):
    """Its records, of which only the last line may be torn; the cases that began in the last run and did not end; and of
    each number in how many runs it began."""
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    try:
        records = [json.loads(line) for line in lines]
    except json.JSONDecodeError as error:
        sys.exit(f"the journal is not whole: {error}: {error.doc}")
    begun, run, runs = {}, set(), collections.Counter()
    for record in records:
        if "resumed" in record:
            begun, run = {}, set()
        elif "begin" in record:
            number = record["begin"]
            begun[number] = record["case"]
            runs[number] += number not in run
            run.add(number)
        elif "end" in record:
            begun.pop(record["end"], None)
    return records, begun, runs


class Campaign:
    def __init__(self, arguments, launcher, folder):
        self.lockstep, cases, _, seed, *flags = arguments
        self.asked = ["--cases", cases, "--seed", seed, "--keep-going", "--case-timeout", "60", *flags]
        self.run = [*launcher, self.lockstep, "run"]
        self.team_flags = flags[flags.index("--team"):][:2] if "--team" in flags else []
        self.isolated = ["--isolate"] if "--isolate" in flags else []
        self.in_job, self.journal, self.results = bool(launcher), f"{folder}/journal", f"{folder}/results"
        self.kills = 0
        self.kills_of_workers = 0  # which are verdicts on their cases
        self.interrupted = 0  # of them, when a case was under way

    def size_of_journal(self):
        return os.path.getsize(self.journal) if os.path.exists(self.journal) else 0

    def command(self):
        if self.size_of_journal() > 0:
            return [*self.run, "--resume", self.journal, "--results", self.results, *self.team_flags, *self.isolated]
        return [*self.run, *self.asked, "--journal", self.journal, "--results", self.results]

    def fail(self, sentence, text=""):
        print(f"{sentence}\n{text}\nagain: {' '.join(sys.argv)}")
        sys.exit(1)

    def end(self, process, said, within):
        try:
            process.wait(within)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.fail(f"{' '.join(process.args)}: it has not ended within {within} s")
        said.seek(0)
        return said.read()

    def kill_one(self, process, share):
        """Which process it was: this share of all came before it."""
        victims = descendants(process.pid) + ([] if self.in_job else [process.pid])
        if not victims:
            return None, []
        victim = victims[int(share * len(victims))]
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return None, []
        return victim, victims

    def expect_none_left(self, processes, text):
        patience = time.monotonic() + 5  # of what the system puts away
        while left := [one for one in processes if is_alive(one)]:
            if time.monotonic() > patience:
                self.fail(f"processes outlive it: {left}", text)
            time.sleep(0.05)

    def wait_until(self, process, before, from_the_start, seconds):
        """Seconds after its start, or after it first wrote to its journal. Whether it still runs."""
        while not from_the_start and process.poll() is None and self.size_of_journal() == before:
            time.sleep(0.01)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        return process.poll() is None

    def go_on(self, kill=None):
        """Whether it came to its end. `kill`: from its start or not, after how many seconds, and which."""
        victim, victims, before = None, [], self.size_of_journal()
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(self.command(), stdout=said, stderr=said, start_new_session=True)
            if kill and self.wait_until(process, before, kill[0], kill[1]):
                victim, victims = self.kill_one(process, kill[2])
            goes_on = victim is None or not self.in_job and victim != process.pid
            text = self.end(process, said, 300 if goes_on else ENDS_WITHIN)
        self.expect_none_left(victims, text)
        self.kills += victim is not None
        self.kills_of_workers += victim is not None and goes_on
        if os.path.exists(self.results):
            return True
        if not victim:
            self.fail("it ended before its end, and nobody killed it", text)
        if self.size_of_journal() > before:
            self.look_at(text)
        return False

    def look_at(self, text):
        records, begun, _ = read_journal(self.journal)
        known = {record["case"] for record in records if "begin" in record}
        for case in NAMED.findall(text):
            if case not in known:
                self.fail(f"a case is named that never began: {case}", text)
        if self.in_job and begun and "was told to end at" not in text:
            self.fail(f"no process says where it was, and these had begun: {begun}", text)
        self.interrupted += bool(begun)

    def take_results(self):
        """Its results, and how many of them may be crashes because their own processes were killed."""
        records, _, runs = read_journal(self.journal)
        ends = collections.Counter(record["end"] for record in records if "end" in record)
        if ends and ends.most_common(1)[0][1] > 1:
            self.fail(f"judged again though its result was there: case {ends.most_common(1)[0][0]}")
        with open(self.results, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        os.remove(self.results)
        os.remove(self.journal)
        crashes, self.kills_of_workers = self.kills_of_workers, 0
        return lines, crashes + sum(1 for count in runs.values() if count >= RUNS_OF_A_CRASH)


def difference(want, got, most_crashes):
    crashes = [line for line in got if line["verdict"] == "crash"]
    if len(crashes) > most_crashes:
        return f"{len(crashes)} crashes, of which {most_crashes} at the most are of a kill: {crashes}"
    if len(want) != len(got):
        return f"{len(got)} results of {len(want)}"
    for one, other in zip(want, got):
        if other["verdict"] != "crash" and one != other:
            return f"undisturbed and resumed they differ:\n  {one}\n  {other}"
    return ""


def main():
    dashes = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments, launcher = sys.argv[1:dashes], sys.argv[dashes + 1:]
    kills, chance = int(arguments[2]), random.Random(int(arguments[3]))
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(arguments, launcher, folder)
        begin = time.monotonic()
        campaign.go_on()
        whole = time.monotonic() - begin
        want, _ = campaign.take_results()
        ended = 0
        while campaign.kills < kills or campaign.size_of_journal() > 0:
            kill = (chance.random() < 0.25, chance.uniform(0, whole / 3), chance.random())
            if campaign.go_on(kill if campaign.kills < kills else None):
                wrong = difference(want, *campaign.take_results())
                if wrong:
                    campaign.fail(wrong)
                ended += 1
    print(f"{kills} kills, {campaign.interrupted} of them within a case; {ended} campaigns of {len(want)} cases ended: nothing is lost")


main()
