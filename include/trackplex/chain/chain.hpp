// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/detail/check.hpp>
#include <trackplex/chain/detail/event_and_result.hpp>
#include <trackplex/chain/memory.hpp>
#include <trackplex/chain/passes.hpp>
#include <trackplex/chain/plan.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/chain/report.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/trace.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::chain {

/// List of the products that exist before the first step.
template <class... Products>
struct Inputs {};
/// List of the algorithms of a chain, in the order in which they run by default.
template <class... Algorithms>
struct Steps {};
/// List of further algorithms that are compiled and can be selected at run time.
template <class... Algorithms>
struct Alternatives {};

/// Sequence of algorithms (see core/algorithm.hpp) on one instance of an execution space, called
/// directly or by a slot of the pipeline.
///
/// A product is a default-constructible type, made by exactly one step; a step that runs in several
/// passes (see InPasses) makes its products again, or adds to those that no step reads yet. A step
/// without an instance as its first parameter is a host step: it begins when all steps before it
/// have finished. A step with `static constexpr bool aliases_inputs = true` may use arrays of its
/// inputs in its products.
///
/// In an arena, the memory of a product is released when its last reader is enqueued, or its last
/// reader before the product is made again; products that no step reads are results and stay until
/// the next batch. Without an arena all products stay, and their arrays are reused.
///
/// A chain from Events<Event> to Results<Result> is a function of events:
///
///     auto find_tracks = velo_chain<float>(exec, params);
///     const std::vector<VeloResult> results = find_tracks(events);
///
/// It does not compile if a step reads a product that no step before it makes, or makes one twice.
///
/// @tparam ExecutionSpace  Kokkos execution space of the kernels
/// @tparam InputProducts   Inputs<...>
/// @tparam DefaultSteps    Steps<...>
/// @tparam OtherSteps      Alternatives<...>
template <class ExecutionSpace, class InputProducts, class DefaultSteps,
          class OtherSteps = Alternatives<>>
class Chain;

/// Members of a Chain; see the primary template.
template <class ExecutionSpace, class... InputProduct, class... Step, class... Alternative>
class Chain<ExecutionSpace, Inputs<InputProduct...>, Steps<Step...>, Alternatives<Alternative...>> {
  using InputList = detail::TypeList<InputProduct...>;
  static_assert(detail::check_chain<ExecutionSpace, InputList, Step...>(),
                "The chain is not complete.");
  using Products = detail::ProductsOf<ExecutionSpace, InputList, Step..., Alternative...>;
  using Algorithms = std::tuple<Step..., Alternative...>;
  static constexpr std::size_t n_algorithms = sizeof...(Step) + sizeof...(Alternative);
  template <class Algorithm>
  using Traits = detail::AlgorithmTraits<ExecutionSpace, Algorithm>;

 public:
  /// Type of the events if an input is Events<Event>, else void.
  using Event = typename detail::ValueOf<Events, InputProduct...>::type;
  /// Type of the result of an event if a product is Results<Result>, else void.
  using Result = typename detail::ResultOf<Products>::type;

  /// Stores the algorithms, plans the default order, and allocates the arena, if any; waits for the
  /// instance.
  Chain(const ExecutionSpace& exec, const ArenaSize& arena, Step... steps,
        Alternative... alternatives)
      : exec_(exec),
        memory_(std::make_unique<ChainMemory<ExecutionSpace>>(exec, arena)),
        algorithms_(std::move(steps)..., std::move(alternatives)...) {
    std::vector<int> order(sizeof...(Step));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    plan_ = make_plan(steps_with_passes(), products(), order);
    for (auto& step : descriptions()) times_.push_back({std::move(step.name), 0., 0});
    exec_.fence();
  }

