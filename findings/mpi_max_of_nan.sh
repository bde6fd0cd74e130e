#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPI_Allreduce with MPI_MAX gives ranks different results where one of them has a NaN; some are
# smaller than numbers that take part. Seen with MPICH 4.0.2 of Debian 12.
. "$(dirname "$0")/lib.sh"

provide_mpich
cat >"$work/max.c" <<'CODE'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, size;
  double x, all[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  x = rank == atoi(argv[1]) ? NAN : rank + 1;
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) printf("%g ", all[i]);
  return MPI_Finalize();
}
CODE
compile_mpich max
max_of() { run_mpich -n "$1" "$work/max" "$2"; }
seen "1, nan" "$(max_of 2 1)" "nan 1 "
seen "nan, 2, 3" "$(max_of 3 0)" "3 3 nan "
seen "1, 2, nan" "$(max_of 3 2)" "nan nan 2 "
seen "1, 2, 3, nan" "$(max_of 4 3)" "nan 3 2 3 "
finish
