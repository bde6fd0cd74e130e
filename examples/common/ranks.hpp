// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The ranks that a launcher of MPI (mpirun, srun) has started a program on.

#include <common/process.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/pipeline/event_farm.hpp>

#include <memory>
#include <string>

namespace trackplex::program {

/// MPI, where a launcher has started this process; else one rank, without MPI.
class RanksOfProgram {
 public:
  /// @throws UsageError where a launcher has started several processes and this build has no MPI:
  /// each would do all
  RanksOfProgram();
  ~RanksOfProgram();
  RanksOfProgram(const RanksOfProgram&) = delete;
  RanksOfProgram& operator=(const RanksOfProgram&) = delete;

  /// The ranks, or null where there is no launcher.
  const Ranks* get() const;
  int rank() const { return get() ? get()->rank() : 0; }
  int size() const { return get() ? get()->size() : 1; }
  int size_of_node() const;

  /// The cores that the ranks of this node may use together.
  int cores_of_node() const;

  /// The work of all ranks has begun: they wait for one another.
  void begin_work() { works_ = true; }

  /// Says the problem of this rank, and returns the status of the program, or ends all ranks. One
  /// that all have alike, before the work, is told once.
  int fail(const std::string& message, ExitStatus status) const;

  /// The farm of all ranks, or of this process.
  std::unique_ptr<pipeline::EventFarm> make_farm(const pipeline::EventFarmOptions& options,
                                                 const pipeline::EventFarm::Write& write) const;

 private:
  struct Mpi;

  std::unique_ptr<Mpi> mpi_;
  bool works_ = false;
};

}  // namespace trackplex::program
