// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace detector_tracker {

using namespace trackplex;

/// A warm-up, and timed repetitions.
struct Repetitions {
  int timed = 1;
  std::function<void()> after_each = [] {};
};

/// What a run found: tracks, or the tracks of each event.
template <class Item>
struct Found {
  std::vector<Item> items{};
  std::string hash{};        ///< of all items, to the last bit
  program::Times time_us{};  ///< per item
};

/// The first track that two repetitions found differently; empty where there is none.
template <class Item>
std::string first_difference(const std::vector<Item>& a, const std::vector<Item>& b) {
  if constexpr (requires(const Item& item) { item.fingerprint; })
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (a[i].fingerprint != b[i].fingerprint)
        return "the first one is track " + std::to_string(i);
  return {};
}

/// Repeats `work(timer)`, and returns what `items()` collects after the last repetition.
/// @throws Error where the hash differs from that of the repetition before
template <class Item, class Run, class Work, class Items, class HashOf>
Found<Item> repeat(const Run& run, const Repetitions& repetitions, const Work& work,
                   const Items& items, const HashOf& hash_of) {
  Found<Item> found;
  const auto after_each = [&] {
    auto now = items();
    auto hash = hash_of(now);
    if (!found.hash.empty() && hash != found.hash)
      throw Error(run.description().backend, "two repetitions gave different results",
                  first_difference(found.items, now));
    found.items = std::move(now);
    found.hash = std::move(hash);
    repetitions.after_each();
  };
  const auto timer = program::measure(run.exec, repetitions.timed, work, after_each);
  found.time_us = timer.times(double(found.items.size()));
  return found;
}

}  // namespace detector_tracker