  /// Descriptions of all compiled algorithms, those of the default order first.
  static std::vector<StepDescription> descriptions() {
    return {describe<Step>()..., describe<Alternative>()...};
  }
  /// Names of the algorithms in the default order.
  static std::vector<std::string> default_steps() { return {Step::name...}; }
  /// Descriptions of all products, inputs first.
  static std::vector<ProductDescription> products() {
    const auto describe_all = []<class... P>(detail::TypeList<P...>) {
      return std::vector<ProductDescription>{{.name = detail::product_name<P>(),
                                              .is_input = InputList::template contains<P>,
                                              .read_by_host = detail::is_read_by_host<P>}...};
    };
    return describe_all(Products{});
  }

  /// Selects the steps of the following batches and their order, by the names of the algorithms; a
  /// step in passes may occur several times.
  /// @throws UsageError if one is not compiled, reads a product that no step before it makes, makes
  ///         one that exists already, or occurs more often than it has passes
  void select(const std::vector<std::string>& names) {
    const auto steps = steps_with_passes();
    std::vector<int> order;
    for (const auto& name : names) order.push_back(detail::step_named(name, steps));
    plan_ = make_plan(steps, products(), order);
    clear();
    reset_products();
  }
  /// Names of the selected steps, in their order.
  std::vector<std::string> selected() const {
    std::vector<std::string> names;
    for (const auto& planned : plan_.steps) names.push_back(times_[std::size_t(planned.step)].name);
    return names;
  }
  /// The plan of the selected steps.
  const Plan& plan() const { return plan_; }

  /// Returns a product: an input, to be set before stage(); a result, after collect(); without
  /// an arena any product, after run().
  template <class Product>
  Product& product() {
    static_assert(Products::template contains<Product>, "No step reads or makes this product.");
    return std::get<Products::template index_of<Product>>(products_);
  }

  /// Processes a batch of events and returns one result per event, in their order. Waits for the
  /// instance.
  /// @throws ArenaError if a product does not fit into the arena; UsageError if the selected steps
  /// do not make the results; what a step throws
  std::vector<Result> operator()(std::span<const Event> events) {
    pointers_.clear();
    for (const auto& event : events) pointers_.push_back(&event);
    stage_pointers();
    run();
    std::vector<Result> results;
    collect(results);
    if (results.size() != events.size())
      throw UsageError("chain", "the selected steps do not make results for all events");
    return results;
  }

  // The same in three parts, for the slot of a pipeline.

  /// Begins a batch of these events, which must outlive collect(): runs the first host steps.
  void stage(std::span<const std::shared_ptr<const Event>> events) {
    pointers_.clear();
    for (const auto& event : events) pointers_.push_back(event.get());
    stage_pointers();
  }
  /// Begins a batch of the inputs that are set: runs the host steps before the first device step.
  void stage() {
    clear();
    run_steps(0, plan_.first_device);
  }
  /// Runs the device steps and the host steps between them, and waits for the instance.
  void run() {
    under_way_.any = true;
    run_steps(plan_.first_device, plan_.end_device);
    exec_.fence();
    under_way_.any = false;
  }
  /// Runs the host steps after the last device step.
  void collect() { run_steps(plan_.end_device, plan_.steps.size()); }
  /// Runs the host steps after the last device step and appends one result per event.
  void collect(std::vector<Result>& results) {
    collect();
    auto& found = product<Results<Result>>().values;
    results.insert(results.end(), std::make_move_iterator(found.begin()),
                   std::make_move_iterator(found.end()));
    found.clear();
  }

  /// Runs these steps again on the last batch, those in passes as in the first pass, and waits for
  /// the instance: for benchmarks.
  /// @throws UsageError if there is an arena, in which products do not stay, or if a step is
  ///         not compiled
  void repeat(const std::vector<std::string>& names) {
    if (!memory_->grows()) throw UsageError("Chain::repeat", "products do not stay in an arena");
    for (const auto& name : names)
      run_step(detail::step_named(name, times_), 0, std::make_index_sequence<n_algorithms>{});
    exec_.fence();
  }

