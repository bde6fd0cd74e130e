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
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
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

/// What a run does with a chain, and what of it is timed.
struct ChainWork {
  std::string name{};  ///< where a run has several works
  StepSelection selection{};
  std::vector<StepGroup> groups{};
  std::vector<std::string> once_more{};  ///< steps to repeat by themselves, timed as `repeated`
};

/// A chain whose type is known in its source file only.
template <class Event, class Result>
class AnyChain {
 public:
  virtual ~AnyChain() = default;
  virtual void select(const std::vector<std::string>& steps) = 0;
  virtual void stage(std::span<const std::shared_ptr<const Event>> events) = 0;
  virtual void run() = 0;
  virtual void collect(std::vector<Result>& results) = 0;
  virtual void repeat(const std::vector<std::string>& steps) = 0;
  virtual chain::Report report() const = 0;
  /// Waits after each step: times on devices are those of kernels, not only of their launches.
  virtual void time_each_step() = 0;
  virtual void trace(Trace& trace, int lane) = 0;
  /// Shows the arrays that each step makes.
  virtual void observe(std::function<void(const chain::StepArrays&)> observer) = 0;
};

template <class Event, class Result>
struct ChainCalls {
  using Pointer = std::shared_ptr<const Event>;
  using Events = std::vector<Pointer>;
  using Chain = AnyChain<Event, Result>;
  /// A run of the pipeline: its options, bytes of each slot, what is done with the chain of each
  /// slot before, reader, writer, and what takes failures.
  using RunPipeline =
      pipeline::Statistics(const pipeline::PipelineOptions&, std::size_t memory,
                           const std::function<void(Chain&, int slot)>& prepare,
                           const std::function<std::optional<Pointer>(std::stop_token)>& reader,
                           const std::function<void(std::size_t, Result&&)>& writer,
                           const std::function<void(const pipeline::Failure&)>& on_failure);

  RunDescription run;
  SequenceListing listing;
  std::function<std::unique_ptr<Chain>()> make;
  std::function<RunPipeline> run_pipeline;

  /// Does all works on all events, in batches: once as a warm-up and then `repeat` times, in turn.
  /// Each time `after_each(work, results)` takes the results. Gives microseconds per event.
  template <class AfterEach>
  std::vector<Times> time(const Events& events, std::span<const ChainWork> works, std::size_t batch,
                          int repeat, const AfterEach& after_each) const;
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
void select_steps(Chain& chain, const StepSelection& selection, const std::string& last) {
  if (selection.steps.empty()) return;
  try {
    chain.select(selection.steps);
  } catch (const UsageError& error) {
    throw InputError({selection.file}, error.what(), "",
                     "--list-algorithms shows the steps, what each reads and makes");
  }
  if (selection.steps.back() != last)
    throw InputError({selection.file}, "the sequence ends with " + selection.steps.back(), "",
                     "the last step must be " + last + ", which makes the results");
}

template <class Chain>
class ChainOfType final : public AnyChain<typename Chain::Event, typename Chain::Result> {
  using Event = typename Chain::Event;

 public:
  explicit ChainOfType(Chain chain) : chain_(std::move(chain)) {}

  void select(const std::vector<std::string>& steps) override { chain_.select(steps); }
  void stage(std::span<const std::shared_ptr<const Event>> events) override {
    if (trace_ != nullptr) chain_.trace(trace_, lane_, -1, int(events.size()));
    chain_.stage(events);
  }
  void run() override { chain_.run(); }
  void collect(std::vector<typename Chain::Result>& results) override { chain_.collect(results); }
  void repeat(const std::vector<std::string>& steps) override { chain_.repeat(steps); }
  chain::Report report() const override { return chain_.report(); }
  void time_each_step() override { chain_.time_each_step(true); }
  void trace(Trace& trace, int lane) override {
    trace_ = &trace;
    lane_ = lane;
  }
  void observe(std::function<void(const chain::StepArrays&)> observer) override {
    chain_.observe(std::move(observer));
  }

 private:
  Chain chain_;
  Trace* trace_ = nullptr;
  int lane_ = -1;
};

/// A work, and what it took from repetition to repetition.
template <class Event, class Result>
class TimedChain {
 public:
  TimedChain(std::unique_ptr<AnyChain<Event, Result>> chain, const ChainWork& work)
      : chain_(std::move(chain)), work_(work) {
    chain_->time_each_step();
  }

