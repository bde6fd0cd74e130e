#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From -O2 on, g++ 12 contracts the product of complex numbers for CPUs with FMA in spite of
# -ffp-contract=off: the vectorizer of straight-line code makes one instruction of products, their sum and
# their difference, which rounds differently than the code of -O1, or of g++ 11. -fno-tree-slp-vectorize
# prevents it (GCC's bug 106902). Seen with g++ of Debian 12.
. "$(dirname "$0")/lib.sh"

cat >"$work/product.cpp" <<'CODE'
void multiply(const double* x, const double* y, double* z) {
  const double re = x[0] * y[0] - x[1] * y[1], im = x[0] * y[1] + x[1] * y[0];
  z[0] = re;
  z[1] = im;
}
CODE
fused() { # <version> <option>...: how many fused instructions
  "$root/usr/bin/x86_64-linux-gnu-g++-$1" "${@:2}" -march=haswell -ffp-contract=off -S "$work/product.cpp" -o "$work/code.s"
  grep -cE 'vfn?m(add|sub)' "$work/code.s" || true
}
debian g++-11=11.3.0-12 gcc-11=11.3.0-12 cpp-11=11.3.0-12 libgcc-11-dev=11.3.0-12 \
  g++-12=12.2.0-14+deb12u1 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1
seen "g++ 11 -O3" "$(fused 11 -O3)" 0
seen "g++ 12 -O1" "$(fused 12 -O1)" 0
seen "g++ 12 -O2" "$(fused 12 -O2)" 1
seen "g++ 12 -O2 -fno-tree-slp-vectorize" "$(fused 12 -O2 -fno-tree-slp-vectorize)" 0
finish
