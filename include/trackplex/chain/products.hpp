// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>

#include <span>
#include <tuple>
#include <vector>

/// @file
/// The products at the two ends of a chain, and between host and device.

namespace trackplex::chain {

/// The batch that a chain works on: its input.
template <class Event>
struct Events {
  std::span<const Event* const> pointers;
};

/// One result per event, in the order of the events: the last product of a chain.
template <class Result>
struct Results {
  std::vector<Result> values;
};

/// Arrays of the host that are to be copied to the device.
template <class Arrays>
struct Staged : Arrays {};

/// Structures of arrays that have come back from the device.
template <class... Arrays>
struct Fetched {
  std::tuple<HostOf<Arrays>...> arrays;

  template <class One>
  const HostOf<One>& get() const {
    return std::get<HostOf<One>>(arrays);
  }
};

}  // namespace trackplex::chain
