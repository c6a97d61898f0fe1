#!/usr/bin/env bash
# What needs a GPU (compute capability 9.0): the tests that skip themselves elsewhere, campaigns on the device, the benches
# whose figures stand in the README, and the sanitizers. About five minutes. Where there are several GPUs: every schedule
# over all of them beside NCCL, and PyTorch's symmetric memory where Python has it; about ten minutes more.
#
#   ci/gpu.sh [FOLDER]    logs and JSON go to FOLDER (build/gpu); exit code 1 if anything failed
#
# LOCKSTEP_BUILD names a folder with the executables, where they were built elsewhere; else ci/build.sh builds them.
set -uo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h | --help) sed -n '2,9s/^# \{0,1\}//p' ci/gpu.sh; exit 0 ;; esac
build="${LOCKSTEP_BUILD:-build}"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || { echo "ci/gpu.sh: there is no GPU here" >&2; exit 2; }
[ -n "${LOCKSTEP_BUILD:-}" ] || bash ci/build.sh || exit 1
out="${1:-build/gpu}"
mkdir -p "$out" || exit 2
failed=0

# step NAME SECONDS COMMAND..: its output to a log, its last lines and its verdict here
step() {
  local name=$1 limit=$2 code=0
  shift 2
  timeout "$limit" "$@" >"$out/$name.txt" 2>&1 || code=$?
  if grep -qE 'Failed to match any benchmarks|\] 0 tests from' "$out/$name.txt"; then code=3; fi # it tested nothing
  echo "== $name: $([ "$code" -eq 0 ] && echo passed || echo "FAILED, exit code $code") ($*)"
  tail -n "${lines:-4}" "$out/$name.txt"
  [ "$code" -eq 0 ] || failed=1
}

lines=2 step campaign_5 120 "$build/lockstep" run --device cuda --cases 2000 --seed 5
lines=2 step campaign_6 120 "$build/lockstep" run --device cuda --cases 2000 --seed 6
lines=2 step kernel 60 "$build/lockstep" run --kernel "$build/kernels/plain_cuda.so" --cases 500
gpus=$(nvidia-smi -L | grep -c '^GPU ')
lines=3 step tests 120 "$build/lockstep_cuda_tests"
lines=3 step tests_on_more 120 env LOCKSTEP_DEVICES=$((4 * gpus)) "$build/lockstep_cuda_tests" # as if there were
lines=2 step campaign_on_more 60 env LOCKSTEP_DEVICES=$((8 * gpus)) "$build/lockstep" run --device cuda --cases 1000 --seed 32
[ ! -x "$build/lockstep_nccl_tests" ] || lines=3 step nccl 60 "$build/lockstep_nccl_tests"
# Several processes on this GPU, where there is MPI.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for processes in 2 4; do
  [ ! -x "$build/lockstep_process_tests" ] || lines=2 step "processes_$processes" 300 mpirun -np "$processes" "$build/lockstep_process_tests"
  [ ! -x "$build/lockstep_nccl_process_tests" ] || lines=2 step "nccl_processes_$processes" 60 mpirun -np "$processes" "$build/lockstep_nccl_process_tests"
done
lines=12 step overlap 300 "$build/lockstep_cuda_bench" --benchmark_filter='device_chunks|device_overlap' --benchmark_out="$out/overlap.json"
if [ "$gpus" -gt 1 ]; then
  [ ! -x "$build/lockstep_group_bench" ] || lines=30 step group 900 "$build/lockstep_group_bench" --benchmark_out="$out/group.json"
  if python3 -c 'import torch, safetensors' 2>/dev/null; then
    lines=10 step torch 300 python3 -m torch.distributed.run --nproc-per-node "$gpus" bench/torch_symmetric_memory.py --save "$out/torch"
    for kernel in reduce_scatter all_gather; do
      lines=4 step "torch_$kernel" 60 "$build/lockstep" check "$out/torch/$kernel".rank*.safetensors
    done
  fi
elif [ -x "$build/lockstep_group_bench" ]; then # that it runs, with two ranks on this GPU
  lines=2 step group 120 "$build/lockstep_group_bench" --benchmark_filter='group_overlap/.*/M:8192/N:8192/K:1024'
fi
lines=3 step judge 60 "$build/lockstep_cuda_bench" --benchmark_filter=judge --benchmark_out="$out/judge.json"
lines=14 step small 120 "$build/lockstep_cuda_bench" --benchmark_filter='device_stage|device_operation|device_campaign' --benchmark_out="$out/small.json"
lines=1 step memcheck 120 compute-sanitizer --error-exitcode 1 "$build/lockstep_cuda" run --device cuda --cases 100 --seed 8 --threads 1
lines=1 step racecheck 300 compute-sanitizer --tool racecheck --error-exitcode 1 "$build/lockstep_cuda" run --device cuda --cases 20 --seed 8 --threads 1
exit "$failed"
