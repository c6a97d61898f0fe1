#!/usr/bin/env bash
# Sets up, configures and builds: build/lockstep and build/lockstep_tests.
set -euo pipefail
cd "$(dirname "$0")/.."
bash ci/setup.sh
cmake --preset default --log-level=STATUS | grep -E '^-- (CUDA|.*not installed)' || true
test -f build/build.ninja || { echo "ci/build.sh: CMake could not configure; run: cmake --preset default" >&2; exit 1; }
echo "building on $(nproc) cores"
cmake --build --preset default -- --quiet
