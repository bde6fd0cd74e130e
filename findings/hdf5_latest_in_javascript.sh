#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# HDF5 files with the latest format are listed by jsfive 0.4.2, a reader in JavaScript, but columns
# in chunks cannot be read. The format of HDF5 1.8, also with checksums of chunks (Fletcher-32) and
# members in the order of their creation, can. Seen with HDF5 1.10.8 of Debian 12.
. "$(dirname "$0")/lib.sh"

debian libhdf5-dev=1.10.8+repack1-1 libhdf5-103-1=1.10.8+repack1-1 libhdf5-hl-100=1.10.8+repack1-1 libsz2=1.0.6-1+b1 libaec0=1.0.6-1+b1
npm_package jsfive@0.4.2
cat >"$work/write.c" <<'CODE'
#include <hdf5.h>
int main(int argc, char** argv) {
  H5F_libver_t bound = argc > 2 ? H5F_LIBVER_V18 : H5F_LIBVER_LATEST;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE),
        chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, bound, bound);
  H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hsize_t n = 5, chunk = 3;
  double x[] = {1, 2, 3, 4, 5};
  H5Pset_chunk(chunked, 1, &chunk);
  H5Pset_fletcher32(chunked);
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, create, access);
  hid_t space = H5Screate_simple(1, &n, NULL);
  hid_t set = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
  return H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0 ||
         H5Dclose(set) < 0 || H5Fclose(file) < 0;
}
CODE
gcc -I"$root/usr/include/hdf5/serial" "$work/write.c" -o "$work/write" -L"$libraries/hdf5/serial" -lhdf5 \
  -Wl,-rpath-link,"$libraries"
export LD_LIBRARY_PATH=$libraries:$libraries/hdf5/serial
(cd "$work" && ./write latest.h5 && ./write v18.h5 v18)
cat >"$work/read.mjs" <<'CODE'
import fs from "fs";
import { File } from "jsfive";
const bytes = fs.readFileSync(process.argv[2]);
const file = new File(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
console.log("keys " + file.keys);
try {
  console.log("values " + file.get("x").value);
} catch (error) {
  console.log("an error");
}
CODE
read_with_jsfive() { (cd "$work" && node read.mjs "$1" | paste -sd' '); }
seen "latest" "$(read_with_jsfive latest.h5)" "keys x an error"
seen "1.8" "$(read_with_jsfive v18.h5)" "keys x values 1,2,3,4,5"
finish
