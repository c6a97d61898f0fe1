#!/usr/bin/env bash
# The nightly run: everything that takes longer than a push may, on what this machine has, for as long as it is given.
#
#   ci/l1.sh [--minutes N] [--seed S] [--need LIST] [--out FOLDER]
#
#   --minutes N    the time for all of it (120); what does not fit is cut off and said to be
#   --seed S       of campaigns and of the order of the tests; fresh and printed where it is not given
#   --need LIST    gpu, gpus (several), mpi, nccl, sanitizer: what must be here; else what is missing is skipped, and told
#   --out FOLDER   logs, l1.xml (JUnit), summary.html and failures/, which lockstep db reads (build/l1)
#
# LOCKSTEP_BUILD names a folder with the executables, where they were built elsewhere; else ci/build.sh builds them.
# Exit code 0 where all that ran passed, 1 on any failure, 2 on bad usage or where it cannot be built, 3 where something
# needed was skipped or nothing was tested.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h | --help) sed -n '2,14s/^# \{0,1\}//p' ci/l1.sh; exit 0 ;; esac
command -v python3 >/dev/null || { echo "ci/l1.sh: python3 is not installed: ci/setup.sh brings it" >&2; exit 2; }
exec python3 -B ci/l1/run.py "$@"
