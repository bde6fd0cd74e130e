// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Calls of a chain for programs, behind functions: chains are compiled in one source file, for
/// each backend, number type and lane width, and used in another one.

#include <common/event_stream.hpp>
#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/chain/chain.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/trace.hpp>
#include <trackplex/pipeline/pipeline.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// The steps of a chain, those of the default order first, and its products.
struct SequenceListing {
  std::vector<chain::StepDescription> steps;
  std::vector<chain::ProductDescription> products;
  std::vector<std::string> default_steps;
};

/// The steps that are to run, where not the default ones.
struct StepSelection {
  std::vector<std::string> steps{};  ///< empty: the default ones
  std::string file{};                ///< that names them, for messages; empty: the program does
};

/// Steps of a chain that are timed together.
struct StepGroup {
  std::string name;
  std::vector<std::string> steps;
};

/// How the pipeline is to run.
struct PipelineRequest {
  pipeline::PipelineOptions options;
  std::size_t memory = 0;  ///< bytes of each slot
  StepSelection selection{};
};

/// How a chain is to be timed.
struct TimingRequest {
  std::size_t batch = 1000;  ///< events per launch
  int repeat = 5;            ///< timed repetitions after the warm-up
  StepSelection selection{};
  std::vector<StepGroup> groups{};
  std::vector<std::string> once_more{};  ///< steps to repeat by themselves, timed as `repeated`
};

template <class Event, class Result>
struct ChainCalls {
  using Events = std::vector<std::shared_ptr<const Event>>;

  RunDescription run;
  SequenceListing listing;
  /// Runs the chain on all events, in batches, once as a warm-up and then some times. Each time
  /// `after_each(results)` takes the results. Returns microseconds per event.
  std::function<Times(const Events&, const TimingRequest&,
                      const std::function<void(std::vector<Result>&&)>& after_each)>
      time;
  /// Takes a stream of events through the pipeline.
  std::function<StreamOutcome<Event, Result>(const PipelineRequest&,
                                             const EventStream<Event, Result>&)>
      stream;
};

namespace detail {

/// The listing of a chain. Names of products are those of their types, without namespaces that say
/// nothing.
template <class Chain>
SequenceListing listing_of() {
  SequenceListing listing{Chain::descriptions(), Chain::products(), Chain::default_steps()};
  for (auto& product : listing.products)
    for (const std::string space : {"trackplex::", "chain::", "Kokkos::"})
      for (auto at = product.name.find(space); at != std::string::npos;
           at = product.name.find(space, at))
        product.name.erase(at, space.size());
  return listing;
}

/// @throws InputError with the file's name where the steps are no chain that ends with its results
template <class Chain>
void select_steps(Chain& chain, const StepSelection& selection) {
  if (selection.steps.empty()) return;
  try {
    chain.select(selection.steps);
  } catch (const UsageError& error) {
    throw InputError({selection.file}, error.what(), "",
                     "--list-algorithms shows the steps, what each reads and makes");
  }
  const auto last = Chain::default_steps().back();
  if (selection.steps.back() != last)
    throw InputError({selection.file}, "the sequence ends with " + selection.steps.back(), "",
                     "the last step must be " + last + ", which makes the results");
}

/// The work of a slot of the pipeline, which is compiled once for all chains.
template <class Event, class Result>
class EventProcessor {
 public:
  virtual ~EventProcessor() = default;
  virtual void stage(std::span<const std::shared_ptr<const Event>> events) = 0;
  virtual void run() = 0;
  virtual void collect(std::vector<Result>& results) = 0;
  virtual chain::Report report() const = 0;
};

template <class Chain>
class ChainProcessor final : public EventProcessor<typename Chain::Event, typename Chain::Result> {
  using Event = typename Chain::Event;

