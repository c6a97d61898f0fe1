#!/usr/bin/env bash
# Sets up, builds and shows the main job: both layers side by side on real shapes, then on random cases, then with the
# historical bias fault put in, which must be caught.
set -euo pipefail
cd "$(dirname "$0")/.."
bash ci/build.sh

echo; echo "== Real layers, sizes divided by 64: unfused and overlapped, side by side"
build/lockstep run --preset models

echo; echo "== 2000 random cases: shapes, splits, ranks, calls, data, order of execution"
build/lockstep run --cases 2000 --seed 1

echo; echo "== The same with a fault of 2024 put in: every split adds the bias of split 0"
code=0
build/lockstep run --cases 2000 --seed 1 --fault bias_not_advanced || code=$?
[ "$code" -eq 1 ] || { echo "ci/demo.sh: the fault must end in exit code 1, it was $code" >&2; exit 1; }

echo; echo "demo: both agree where they must, and the fault was caught (exit code 1, as it must be)"