  /// Releases the products of the last batch, except the inputs. Without an arena they stay,
  /// except the results.
  void clear() {
    if (std::exchange(under_way_.any, false)) exec_.fence();  // a step failed, others may still run
    memory_->release_all();
    if (!memory_->grows() || observer_) {
      reset_products();
    } else if constexpr (!std::is_void_v<Result>) {
      product<Results<Result>>().values.clear();
    }
  }

  /// Sets whether to wait for the instance after each step, so that times on a device include the
  /// kernels, not only their launch.
  void time_each_step(bool wait) { wait_for_each_ = wait; }
  /// Records the following steps as spans of a lane of a trace; if `trace` is null, stops
  /// recording. `batch` and `events` are copied to the spans. The trace must outlive them.
  void trace(Trace* trace, int lane, std::int64_t batch = -1, int events = 0) {
    trace_ = trace;
    span_ = {.lane = lane, .name = {}, .batch = batch, .events = events};
  }
  /// Calls `observer` after each of the following steps with the arrays that the step made, to
  /// compare runs step by step; an empty `observer` ends this. Waits for the instance after each
  /// step. Arrays begin as zeros, so that elements that no step writes are equal in all runs. On
  /// hosts a step that copies between host and device makes no arrays: both are the same.
  /// @throws UsageError if there is an arena
  void observe(std::function<void(const StepArrays&)> observer) {
    if (!memory_->grows())
      throw UsageError("Chain::observe", "arrays in an arena are not observed",
                       "make the chain without one");
    exec_.fence();
    observer_ = std::move(observer);
    memory_->note_arrays(bool(observer_));
  }
  /// Memory of the chain.
  const ChainMemory<ExecutionSpace>& memory() const { return *memory_; }

  /// Times of the selected steps since construction, and the use of the arenas.
  Report report() const {
    const auto use = [](const Arena& arena) {
      return MemoryUse{arena.high_water(), arena.capacity()};
    };
    Report report{{}, use(memory_->device()), use(memory_->pinned())};
    for (const auto& planned : plan_.steps)
      if (planned.pass == 0) report.steps.push_back(times_[std::size_t(planned.step)]);
    return report;
  }

 private:
  /// Whether work may be in flight, as after a step that failed; its destructor waits for that
  /// work.
  struct UnderWay {
    ExecutionSpace exec;
    bool any = false;

    explicit UnderWay(const ExecutionSpace& instance) : exec(instance) {}
    UnderWay(const UnderWay&) = default;
    UnderWay& operator=(const UnderWay&) = default;
    ~UnderWay() {
      if (any) exec.fence();
    }
  };

  template <class Algorithm>
  static StepDescription describe() {
    StepDescription step{.name = Algorithm::name,
                         .reads = {},
                         .makes = {},
                         .on_host = Traits<Algorithm>::on_host,
                         .aliases_inputs = Traits<Algorithm>::aliases_inputs};
    const auto add = []<class... P>(std::vector<int>& to, detail::TypeList<P...>) {
      (to.push_back(Products::template index_of<P>), ...);
    };
    add(step.reads, typename Traits<Algorithm>::Reads{});
    add(step.makes, typename Traits<Algorithm>::Makes{});
    return step;
  }

  std::vector<StepDescription> steps_with_passes() const {
    auto steps = descriptions();
    std::apply(
        [step = steps.begin()](const auto&... algorithm) mutable {
          ((step++->passes = detail::passes_of(algorithm)), ...);
        },
        algorithms_);
    return steps;
  }

  void run_steps(std::size_t first, std::size_t end) {
    for (std::size_t place = first; place < end; ++place) {
      const auto& planned = plan_.steps[place];
      const auto begin = std::chrono::steady_clock::now();
      if (trace_ != nullptr) span_.begin_us = trace_->now_us();
      if (planned.waits) exec_.fence();
      run_step(planned.step, planned.pass, std::make_index_sequence<n_algorithms>{});
      if (observer_) {
        exec_.fence();
        memory_->show_arrays(observer_);
      }
      if (!memory_->grows() || (observer_ && plan_.has_passes())) release(planned.releases);
      note_time(planned.step, begin);
    }
  }

