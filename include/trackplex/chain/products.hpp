// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

/// @file
/// Products at both ends of a chain, and between host and device.

namespace trackplex::chain {

/// Batch of events: the input of a chain.
template <class Event>
struct Events {
  std::span<const Event* const> pointers;  ///< (event); owned by the caller of the chain
};

/// Results of a batch: the last product of a chain.
template <class Result>
struct Results {
  std::vector<Result> values;  ///< (event), in the order of the events
};

/// Arrays of the host, to be copied to the device. A separate type, so that a chain
/// distinguishes host and device even where both share one memory.
template <class Arrays>
struct Staged : Arrays {};

}  // namespace trackplex::chain
