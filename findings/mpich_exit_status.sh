#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPICH's launcher returns the bitwise or of the exit statuses of ranks: 1 and 2 give 3. MPI_Abort
# passes only the low byte on: MPI_Abort(comm, 256) ends with 0. Seen with MPICH 4.0.2 of Debian 12.
. "$(dirname "$0")/lib.sh"

debian mpich=4.0.2-3+b1 libmpich-dev=4.0.2-3+b1 libmpich12=4.0.2-3+b1 libslurm38=22.05.8-4+deb12u3 libhwloc15=2.9.0-1 \
  libucx0=1.13.1-1 libgfortran5=12.2.0-14+deb12u1 libibverbs1=44.0-2 librdmacm1=44.0-2 libnl-3-200=3.7.0-0.2+b1 \
  libnl-route-3-200=3.7.0-0.2+b1 libnuma1=2.0.16-1
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
libraries=$root/usr/lib/$(gcc -print-multiarch)
gcc -I"$libraries/mpich/include" "$work/end.c" -o "$work/end" -L"$libraries" -l:libmpich.so.12 -Wl,--allow-shlib-undefined
status_of() {
  local status=0
  LD_LIBRARY_PATH=$libraries "$root/usr/bin/mpiexec.hydra" "$@" >"$work/log" 2>&1 || status=$?
  echo $status
}
seen "ranks return 1 and 2" "$(status_of -n 2 "$work/end")" 3
seen "MPI_Abort(..., 256)" "$(status_of -n 2 "$work/end" abort 256)" 0
seen "MPI_Abort(..., 7)" "$(status_of -n 2 "$work/end" abort 7)" 7
finish