  void release(const std::vector<int>& products) {
    for (const int product : products) {
      memory_->release(1 + product);
      reset(product);
    }
  }

  template <std::size_t... I>
  void run_step(int step, int pass, std::index_sequence<I...>) {
    (void)((int(I) == step && (run_algorithm(detail::of_pass(std::get<I>(algorithms_), pass),
                                             std::get<I>(scratches_)),
                               true)) ||
           ...);
  }

  template <class Algorithm, class Scratch>
  void run_algorithm(const Algorithm& algorithm, Scratch& scratch) {
    memory_->set_algorithm(Algorithm::name);
    if (!memory_->grows()) scratch = {};
    allocate(algorithm, scratch, typename Traits<Algorithm>::All{});
    call(algorithm, scratch, typename Traits<Algorithm>::All{});
    memory_->release(AlgorithmMemory<ExecutionSpace, Products>::scratch_group);
  }

  template <class Algorithm, class Scratch, class... P>
  void allocate(const Algorithm& algorithm, Scratch& scratch, detail::TypeList<P...>) {
    using Memory = AlgorithmMemory<ExecutionSpace, Products>;
    static_assert(
        detail::allocates<Algorithm, Memory, P...> || !trackplex::detail::HasAllocate<Algorithm>,
        "allocate() of an algorithm takes the memory and then the products of its "
        "operator(), in the same order.");
    if constexpr (detail::allocates<Algorithm, Memory, P...>)
      algorithm.allocate(Memory{memory_.get()}, argument<P>(scratch)...);
  }
  template <class Algorithm, class Scratch, class... P>
  void call(const Algorithm& algorithm, Scratch& scratch, detail::TypeList<P...>) {
    if constexpr (Traits<Algorithm>::on_host) {
      algorithm(argument<P>(scratch)...);
    } else {
      algorithm(exec_, argument<P>(scratch)...);
    }
  }

  template <class P, class Scratch>
  P& argument(Scratch& scratch) {
    if constexpr (std::is_same_v<P, Scratch>) {
      return scratch;
    } else {
      return product<P>();
    }
  }

  void note_time(int step, std::chrono::steady_clock::time_point begin) {
    if (wait_for_each_) exec_.fence();
    auto& time = times_[std::size_t(step)];
    time.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++time.calls;
    if (trace_ == nullptr) return;
    span_.name = time.name;
    span_.end_us = trace_->now_us();
    trace_->record(span_);
  }

  void stage_pointers() {
    product<Events<Event>>().pointers = pointers_;
    stage();
  }

  void reset_products() {
    for (int p = int(sizeof...(InputProduct)); p < Products::size; ++p) reset(p);
  }
  void reset(int product) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((int(I) == product && (void(std::get<I>(products_) = {}), true)) || ...);
    }
    (std::make_index_sequence<std::size_t(Products::size)>{});
  }

  ExecutionSpace exec_;
  std::unique_ptr<ChainMemory<ExecutionSpace>> memory_;
  Algorithms algorithms_;
  std::tuple<typename Traits<Step>::Scratch..., typename Traits<Alternative>::Scratch...>
      scratches_;
  typename detail::TupleOf<Products>::type products_;
  Plan plan_;
  std::vector<StepTime> times_;
  std::vector<const Event*> pointers_;
  bool wait_for_each_ = false;
  std::function<void(const StepArrays&)> observer_;
  Trace* trace_ = nullptr;
  Span span_;
  UnderWay under_way_{exec_};  ///< the last member: it waits before the arrays are freed
};

}  // namespace trackplex::chain
