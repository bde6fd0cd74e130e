// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/pipeline/statistics.hpp>
#include <trackplex/pipeline/trace.hpp>
#include <trackplex/program/sequence_listing.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// What a slot of the pipeline does with events, behind an interface: kernels are compiled in one
/// source file, for each backend, number type and lane width, the pipeline in another one, once.

namespace trackplex::program {

template <class Event, class Result>
class EventProcessor {
 public:
  virtual ~EventProcessor() = default;

  virtual void stage(std::span<const std::shared_ptr<const Event>> events) = 0;
  virtual void run() = 0;
  virtual void collect(std::vector<Result>& results) = 0;
  virtual pipeline::SlotReport report() const = 0;
};

/// The settings of a processor that are not those of its algorithms.
struct ProcessorSettings {
  std::size_t memory = 0;          ///< bytes of the slot
  std::vector<std::string> steps;  ///< to run; empty: the default ones
  std::string sequence_file;       ///< that names them, for messages
  pipeline::Trace* trace = nullptr;
};

/// Makes the processor of a slot that works on an instance.
template <class ExecutionSpace, class Event, class Result>
using MakeProcessor =
    std::function<std::unique_ptr<EventProcessor<Event, Result>>(const ExecutionSpace&, int slot)>;

/// A processor that has a Chain: an object with stage, run and collect whose `sequence()` is the
/// sequence of algorithms that they run.
template <class Event, class Result, class Chain>
class ChainProcessor final : public EventProcessor<Event, Result> {
 public:
  /// `make_chain()` returns the chain.
  /// @throws InputError where the file's steps are no sequence that ends with its results
  template <class MakeChain>
  ChainProcessor(const ProcessorSettings& settings, int slot, const MakeChain& make_chain)
      : chain_(make_chain()), trace_(settings.trace) {
    if (!settings.steps.empty()) select(settings);
    if (trace_ == nullptr) return;
    lane_ = trace_->add_lane("steps of slot " + std::to_string(slot));
    chain_.sequence().time_each_step(true);  // else spans on devices were those of launching
  }

  void stage(std::span<const std::shared_ptr<const Event>> events) override {
    if (trace_ != nullptr) chain_.sequence().trace(trace_, lane_, -1, int(events.size()));
    chain_.stage(events);
  }
  void run() override { chain_.run(); }
  void collect(std::vector<Result>& results) override { chain_.collect(results); }
  pipeline::SlotReport report() const override {
    if constexpr (requires { chain_.report(); }) {
      return chain_.report();
    } else {
      return chain_.sequence().report();
    }
  }

 private:
  void select(const ProcessorSettings& settings) {
    select_steps(chain_.sequence(), settings.steps, settings.sequence_file);
    const auto last = chain_.sequence().default_steps().back();
    if (settings.steps.back() != last)
      throw InputError({settings.sequence_file}, "the sequence ends with " + settings.steps.back(),
                       "", "the last step must be " + last + ", which makes the results");
  }

  Chain chain_;
  pipeline::Trace* trace_;
  int lane_ = -1;
};

}  // namespace trackplex::program
