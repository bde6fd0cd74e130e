#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How small a valid HDF5 column can be: 10^6 equal doubles, 8 MB, take 11,671 bytes with gzip, 112 with gzip
# twice, 125,022 with the scale-offset filter (one bit a value, although all are equal), none where they
# are never written. A reader cannot tell damaged lengths by the ratio. Seen with HDF5 1.10.8
# and zlib 1.2.13 of Debian 12.
. "$(dirname "$0")/lib.sh"

debian libhdf5-dev=1.10.8+repack1-1 libhdf5-103-1=1.10.8+repack1-1 libhdf5-hl-100=1.10.8+repack1-1 \
  libsz2=1.0.6-1+b1 libaec0=1.0.6-1+b1 zlib1g=1:1.2.13.dfsg-1
cat >"$work/write.c" <<'CODE'
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  hsize_t n = 1000000;
  double* x = malloc(n * sizeof *x);
  for (hsize_t i = 0; i < n; ++i) x[i] = 1.;
  hid_t file = H5Fcreate("columns.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &n, NULL);
  const char* names[] = {"gzip", "gzip twice", "scale-offset", "never written"};
  for (int i = 0; i < 4; ++i) {
    hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &n);
    if (i < 2) H5Pset_deflate(chunked, 9);
    if (i == 1) H5Pset_deflate(chunked, 9);
    if (i == 2) H5Pset_scaleoffset(chunked, H5Z_SO_FLOAT_DSCALE, 0);
    hid_t set = H5Dcreate2(file, names[i], H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
    if (i < 3) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    printf("%s%llu", i ? " " : "", (unsigned long long)H5Dget_storage_size(set));
  }
  return 0;
}
CODE
gcc -I"$root/usr/include/hdf5/serial" "$work/write.c" -o "$work/write" -L"$libraries/hdf5/serial" -lhdf5 \
  -Wl,-rpath-link,"$libraries"
seen "gzip, gzip twice, scale-offset, never written" \
  "$(cd "$work" && LD_LIBRARY_PATH=$libraries:$libraries/hdf5/serial ./write)" "11671 112 125022 0"
finish