 public:
  ChainProcessor(const PipelineRequest& request, int slot, Chain chain)
      : chain_(std::move(chain)), trace_(request.options.trace) {
    select_steps(chain_, request.selection);
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
  Chain chain_;
  Trace* trace_;
  int lane_ = -1;
};

/// One repetition: the results of all events, and what the steps in `once_more` took.
template <class Chain>
std::vector<typename Chain::Result> run_once(
    Chain& chain, const std::vector<std::shared_ptr<const typename Chain::Event>>& events,
    const TimingRequest& request, double& seconds_once_more) {
  std::vector<typename Chain::Result> results;
  for (std::span rest = events; !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), request.batch));
    rest = rest.subspan(batch.size());
    chain.stage(batch);
    chain.run();
    chain.collect(results);
    if (request.once_more.empty()) continue;
    const auto begin = std::chrono::steady_clock::now();
    chain.repeat(request.once_more);
    seconds_once_more +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return results;
}

template <class Chain, class AfterEach>
Times time_chain(Chain& chain,
                 const std::vector<std::shared_ptr<const typename Chain::Event>>& events,
                 const TimingRequest& request, const AfterEach& after_each) {
  select_steps(chain, request.selection);
  chain.time_each_step(true);
  std::map<std::string, std::vector<double>> times;
  std::map<std::string, double> before;
  for (int pass = 0; pass <= request.repeat; ++pass) {
    double once_more = 0.;
    auto results = run_once(chain, events, request, once_more);
    std::map<std::string, double> now;
    for (const auto& step : chain.report().steps) now[step.name] = step.seconds;
    const double us_per_event = 1e6 / double(std::max<std::size_t>(1, events.size()));
    for (const auto& group : request.groups) {
      double seconds = 0.;
      for (const auto& step : group.steps) seconds += now[step] - before[step];
      if (pass > 0) times[group.name].push_back(us_per_event * seconds);
    }
    if (pass > 0) times["repeated"].push_back(us_per_event * once_more);
    before = std::move(now);
    after_each(std::move(results));
  }
  Times result;
  for (const auto& group : request.groups)
    result.emplace_back(group.name, spread_of(times[group.name]));
  if (!request.once_more.empty()) result.emplace_back("repeated", spread_of(times["repeated"]));
  return result;
}

template <class ExecutionSpace, class Event, class Result>
StreamOutcome<Event, Result> run_stream(
    const ExecutionSpace& exec, const PipelineRequest& request,
    const EventStream<Event, Result>& stream,
    const std::function<std::unique_ptr<EventProcessor<Event, Result>>(const ExecutionSpace&,
                                                                       int slot)>& make_processor) {
  return take_stream(stream, [&](const auto& read, const auto& write, const auto& fail) {
    return pipeline::run_pipeline<std::shared_ptr<const Event>, Result>(
        exec, request.options, make_processor, read, write, fail);
  });
}

}  // namespace detail

/// The calls of a chain. `make_chain(lanes, instance, arena)` makes one with `lanes()` lanes; for
/// direct calls the arena is empty.
template <class Run, class MakeChain>
auto chain_calls(const Run& run, const MakeChain& make_chain) {
  using ExecutionSpace = typename Run::ExecutionSpace;
  using AnyChain = std::invoke_result_t<MakeChain, std::integral_constant<int, 1>,
                                        const ExecutionSpace&, const chain::ArenaSize&>;
  using Event = typename AnyChain::Event;
  using Result = typename AnyChain::Result;
  using Calls = ChainCalls<Event, Result>;
  Calls calls;
  calls.run = run.description();
  run.with_lanes([&](auto lanes) {
    using Chain = std::invoke_result_t<MakeChain, decltype(lanes), const ExecutionSpace&,
                                       const chain::ArenaSize&>;
    calls.listing = detail::listing_of<Chain>();
    calls.time = [=, exec = run.exec](const typename Calls::Events& events,
                                      const TimingRequest& request, const auto& after_each) {
      Chain chain = make_chain(lanes, exec, chain::ArenaSize{});
      return detail::time_chain(chain, events, request, after_each);
    };
    calls.stream = [=, exec = run.exec](const PipelineRequest& request,
                                        const EventStream<Event, Result>& stream) {
      return detail::run_stream<ExecutionSpace, Event, Result>(
          exec, request, stream, [&](const ExecutionSpace& instance, int slot) {
            return std::make_unique<detail::ChainProcessor<Chain>>(
                request, slot,
                make_chain(lanes, instance, chain::ArenaSize{request.memory, request.memory}));
          });
    };
  });
  return calls;
}

}  // namespace trackplex::program
