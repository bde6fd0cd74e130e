// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/ranks.hpp>
#include <trackplex/mpi/mpi_error.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace trackplex::mpi {

/// Whether an MPI launcher (mpirun, srun) has started this process, from the environment variables
/// that launchers set. A program that runs alone need not start MPI.
inline bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK",
                           "MV2_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "PALS_RANKID"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

/// MPI, running from the construction to the destruction of the object, of which a process has
/// one. Threads may call MPI at the same time.
class Environment {
 public:
  /// Starts MPI, unless it is running.
  /// @throws Error if several threads cannot call MPI, or the launcher belongs to another MPI
  Environment() {
    int is_started = 0, level = 0;
    MPI_Initialized(&is_started);
    if (is_started) {
      MPI_Query_thread(&level);
    } else {
      detail::check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level),
                    "MPI_Init_thread");
      ends_ = true;
    }
    if (level < MPI_THREAD_MULTIPLE)
      throw Error("MPI", "this MPI cannot be called by several threads at once", "",
                  "start it with MPI_THREAD_MULTIPLE, or use one that is built with it");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1 && launched_processes() > 1)
      throw Error("mpirun",
                  "each of its " + std::to_string(launched_processes()) +
                      " processes is the only rank of this program's MPI",
                  "this mpirun belongs to another MPI",
                  "start the program with the mpirun of the MPI that it is built with");
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  /// Ends MPI if it started it; waits for all ranks.
  ~Environment() {
    int is_ended = 0;
    MPI_Finalized(&is_ended);
    if (ends_ && !is_ended) MPI_Finalize();
  }

 private:
  bool ends_ = false;
};

/// Prints a message, preceded by the number of this rank, and ends all ranks: for a rank that
/// cannot continue while others wait for it. mpirun returns the exit status, which is 1 where
/// `status` is a multiple of 256: some launchers would return 0.
[[noreturn]] inline void end_all_ranks(const std::string& message, int status) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::fprintf(stderr, "rank %d of %d: %s\n", rank, size, message.c_str());
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, status % 256 == 0 ? 1 : status);
  std::abort();
}

}  // namespace trackplex::mpi
