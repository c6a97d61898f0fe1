"""ci/oracle_mutants.sh: makes the copy, builds it, puts each mutant in, runs the tests that must see it."""
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import mutants
from mutants import die
from steps import build, configure, failed_tests, names_of_tests

HERE = pathlib.Path(__file__).parent
TREE = HERE.parent.parent


def copy_tree(copy):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TREE, check=True,
                            stdout=subprocess.PIPE).stdout
    for name in sorted(set(listed.decode().split("\0")) - {""}):
        if (TREE / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TREE / name, copy / name)


def prepare(copy, chosen):
    """The clean tree passes, and every test that a mutant names is there."""
    print(f"building a copy of this tree, then {len(chosen)} mutants of it", flush=True)
    copy_tree(copy)
    configure(copy)
    if said := build(copy):
        die(f"the tree does not build:\n{said}")
    wanted = sorted({test for mutant in chosen for test in mutant.tests})
    there = names_of_tests(copy)
    for test in wanted:
        mutants.expect_matched(test, there)
    if failed := failed_tests(copy, ":".join(wanted)):
        die(f"without a mutant {failed[0]} fails already")


def judge(copy, mutant):
    """Prints its lines of the table. Whether every test that must see it does."""
    start = time.monotonic()
    with mutant.put_into(copy):
        said = build(copy)
        killers = [] if said else [failed_tests(copy, test) for test in mutant.tests]
    told = [failed[0] if failed else f"SURVIVES {test}" for test, failed in zip(mutant.tests, killers)]
    print(f"{mutant.name:<34}{mutant.what}", flush=True)
    for line in told or [f"DOES NOT BUILD\n{said}"]:
        print(f"{'':<36}{line}")
    print(f"{'':<36}({time.monotonic() - start:.0f} s)", flush=True)
    return not said and all(killers)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    copy, *arguments = sys.argv[1:]
    chosen = mutants.chosen(mutants.read_all(HERE), arguments if arguments != ["--places"] else [])
    for mutant in chosen:
        mutant.check_places(TREE)
    if arguments == ["--places"]:
        print(f"{len(chosen)} mutants have their places")
        return
    start = time.monotonic()
    prepare(pathlib.Path(copy), chosen)
    print(f"\n{'mutant':<34}what it breaks\n{'':<36}killed by", flush=True)
    surviving = [mutant.name for mutant in chosen if not judge(pathlib.Path(copy), mutant)]
    print(f"\n{len(chosen)} mutants, {len(surviving)} survive ({' '.join(surviving) or 'none'}), {time.monotonic() - start:.0f} s")
    sys.exit(1 if surviving else 0)


if __name__ == "__main__":
    main()
