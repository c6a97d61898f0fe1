#!/usr/bin/env bash
# Installs what Lockstep is built with, on Debian 12 or Ubuntu 24.04, as root or with sudo. Quick where all is there.
#
#   ci/setup.sh          compiler, CMake, libraries, MPI
#   ci/setup.sh --cuda   the CUDA toolkit and NCCL too, from the packages that this machine knows
#   ci/setup.sh --chromium   a browser for the tests of the reports, which skip themselves without
set -euo pipefail

die() { echo "ci/setup.sh: $1" >&2; exit "${2:-1}"; }

packages=(git g++ cmake ninja-build libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libopenmpi-dev openmpi-bin python3)

want_cuda=no want_chromium=no
case "${1:-}" in
  "") ;;
  --cuda) want_cuda=yes ;;
  --chromium) want_chromium=yes ;;
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) die "unknown argument '$1': allowed are --cuda, --chromium and --help" 2 ;;
esac
[ $# -le 1 ] || die "one argument at the most: --cuda, --chromium or --help" 2

command -v apt-get >/dev/null || die "this machine has no apt-get; install by hand: ${packages[*]}"
# shellcheck source=/dev/null
. /etc/os-release
case "${ID:-}-${VERSION_ID:-}" in
  debian-12 | ubuntu-24.04) ;;
  *) echo "ci/setup.sh: ${PRETTY_NAME:-this system} is not one it was tried on (Debian 12, Ubuntu 24.04); going on" >&2 ;;
esac

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || die "run it as root, or install sudo"
  as_root=(sudo)
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
on_offer() { LC_ALL=C apt-cache policy "$1" | grep 'Candidate: [0-9]' >/dev/null; }
apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null; }

install_missing() {
  local missing=()
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing ${missing[*]}"
  apt_get update
  apt_get install --no-install-recommends -y "${missing[@]}"
}

install_cuda() {
  if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then return; fi
  apt_get update
  for toolkit in cuda-toolkit-13-0 nvidia-cuda-toolkit; do
    on_offer "$toolkit" || continue
    install_missing "$toolkit"
    ! on_offer libnccl-dev || install_missing libnccl-dev
    return
  done
  die "no CUDA toolkit in the package sources of this machine: add NVIDIA's (developer.nvidia.com/cuda-downloads) or Debian's non-free, and run it again"
}

install_missing "${packages[@]}"
[ "$want_cuda" = no ] || install_cuda
[ "$want_chromium" = no ] || install_missing chromium
