"""Mutants, as they stand in *.mutants: blocks of lines, an empty line between two.

  mutant: NAME
  what:   what it breaks, in words
  test:   a gtest filter, without a minus, of which a test must fail; more than one: each must. Nightly tests are left out
  file:   a source file, then what goes out of it and what comes in, both exact; more than one: all at once
  - a line to replace, or several; at its ends it may be a part of a line
  + what stands there instead
"""
import contextlib
import dataclasses
import fnmatch
import sys


def die(sentence):
    print(f"ci/oracle_mutants.sh: {sentence}", file=sys.stderr)
    sys.exit(2)


@dataclasses.dataclass
class Edit:
    file: str
    old: list
    new: list


@dataclasses.dataclass
class Mutant:
    name: str
    what: str = ""
    tests: list = dataclasses.field(default_factory=list)
    edits: list = dataclasses.field(default_factory=list)

    def edited(self, text, edit):
        old = "\n".join(edit.old)
        if not old or (times := text.count(old)) != 1:
            die(f"{self.name}: the text to replace stands {times if old else 'no'} times in {edit.file}, not once: {old}")
        return text.replace(old, "\n".join(edit.new))

    def texts(self, tree):
        """Before and after, of each file."""
        before, after = {}, {}
        for edit in self.edits:
            if not (tree / edit.file).is_file():
                die(f"{self.name}: there is no {edit.file}")
            before.setdefault(edit.file, (tree / edit.file).read_text())
            after[edit.file] = self.edited(after.get(edit.file, before[edit.file]), edit)
        return before, after

    def check_places(self, tree):
        if not (self.what and self.tests and self.edits):
            die(f"{self.name}: a mutant has what, test, file and the lines to replace")
        self.texts(tree)

    @contextlib.contextmanager
    def put_into(self, tree):
        before, after = self.texts(tree)
        try:
            for file, text in after.items():
                (tree / file).write_text(text)
            yield
        finally:
            for file, text in before.items():
                (tree / file).write_text(text)


def read_line(mutant, line, where):
    key, _, value = line.partition(":")
    if line[:1] in "-+":
        if not mutant.edits:
            die(f"{where}: lines to replace before a file")
        (mutant.edits[-1].old if line[0] == "-" else mutant.edits[-1].new).append(line[2:])
    elif key == "what":
        mutant.what = value.strip()
    elif key == "test":
        mutant.tests.append(value.strip())
    elif key == "file":
        mutant.edits.append(Edit(value.strip(), [], []))
    else:
        die(f"{where}: a line begins with mutant, what, test, file, - or +, not with {line!r}")


def read(path):
    mutants = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.name}, line {number}"
        if not line or line.startswith("#"):
            continue
        if line.startswith("mutant:"):
            mutants.append(Mutant(line.partition(":")[2].strip()))
        elif not mutants:
            die(f"{where}: a mutant begins with its name")
        else:
            read_line(mutants[-1], line, where)
    return mutants


def read_all(folder):
    return [mutant for path in sorted(folder.glob("*.mutants")) for mutant in read(path)]


def chosen(all_mutants, patterns):
    names = [mutant.name for mutant in all_mutants]
    for name in names:
        if names.count(name) > 1:
            die(f"two mutants are named {name}")
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            die(f"no mutant is named {pattern}: there are {', '.join(names)}")
    return [m for m in all_mutants if not patterns or any(fnmatch.fnmatchcase(m.name, p) for p in patterns)]


def expect_matched(test, names_of_tests):
    for pattern in test.split(":"):
        if not fnmatch.filter(names_of_tests, pattern):
            die(f"no test is named {pattern}")
