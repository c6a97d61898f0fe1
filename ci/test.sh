#!/usr/bin/env bash
# Sets up, builds and runs the L0 tests: what CI runs.
set -euo pipefail
cd "$(dirname "$0")/.."
bash ci/build.sh
ctest --test-dir build -L L0 --output-on-failure --no-tests=error --progress -j "$(nproc)"
# Skipped tests, with the reason that each gives.
sed -n '/: Skipped$/{n;p}' build/Testing/Temporary/LastTest.log | sort | uniq -c | sed 's/^ */skipped: /; s/^skipped: \([0-9]*\)/skipped \1:/'
# How many cases agree in every cell of what can be asked of a layer.
sed -n '/^cases that agree, exact + declared/,/^\[/{/^\[/d;p}' build/Testing/Temporary/LastTest.log
