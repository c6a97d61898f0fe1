"""The processes of this machine, as /proc tells of them."""
import os


def fields_of(pid):
    """Its state and its parent; nothing where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            return state, int(parent)
    except OSError:
        return None


def is_alive(pid):
    return (fields_of(pid) or "Z")[0] != "Z"


def _parents():
    return {int(name): fields[1] for name in os.listdir("/proc") if name.isdigit() and (fields := fields_of(name))}


def children(pid):
    return [one for one, parent in _parents().items() if parent == pid]


def descendants(pid):
    parents, found, new = _parents(), [], [pid]
    while new:
        new = [one for one, parent in parents.items() if parent in new]
        found += new
    return found
