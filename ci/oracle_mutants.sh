#!/usr/bin/env bash
# Tests the oracle itself: puts one mistake after the other into a copy of this tree, and expects the named tests to fail.
# A mutant that survives is a mistake in the oracle that nothing would show. Nightly: it builds once for each mutant.
#
#   ci/oracle_mutants.sh             all of ci/oracle_mutants/*.mutants, in a table; exit code 1 if one survives, 2 if it
#                                    cannot be said
#   ci/oracle_mutants.sh NAME...     these (bound_takes_nan, or freivalds_*)
#   ci/oracle_mutants.sh --places    builds nothing: whether every text to replace still stands in its file exactly once
#
# Works in build-mutants/, a copy of what git knows or would add, which goes at the end; the tree is only read.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in -h | --help) sed -n '2,10s/^# \{0,1\}//p' ci/oracle_mutants.sh; exit 0 ;; esac
command -v python3 >/dev/null || { echo "ci/oracle_mutants.sh: python3 is not installed: ci/setup.sh brings it" >&2; exit 2; }
[ "${1:-}" != --places ] || exec python3 -B ci/oracle_mutants/run.py none --places
exec 9<ci/oracle_mutants.sh
flock -n 9 || { echo "ci/oracle_mutants.sh: it runs already on this tree" >&2; exit 2; }

copy="$PWD/build-mutants"
export CCACHE_BASEDIR="$copy" CCACHE_NOHASHDIR=1 # so that a copy made again finds what ccache knows of the last
trap 'rm -rf "$copy"' EXIT
rm -rf "$copy"

# In the background, so that a signal is heard at once; the lock is not for what it starts.
python3 -B ci/oracle_mutants/run.py "$copy" "$@" 9<&- &
trap 'kill -TERM $! 2>/dev/null || true; wait $! || true; exit 143' INT TERM HUP
wait $!
