#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPICH's launcher returns the bitwise or of the exit statuses of ranks: 1 and 2 give 3. MPI_Abort
# passes only the low byte on: MPI_Abort(comm, 256) ends with 0. Seen with MPICH 4.0.2 of Debian 12.
. "$(dirname "$0")/lib.sh"

provide_mpich
cat >"$work/end.c" <<'CODE'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 2 && rank == 0) MPI_Abort(MPI_COMM_WORLD, atoi(argv[2]));
  MPI_Finalize();
  return rank + 1;
}
CODE
compile_mpich end
status_of() {
  local status=0
  run_mpich "$@" >"$work/log" 2>&1 || status=$?
  echo $status
}
seen "ranks return 1 and 2" "$(status_of -n 2 "$work/end")" 3
seen "MPI_Abort(..., 256)" "$(status_of -n 2 "$work/end" abort 256)" 0
seen "MPI_Abort(..., 7)" "$(status_of -n 2 "$work/end" abort 7)" 7
finish
