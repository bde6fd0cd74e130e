// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the library of each component that there is, and prints its name. No kernels, and no header
// that takes its time.
#include <cstdio>

#if defined(HAS_IO)
#include <trackplex/io/detail/gunzip.hpp>
#endif
#if defined(HAS_HDF5)
#include <trackplex/hdf5/handle.hpp>
#endif
#if defined(HAS_LZMA)
#include <lzma.h>
#endif
#if defined(HAS_MPI)
#include <trackplex/mpi/mpi_error.hpp>
#endif

int main() {
  std::printf("components:");
#if defined(HAS_IO)
  if (zlibVersion()) std::printf(" io");
#endif
#if defined(HAS_HDF5)
  if (H5open() == 0) std::printf(" hdf5");
#endif
#if defined(HAS_LZMA)
  if (lzma_version_number() > 0) std::printf(" lzma");
#endif
#if defined(HAS_MPI)
  int is_started = 1;
  if (MPI_Initialized(&is_started) == MPI_SUCCESS && !is_started) std::printf(" mpi");
#endif
  std::printf("\n");
}
