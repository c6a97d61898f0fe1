#!/usr/bin/env bash
# Sets up, configures and builds: build/lockstep and the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
bash ci/setup.sh

mkdir -p build
if ! cmake --preset default >build/configure.log 2>&1; then
  cat build/configure.log >&2
  exit 1
fi
grep -E '^-- (CUDA:|MPI:|.* is not installed)' build/configure.log || true

echo "building on $(nproc) cores"
cmake --build --preset default -- --quiet
