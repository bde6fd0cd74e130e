# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Shared by the scripts: messages, places, the identity of compiler and CPU. To be sourced by bash.

set -euo pipefail

project_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export HOME=${HOME:-~} # where it is not set, from the table of users
cache_dir=${XDG_CACHE_HOME:-$HOME/.cache}/trackplex
march=${TRACKPLEX_MARCH:-native}

say() { printf '== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '       %s\n' "$@" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Free memory in kB, that of the container where it has a limit.
free_memory() {
  local name value free=999999999 limit used
  while read -r name value _; do
    [[ $name != MemAvailable: ]] || free=$value
  done 2>/dev/null </proc/meminfo || true
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)
  used=$(cat /sys/fs/cgroup/memory.current 2>/dev/null || true)
  if [[ $limit =~ ^[0-9]+$ && $used =~ ^[0-9]+$ ]] && (((limit - used) / 1024 < free)); then
    free=$(((limit - used) / 1024))
  fi
  echo "$free"
}

# jobs_for <cores> <kB of memory>: the number of compilers at once. A unit takes 0.8 GB in the mean, 1.7 GB at most.
jobs_for() {
  local by_memory=$(($2 / 1200000))
  echo $((by_memory < 1 ? 1 : by_memory < $1 ? by_memory : $1))
}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(jobs_for "$(nproc)" "$(free_memory)")}

# run_logged <log file> <command>...: quiet unless it fails.
run_logged() {
  local log=$1
  shift
  if ! "$@" >>"$log" 2>&1; then
    note "failed: $*"
    tail -n 25 "$log" >&2
    return 1
  fi
}

compiler() { echo "${CXX:-$(command -v c++ || command -v g++ || command -v clang++ || true)}"; }

# Eight hexadecimal digits for the compiler and what it takes -march=native (or $TRACKPLEX_MARCH) for: code for one CPU is not
# run on another.
machine_id() {
  { "$(compiler)" --version && env -u LIBRARY_PATH LC_ALL=C "$(compiler)" -march="$march" -### -E -x c++ /dev/null; } 2>&1 |
    sha256sum | cut -c1-8
}

# Where ccache is installed, what compilers made is kept in the cache folder, for each kind of CPU. Precompiled headers of GCC are
# files like others, since GCC compares headers by their contents; clang compares their times, which another checkout does not have.
use_ccache() {
  ccache_definitions=()
  have ccache || return 0
  export CCACHE_DIR=${CCACHE_DIR:-$cache_dir/ccache/$(machine_id)} CCACHE_BASEDIR=$project_dir CCACHE_NOHASHDIR=yes \
    CCACHE_DEPEND=yes CCACHE_SLOPPINESS=pch_defines,time_macros
  ccache_definitions=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_DISABLE_PRECOMPILE_HEADERS="$(is_clang && echo ON || echo OFF)")
}
is_clang() { [[ $("$(compiler)" --version) == *clang* ]]; }

# Ninja where it is, unless the caller chose another one; a bare machine may have no make.
choose_generator() {
  if have ninja; then
    export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
  fi
}

# The sanitizers are clang's: it compiles kernels with them faster than g++, and LLVM's OpenMP tells the thread sanitizer
# how its threads wait for each other.
use_compiler_of_preset() {
  case $1 in
    asan* | tsan) export CXX=clang++ ;;
  esac
}

# The backends that scripts/setup provides a Kokkos for (openmp-tsan: openmp with the thread sanitizer); the other
# presets bring their own (Kokkos_ROOT or a download).
backends_of_preset() {
  case $1 in
    serial) echo serial ;;
    cuda | hip) echo "$1" ;;
    tsan) echo openmp-tsan ;;
    *) echo openmp ;;
  esac
}

# What scripts/setup found, for scripts/build.
setup_record() { echo "$project_dir/build/setup-$1.env"; }
