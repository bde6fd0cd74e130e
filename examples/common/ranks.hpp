// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The ranks that a launcher of MPI (mpirun, srun) has started a program on.

#include <common/process.hpp>
#include <trackplex/core/ranks.hpp>

#if defined(TRACKPLEX_HAS_MPI)
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/mpi/environment.hpp>
#endif

#include <sched.h>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace trackplex::program {

#if defined(TRACKPLEX_HAS_MPI)

/// MPI, where a launcher has started this process; else one rank, without MPI.
class RanksOfProgram {
 public:
  RanksOfProgram() {
    if (!mpi::is_launched()) return;
    environment_.emplace();
    all_.emplace();
    node_.emplace(all_->node());
  }

  /// The ranks, or null where there is no launcher.
  const mpi::Communicator* get() const { return all_ ? &*all_ : nullptr; }
  int rank() const { return all_ ? all_->rank() : 0; }
  int size() const { return all_ ? all_->size() : 1; }
  int size_of_node() const { return node_ ? node_->size() : 1; }

  /// The cores that the ranks of this node may use together.
  int cores_of_node() const {
    std::vector<std::uint64_t> mask(CPU_SETSIZE / 64, 0);
    cpu_set_t own;
    CPU_ZERO(&own);
    ::sched_getaffinity(0, sizeof own, &own);
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &own)) mask[i / 64] |= std::uint64_t(1) << i % 64;
    if (node_) node_->combine(std::span(mask), MPI_BOR);
    int cores = 0;
    for (const auto word : mask) cores += std::popcount(word);
    return cores;
  }

  /// The work of all ranks has begun: they wait for one another.
  void begin_work() { works_ = true; }

  /// Says the problem of this rank, and returns the status of the program, or ends all ranks. One
  /// that all have alike, before the work, is told once.
  int fail(const std::string& message, ExitStatus status) const {
    if (size() == 1 || (!works_ && rank() == 0)) return print_problem(message, status);
    if (!works_) return status;
    if (rank() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    mpi::end_all_ranks(message, status);
  }

 private:
  std::optional<mpi::Environment> environment_;
  std::optional<mpi::Communicator> all_, node_;
  bool works_ = false;
};

#else

/// One rank: this build has no MPI.
class RanksOfProgram {
 public:
  /// @throws UsageError where mpirun has started several processes: each would do all
  RanksOfProgram() {
    if (launched_processes() > 1)
      throw UsageError("mpirun", "this build has no MPI", "", "build it where MPI is installed");
  }
  const Ranks* get() const { return nullptr; }
  int rank() const { return 0; }
  int size() const { return 1; }
  int size_of_node() const { return 1; }
  int cores_of_node() const { return int(std::thread::hardware_concurrency()); }
  void begin_work() {}
  int fail(const std::string& message, ExitStatus status) const {
    return print_problem(message, status);
  }
};

#endif

}  // namespace trackplex::program