  /// The results of all events.
  std::vector<Result> run(std::span<const std::shared_ptr<const Event>> events, std::size_t batch) {
    const double us_per_event = 1e6 / double(std::max<std::size_t>(1, events.size()));
    std::vector<Result> results;
    double once_more = 0.;
    for (; !events.empty(); events = events.subspan(std::min(events.size(), batch))) {
      chain_->stage(events.first(std::min(events.size(), batch)));
      chain_->run();
      chain_->collect(results);
      if (work_.once_more.empty()) continue;
      const auto begin = std::chrono::steady_clock::now();
      chain_->repeat(work_.once_more);
      once_more += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    std::map<std::string, double> now;
    for (const auto& step : chain_->report().steps) now[step.name] = step.seconds;
    for (const auto& group : work_.groups) {
      double seconds = 0.;
      for (const auto& step : group.steps) seconds += now[step] - before_[step];
      times_[group.name].push_back(us_per_event * seconds);
    }
    times_["repeated"].push_back(us_per_event * once_more);
    before_ = std::move(now);
    return results;
  }

  /// Without the first repetition, the warm-up.
  Times times() const {
    const auto of = [&](const std::string& name) {
      const auto& all = times_.at(name);
      return std::pair(name, spread_of({all.begin() + 1, all.end()}));
    };
    Times result;
    for (const auto& group : work_.groups) result.push_back(of(group.name));
    if (!work_.once_more.empty()) result.push_back(of("repeated"));
    return result;
  }

 private:
  std::unique_ptr<AnyChain<Event, Result>> chain_;
  const ChainWork& work_;
  std::map<std::string, std::vector<double>> times_;
  std::map<std::string, double> before_;  ///< seconds of the steps until now
};

}  // namespace detail

template <class Event, class Result>
template <class AfterEach>
std::vector<Times> ChainCalls<Event, Result>::time(const Events& events,
                                                   std::span<const ChainWork> works,
                                                   std::size_t batch, int repeat,
                                                   const AfterEach& after_each) const {
  std::vector<detail::TimedChain<Event, Result>> chains;
  for (const auto& work : works) {
    auto chain = make();
    detail::select_steps(*chain, work.selection, listing.default_steps.back());
    chains.emplace_back(std::move(chain), work);
  }
  for (int pass = 0; pass <= repeat; ++pass)
    for (std::size_t i = 0; i < chains.size(); ++i) after_each(i, chains[i].run(events, batch));
  std::vector<Times> times;
  for (const auto& chain : chains) times.push_back(chain.times());
  return times;
}

/// The calls of a chain. `make_chain(lanes, instance, arena)` makes one with `lanes()` lanes; for
/// direct calls the arena is empty.
template <class Run, class MakeChain>
auto chain_calls(const Run& run, const MakeChain& make_chain) {
  using Space = typename Run::ExecutionSpace;
  using chain::ArenaSize;
  using AnyLanes = std::invoke_result_t<MakeChain, std::integral_constant<int, 1>, const Space&,
                                        const ArenaSize&>;
  using Calls = ChainCalls<typename AnyLanes::Event, typename AnyLanes::Result>;
  Calls calls;
  calls.run = run.description();
  run.with_lanes([&](auto lanes) {
    using Chain = std::invoke_result_t<MakeChain, decltype(lanes), const Space&, const ArenaSize&>;
    const auto make = [=](const Space& exec, const ArenaSize& arena) {
      return std::make_unique<detail::ChainOfType<Chain>>(make_chain(lanes, exec, arena));
    };
    calls.listing = detail::listing_of<Chain>();
    calls.make = [=, exec = run.exec] { return make(exec, {}); };
    calls.run_pipeline = [=, exec = run.exec](const pipeline::PipelineOptions& options,
                                              std::size_t memory, const auto& prepare,
                                              const auto& reader, const auto& writer,
                                              const auto& on_failure) {
      const auto make_slot = [&](const Space& instance, int slot) {
        std::unique_ptr<typename Calls::Chain> chain = make(instance, {memory, memory});
        prepare(*chain, slot);
        return chain;
      };
      return pipeline::run_pipeline<typename Calls::Pointer, typename Chain::Result>(
          exec, options, make_slot, reader, writer, on_failure);
    };
  });
  return calls;
}

}  // namespace trackplex::program
