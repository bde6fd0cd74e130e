// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/ranks.hpp>
#include <trackplex/core/error.hpp>

#if defined(TRACKPLEX_HAS_MPI)
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/mpi/environment.hpp>
#include <trackplex/mpi/mpi_event_farm.hpp>

#include <sched.h>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#endif

#include <thread>

namespace trackplex::program {

#if defined(TRACKPLEX_HAS_MPI)

struct RanksOfProgram::Mpi {
  mpi::Environment environment{};
  mpi::Communicator all{}, node = all.node();
};

RanksOfProgram::RanksOfProgram() {
  if (mpi::is_launched()) mpi_ = std::make_unique<Mpi>();
}

const Ranks* RanksOfProgram::get() const { return mpi_ ? &mpi_->all : nullptr; }

int RanksOfProgram::size_of_node() const { return mpi_ ? mpi_->node.size() : 1; }

int RanksOfProgram::cores_of_node() const {
  std::vector<std::uint64_t> mask(CPU_SETSIZE / 64, 0);
  cpu_set_t own;
  CPU_ZERO(&own);
  ::sched_getaffinity(0, sizeof own, &own);
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &own)) mask[i / 64] |= std::uint64_t(1) << i % 64;
  if (mpi_) mpi_->node.combine(std::span(mask), MPI_BOR);
  int cores = 0;
  for (const auto word : mask) cores += std::popcount(word);
  return cores;
}

int RanksOfProgram::fail(const std::string& message, ExitStatus status) const {
  if (size() == 1 || (!works_ && rank() == 0)) return print_problem(message, status);
  if (!works_) return status;
  if (rank() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  mpi::end_all_ranks(message, status);
}

std::unique_ptr<pipeline::EventFarm> RanksOfProgram::make_farm(
    const pipeline::EventFarmOptions& options, const pipeline::EventFarm::Write& write) const {
  if (size() > 1) return std::make_unique<mpi::MpiEventFarm>(mpi_->all, options, write);
  return std::make_unique<pipeline::EventFarm>(options, write);
}

#else

struct RanksOfProgram::Mpi {};

RanksOfProgram::RanksOfProgram() {
  if (launched_processes() > 1)
    throw UsageError("mpirun", "this build has no MPI", "", "build it where MPI is installed");
}

const Ranks* RanksOfProgram::get() const { return nullptr; }

int RanksOfProgram::size_of_node() const { return 1; }

int RanksOfProgram::cores_of_node() const { return int(std::thread::hardware_concurrency()); }

int RanksOfProgram::fail(const std::string& message, ExitStatus status) const {
  return print_problem(message, status);
}

std::unique_ptr<pipeline::EventFarm> RanksOfProgram::make_farm(
    const pipeline::EventFarmOptions& options, const pipeline::EventFarm::Write& write) const {
  return std::make_unique<pipeline::EventFarm>(options, write);
}

#endif

RanksOfProgram::~RanksOfProgram() = default;

}  // namespace trackplex::program
