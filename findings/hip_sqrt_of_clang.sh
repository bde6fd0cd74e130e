#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For AMD GPUs, clang 14 and 16 make __builtin_sqrtf and __builtin_sqrt single instructions, which are
# not correctly rounded; clang 19 adds the steps that round them. Division has such steps in all of
# them. Without the device library of ROCm. Seen with clang of Debian 12, for gfx90a.
. "$(dirname "$0")/lib.sh"

cat >"$work/sqrt.hip" <<'CODE'
extern "C" __attribute__((global)) void single_root(float* x) { *x = __builtin_sqrtf(*x); }
CODE
sed 's/single/double/; s/float/double/; s/sqrtf/sqrt/' "$work/sqrt.hip" >"$work/sqrt2.hip"
root_instructions() { # <version> <source>: how many instructions for square roots, and fused multiply-adds
  "$root/usr/bin/clang-$1" -x hip --offload-arch=gfx90a --cuda-device-only -nogpuinc -nogpulib -O3 -S "$work/$2" -o "$work/code.s"
  echo "$(grep -cE 'v_(sqrt|rsq)_f' "$work/code.s") root, $(grep -c v_fma "$work/code.s") fma"
}
debian clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12 \
  clang-16=1:16.0.6-15~deb12u1 libclang-cpp16=1:16.0.6-15~deb12u1 libllvm16=1:16.0.6-15~deb12u1 \
  clang-19=1:19.1.7-3~deb12u1 libclang-cpp19=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1
export LD_LIBRARY_PATH=$libraries
for version in 14 16; do
  seen "clang $version, float" "$(root_instructions $version sqrt.hip)" "1 root, 0 fma"
  seen "clang $version, double" "$(root_instructions $version sqrt2.hip)" "1 root, 0 fma"
done
seen "clang 19, float" "$(root_instructions 19 sqrt.hip)" "1 root, 2 fma"
seen "clang 19, double" "$(root_instructions 19 sqrt2.hip)" "1 root, 7 fma"
finish
