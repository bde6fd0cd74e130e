// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/chain.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>
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
/// The work of a slot of the pipeline behind an interface: kernels are compiled in one
/// source file, for each backend, number type and lane width, the pipeline in another one, once.

namespace trackplex::program {

template <class Event, class Result>
class EventProcessor {
 public:
  virtual ~EventProcessor() = default;

  virtual void stage(std::span<const std::shared_ptr<const Event>> events) = 0;
  virtual void run() = 0;
  virtual void collect(std::vector<Result>& results) = 0;
  virtual chain::Report report() const = 0;
};

/// The settings of a processor that are not those of its algorithms.
struct ProcessorSettings {
  std::size_t memory = 0;          ///< bytes of the slot
  std::vector<std::string> steps;  ///< to run; empty: the default ones
  std::string sequence_file;       ///< that names them, for messages
  Trace* trace = nullptr;
};

/// Makes the processor of a slot that works on an instance.
template <class ExecutionSpace, class Event, class Result>
using MakeProcessor =
    std::function<std::unique_ptr<EventProcessor<Event, Result>>(const ExecutionSpace&, int slot)>;

/// A chain (chain::Chain) as a processor.
template <class Chain>
class ChainProcessor final : public EventProcessor<typename Chain::Event, typename Chain::Result> {
  using Event = typename Chain::Event;

 public:
  /// @throws InputError where the file's steps are no chain that ends with its results
  ChainProcessor(const ProcessorSettings& settings, int slot, Chain chain)
      : chain_(std::move(chain)), trace_(settings.trace) {
    if (!settings.steps.empty()) select(settings);
    if (trace_ == nullptr) return;
    lane_ = trace_->add_lane("steps of slot " + std::to_string(slot));
    chain_.time_each_step(true);  // else spans on devices were those of launching
  }

  void stage(std::span<const std::shared_ptr<const Event>> events) override {
    if (trace_ != nullptr) chain_.trace(trace_, lane_, -1, int(events.size()));
    chain_.stage(events);
  }
  void run() override { chain_.run(); }
  void collect(std::vector<typename Chain::Result>& results) override { chain_.collect(results); }
  chain::Report report() const override { return chain_.report(); }

 private:
  void select(const ProcessorSettings& settings) {
    select_steps(chain_, settings.steps, settings.sequence_file);
    const auto last = Chain::default_steps().back();
    if (settings.steps.back() != last)
      throw InputError({settings.sequence_file}, "the sequence ends with " + settings.steps.back(),
                       "", "the last step must be " + last + ", which makes the results");
  }

  Chain chain_;
  Trace* trace_;
  int lane_ = -1;
};

/// Processors of a chain: `make_chain(instance, arena)` makes that of a slot.
template <class ExecutionSpace, class MakeChain>
auto chain_processors(const ProcessorSettings& settings, const MakeChain& make_chain) {
  using Chain = std::invoke_result_t<MakeChain, const ExecutionSpace&, const chain::ArenaSize&>;
  return MakeProcessor<ExecutionSpace, typename Chain::Event, typename Chain::Result>(
      [=](const ExecutionSpace& instance, int slot) {
        return std::make_unique<ChainProcessor<Chain>>(
            settings, slot, make_chain(instance, {settings.memory, settings.memory}));
      });
}

}  // namespace trackplex::program
