// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/raw_input.hpp>
#include <vector>

namespace trackplex::test {

/// The banks of events on the host, as the first step of a chain writes them.
inline lhcb::StagedBanks staged_banks(std::span<const lhcb::RawEvent> events) {
  std::vector<const lhcb::RawEvent*> pointers;
  for (const auto& event : events) pointers.push_back(&event);
  const chain::Events<lhcb::RawEvent> input{pointers};
  lhcb::StagedBanks banks;
  run_algorithm(HostExecutor(), lhcb::StageBanks(), input, banks);
  return banks;
}

/// The banks of events where kernels of a space reach them.
template <class Space>
lhcb::RawInput<typename Space::memory_space> loaded_banks(const Space& exec,
                                                          std::span<const lhcb::RawEvent> events) {
  const auto staged = staged_banks(events);
  lhcb::RawInput<typename Space::memory_space> banks;
  run_algorithm(exec, lhcb::CopyBanks<Space>(), staged, banks);
  exec.fence();
  return banks;
}

}  // namespace trackplex::test
