// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/sequence_check.hpp>
#include <trackplex/pipeline/sequence_plan.hpp>
#include <trackplex/pipeline/slot_memory.hpp>
#include <trackplex/pipeline/statistics.hpp>
#include <trackplex/pipeline/step_memory.hpp>
#include <trackplex/pipeline/trace.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace trackplex::pipeline {

/// Products that are there before the first step.
template <class... Products>
struct Given {};
/// The algorithms of a sequence, in the order in which they run unless another one is selected.
template <class... Algorithms>
struct Steps {};
/// Algorithms that are compiled as well, to be selected at run time.
template <class... Algorithms>
struct Alternatives {};

/// Algorithms that run one after the other on one instance, in memory that is allocated once.
///
/// An algorithm is a struct:
///
///     struct FindTracks {
///       static constexpr const char* name = "find_tracks";
///       template <class Memory>
///       void make_room(const Memory& memory, const Hits& hits, Tracks& tracks) const;
///       void operator()(const ExecutionSpace& exec, const Hits& hits, Tracks& tracks) const;
///     };
///
/// What operator() takes by const reference it reads, what it takes by reference it makes: these
/// are its products. A product is a default-constructible type, made by one step. make_room(),
/// which an algorithm may leave out, makes room for it: `memory.of(tracks)` is where the arrays of
/// a product come from. A last parameter of a type `Scratch` that the algorithm has is what only
/// this step needs; its arrays come from `memory.scratch()`. Without an instance as its first
/// parameter an algorithm is a host step: all steps before it have finished when it begins.
/// `shares_inputs = true` says that what it makes may be (part of) the arrays of what it reads.
///
/// The memory of a product is released as soon as its last reader is enqueued. Products that no
/// step reads are results: they stay until the next batch.
template <class ExecutionSpace, class GivenProducts, class DefaultSteps,
          class OtherSteps = Alternatives<>>
class Sequence;

