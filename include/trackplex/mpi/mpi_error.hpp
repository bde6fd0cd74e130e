// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <mpi.h>

#include <string>

namespace trackplex::mpi {

/// Failure of a call of MPI. The message names the rank and the call.
class Error : public trackplex::Error {
 public:
  using trackplex::Error::Error;
};

namespace detail {

/// Throws if a call of MPI failed; `communicator` says which rank this is.
/// @throws Error
inline void check(int code, const char* call, MPI_Comm communicator = MPI_COMM_WORLD) {
  if (code == MPI_SUCCESS) return;
  int rank = -1, size = 0, length = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  text.resize(std::size_t(length));
  throw Error("rank " + std::to_string(rank) + " of " + std::to_string(size),
              std::string(call) + " failed", text.empty() ? std::to_string(code) : text);
}

}  // namespace detail
}  // namespace trackplex::mpi
