// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/mpi/communicator.hpp>

#include <cstdint>
#include <exception>
#include <mutex>

namespace trackplex::mpi {

/// Integer in the memory of rank 0 that all ranks read and change at any time, without the
/// participation of other ranks (one-sided). Several threads of a rank may use it. Rank 0 should
/// call MPI regularly: some MPIs serve the other ranks only then.
class SharedCounter {
 public:
  /// All ranks call it; rank 0 provides the value.
  /// @throws Error if this MPI has no one-sided calls between these ranks
  SharedCounter(const Communicator& ranks, std::int64_t value) : ranks_(ranks) {
    std::int64_t* memory = nullptr;
    const MPI_Aint bytes = ranks.is_first() ? MPI_Aint(sizeof value) : 0;
    const int code =
        MPI_Win_allocate(bytes, int(sizeof value), MPI_INFO_NULL, ranks.get(), &memory, &window_);
    if (code == MPI_ERR_WIN)
      throw Error("MPI_Win_allocate", "this MPI has no one-sided calls between these ranks", "",
                  "Open MPI 4 has them over TCP by UCX: --mca pml ucx --mca osc ucx --mca "
                  "opal_common_ucx_tls any --mca opal_common_ucx_devices any");
    ranks_.check(code, "MPI_Win_allocate");
    ranks_.check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    ranks_.check(MPI_Win_lock_all(0, window_), "MPI_Win_lock_all");
    if (ranks.is_first()) store(value);
    ranks.barrier();
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  /// Waits for all ranks, unless an exception is in flight.
  ~SharedCounter() {
    if (std::uncaught_exceptions() > exceptions_) return;  // the others may never arrive
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  /// Adds n and returns the previous value.
  std::int64_t next(std::int64_t n = 1) { return apply(n, MPI_SUM); }
  std::int64_t load() { return apply(0, MPI_NO_OP); }  ///< Returns the value.
  std::int64_t store(std::int64_t value) {
    return apply(value, MPI_REPLACE);
  }  ///< Replaces the value and returns the previous one.

 private:
  std::int64_t apply(std::int64_t value, MPI_Op operation) {
    const std::lock_guard lock(mutex_);
    std::int64_t before = 0;
    ranks_.check(MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 0, 0, operation, window_),
                 "MPI_Fetch_and_op");
    ranks_.check(MPI_Win_flush(0, window_), "MPI_Win_flush");
    return before;
  }

  const Communicator& ranks_;
  const int exceptions_ = std::uncaught_exceptions();
  MPI_Win window_ = MPI_WIN_NULL;
  std::mutex mutex_;
};

}  // namespace trackplex::mpi
