// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/sequence.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// @file
/// Sequences as processors of the pipeline, and the products at their two ends.

namespace trackplex::pipeline {

/// The batch that a sequence works on: the product that is given to it.
template <class Event>
struct Events {
  std::span<const Event* const> pointers;
};

/// What a sequence makes of the batch: one result per event, in the order of the events.
template <class Result>
struct Results {
  std::vector<Result> values;
};

/// Arrays of the host that are to be copied to the device.
template <class Arrays>
struct Staged : Arrays {};

/// Arrays of the host that have come back from the device.
template <class Arrays>
struct Fetched : Arrays {};

/// A processor that runs a sequence on the events of a slot. The sequence is given Events<Event>
/// and makes Results<Result>.
template <class Event_, class Result_, class Sequence>
class EventSequence {
 public:
  using Event = Event_;
  using Result = Result_;

  explicit EventSequence(Sequence sequence) : sequence_(std::move(sequence)) {}

  /// The events live until collect() has returned.
  void stage(std::span<const std::shared_ptr<const Event>> events) {
    pointers_.clear();
    for (const auto& event : events) pointers_.push_back(event.get());
    sequence_.template product<Events<Event>>().pointers = pointers_;
    sequence_.stage();
  }

  void run() { sequence_.run(); }

  /// Appends one result per event.
  void collect(std::vector<Result>& results) {
    sequence_.collect();
    auto& found = sequence_.template product<Results<Result>>().values;
    results.insert(results.end(), std::make_move_iterator(found.begin()),
                   std::make_move_iterator(found.end()));
  }

  SlotReport report() const { return sequence_.report(); }

  /// To select its steps, or to trace them.
  Sequence& sequence() { return sequence_; }

 private:
  Sequence sequence_;
  std::vector<const Event*> pointers_;
};

}  // namespace trackplex::pipeline