template <class ExecutionSpace, class... GivenProduct, class... Step, class... Alternative>
class Sequence<ExecutionSpace, Given<GivenProduct...>, Steps<Step...>,
               Alternatives<Alternative...>> {
  using GivenList = detail::TypeList<GivenProduct...>;
  static_assert(detail::check_sequence<ExecutionSpace, GivenList, Step...>(),
                "The sequence is not complete.");
  using Products = detail::ProductsOf<ExecutionSpace, GivenList, Step..., Alternative...>;
  using Algorithms = std::tuple<Step..., Alternative...>;
  template <class Algorithm>
  using Traits = detail::AlgorithmTraits<ExecutionSpace, Algorithm>;

 public:
  /// `pinned_bytes` is used on devices only. Waits for the allocation.
  Sequence(const ExecutionSpace& exec, std::size_t device_bytes, std::size_t pinned_bytes,
           Step... steps, Alternative... alternatives)
      : exec_(exec),
        memory_(std::make_unique<SlotMemory<ExecutionSpace>>(exec, device_bytes, pinned_bytes)),
        algorithms_(std::move(steps)..., std::move(alternatives)...) {
    std::vector<int> order(sizeof...(Step));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    plan_ = plan_sequence(descriptions(), products(), order);
    for (auto& step : descriptions()) times_.push_back({std::move(step.name), 0., 0});
    exec_.fence();
  }

  /// All compiled algorithms, those of the default order first.
  static std::vector<StepDescription> descriptions() {
    return {describe<Step>()..., describe<Alternative>()...};
  }
  static std::vector<std::string> default_steps() { return {Step::name...}; }
  /// What they read and make, those first that are given.
  static std::vector<ProductDescription> products() {
    const auto describe_all = []<class... P>(detail::TypeList<P...>) {
      return std::vector<ProductDescription>{{.name = detail::product_name<P>(),
                                              .given = GivenList::template contains<P>,
                                              .read_by_host = detail::is_read_by_host<P>}...};
    };
    return describe_all(Products{});
  }

  /// Runs these steps from the next batch on.
  /// @throws UsageError where one is not compiled, comes twice, or reads what none before it makes
  void select(const std::vector<std::string>& names) {
    const auto steps = descriptions();
    std::vector<int> order;
    for (const auto& name : names) order.push_back(detail::step_named(name, steps));
    plan_ = plan_sequence(steps, products(), order);
  }
  std::vector<std::string> selected() const {
    std::vector<std::string> names;
    for (const auto& planned : plan_.steps) names.push_back(times_[std::size_t(planned.step)].name);
    return names;
  }
  const SequencePlan& plan() const { return plan_; }

  /// A product: one that is given, to be set before stage(); or a result, after collect().
  template <class Product>
  Product& product() {
    static_assert(Products::template contains<Product>, "No step reads or makes this product.");
    return std::get<Products::template index_of<Product>>(products_);
  }

  /// Runs the host steps before the first device step: on the thread of the slot.
  void stage() {
    clear();
    run_steps(0, plan_.first_device);
  }
  /// Runs the device steps (and host steps between), and waits for the instance.
  void run() {
    dirty_ = true;
    run_steps(plan_.first_device, plan_.end_device);
    exec_.fence();
    dirty_ = false;
  }
  /// Runs the host steps after the last device step.
  void collect() { run_steps(plan_.end_device, plan_.steps.size()); }

  /// Releases what is left of the batch, given products apart.
  void clear() {
    if (std::exchange(dirty_, false)) exec_.fence();  // a step failed while others were under way
    memory_->release_all();
    for (int p = int(sizeof...(GivenProduct)); p < Products::size; ++p) reset(p);
  }

  /// Waits for the instance after each step, so that times on a device are those of its kernels and
  /// not only of the host's part in launching them.
  void time_each_step(bool wait) { wait_for_each_ = wait; }
  /// Records the steps as spans of a lane; null: not.
  void trace(Trace* trace, int lane, std::int64_t batch = -1, int events = 0) {
    trace_ = trace;
    span_ = {.lane = lane, .name = {}, .batch = batch, .events = events};
  }
  const SlotMemory<ExecutionSpace>& memory() const { return *memory_; }

  /// Times of the selected steps, and memory.
  SlotReport report() const {
    const auto use = [](const Arena& arena) {
      return MemoryUse{arena.high_water(), arena.capacity()};
    };
    SlotReport report{{}, use(memory_->device()), use(memory_->pinned())};
    for (const auto& planned : plan_.steps)
      report.steps.push_back(times_[std::size_t(planned.step)]);
    return report;
  }

 private:
  template <class Algorithm>
  static StepDescription describe() {
    StepDescription step{.name = Algorithm::name,
                         .reads = {},
                         .makes = {},
                         .on_host = Traits<Algorithm>::on_host,
                         .shares_inputs = Traits<Algorithm>::shares_inputs};
    const auto add = []<class... P>(std::vector<int>& to, detail::TypeList<P...>) {
      (to.push_back(Products::template index_of<P>), ...);
    };
    add(step.reads, typename Traits<Algorithm>::Reads{});
    add(step.makes, typename Traits<Algorithm>::Makes{});
    return step;
  }

  void run_steps(std::size_t first, std::size_t end) {
    for (std::size_t place = first; place < end; ++place) {
      const auto& planned = plan_.steps[place];
      const auto begin = std::chrono::steady_clock::now();
      if (trace_ != nullptr) span_.begin_us = trace_->now_us();
      if (planned.waits) exec_.fence();
      run_step(planned.step, std::make_index_sequence<std::tuple_size_v<Algorithms>>{});
      for (const int product : planned.releases) {
        memory_->release(1 + product);
        reset(product);
      }
      note_time(planned.step, begin);
    }
  }

  template <std::size_t... I>
  void run_step(int step, std::index_sequence<I...>) {
    (void)((int(I) == step && (run_algorithm(std::get<I>(algorithms_)), true)) || ...);
  }

  template <class Algorithm>
  void run_algorithm(const Algorithm& algorithm) {
    memory_->set_algorithm(Algorithm::name);
    typename Traits<Algorithm>::Scratch scratch{};
    make_room(algorithm, scratch, typename Traits<Algorithm>::All{});
    call(algorithm, scratch, typename Traits<Algorithm>::All{});
    memory_->release(StepMemory<ExecutionSpace, Products>::scratch_group);
  }

  template <class Algorithm, class Scratch, class... P>
  void make_room(const Algorithm& algorithm, Scratch& scratch, detail::TypeList<P...>) {
    using Memory = StepMemory<ExecutionSpace, Products>;
    static_assert(
        detail::makes_room<Algorithm, Memory, P...> || !detail::has_make_room<Algorithm, Memory>,
        "make_room() of an algorithm takes the memory and then the products of its "
        "operator(), in the same order.");
    if constexpr (detail::makes_room<Algorithm, Memory, P...>)
      algorithm.make_room(Memory{memory_.get()}, argument<P>(scratch)...);
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

  void reset(int product) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((int(I) == product && (void(std::get<I>(products_) = {}), true)) || ...);
    }
    (std::make_index_sequence<std::size_t(Products::size)>{});
  }

  ExecutionSpace exec_;
  std::unique_ptr<SlotMemory<ExecutionSpace>> memory_;
  Algorithms algorithms_;
  typename detail::TupleOf<Products>::type products_;
  SequencePlan plan_;
  std::vector<StepTime> times_;
  bool dirty_ = false;  ///< work may be under way
  bool wait_for_each_ = false;
  Trace* trace_ = nullptr;
  Span span_;
};

}  // namespace trackplex::pipeline
