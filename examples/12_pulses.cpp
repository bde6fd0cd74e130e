// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

namespace chain = trackplex::chain;
namespace pipeline = trackplex::pipeline;
using Space = Kokkos::DefaultExecutionSpace;
using Event = std::vector<float>;  // pulse heights

// The products: pulses in arrays, and counts of high pulses.
template <class Memory>
struct Pulses {
  Kokkos::View<float*, Memory> heights;
  Kokkos::View<int*, Memory> offsets;  // begin of each event, and end of the last one
  int n_events = 0, n_pulses = 0;
};
template <class Memory>
struct Counts {
  Kokkos::View<int*, Memory> high;  // per event
  int n_events = 0;
};
using HostPulses = Pulses<Kokkos::HostSpace>;
using HostCounts = Counts<Kokkos::HostSpace>;
// Products for kernels; they are separate types even if kernels run on the host.
struct DevicePulses : Pulses<Space::memory_space> {};
struct DeviceCounts : Counts<Space::memory_space> {};

template <class F>
void for_each_array(const HostPulses& from, DevicePulses& to, const F& copy) {
  to.n_events = from.n_events;
  to.n_pulses = from.n_pulses;
  copy(from.heights, to.heights, "heights", from.n_pulses);
  copy(from.offsets, to.offsets, "offsets", from.n_events + 1);
}
template <class F>
void for_each_array(const DeviceCounts& from, HostCounts& to, const F& copy) {
  to.n_events = from.n_events;
  copy(from.high, to.high, "high", from.n_events);
}

// The algorithms.
struct StagePulses {
  static constexpr const char* name = "stage_pulses";

  template <class Memory>
  void allocate(const Memory& memory, const chain::Events<Event>& events,
                HostPulses& pulses) const {
    pulses.n_events = int(events.pointers.size());
    pulses.n_pulses = 0;
    for (const auto* event : events.pointers) pulses.n_pulses += int(event->size());
    allocate_array(memory.of(pulses), pulses.heights, "heights", pulses.n_pulses);
    allocate_array(memory.of(pulses), pulses.offsets, "offsets", pulses.n_events + 1);
  }
  void operator()(const chain::Events<Event>& events,
                  HostPulses& pulses) const {  // no instance: a host step
    int n = 0;
    for (int e = 0; e < pulses.n_events; ++e) {
      pulses.offsets(e) = n;
      for (const float height : *events.pointers[e]) pulses.heights(n++) = height;
    }
    pulses.offsets(pulses.n_events) = n;
  }
};

struct CopyPulses : chain::CopyArrays<Space, HostPulses, DevicePulses> {
  static constexpr const char* name = "copy_pulses";
};

struct CountHigh {
  static constexpr const char* name = "count_high";
  float threshold = 0.f;

  template <class Memory>
  void allocate(const Memory& memory, const DevicePulses& pulses, DeviceCounts& counts) const {
    counts.n_events = pulses.n_events;
    allocate_array(memory.of(counts), counts.high, "high", pulses.n_events);
  }
  void operator()(const Space& exec, const DevicePulses& pulses, DeviceCounts& counts) const {
    const auto kernel = KOKKOS_CLASS_LAMBDA(int event) {
      int high = 0;
      for (int i = pulses.offsets(event); i < pulses.offsets(event + 1); ++i)
        high += pulses.heights(i) > threshold;
      counts.high(event) = high;
    };
    Kokkos::parallel_for(name, Kokkos::RangePolicy<Space>(exec, 0, pulses.n_events), kernel);
  }
};

struct CopyCounts : chain::CopyArrays<Space, DeviceCounts, HostCounts> {
  static constexpr const char* name = "copy_counts";
};

struct CollectCounts {
  static constexpr const char* name = "collect_counts";
  void operator()(const HostCounts& counts, chain::Results<int>& results) const {
    results.values.assign(counts.high.data(), counts.high.data() + counts.n_events);
  }
};

// A chain for batches of events, called directly or in a slot of the pipeline.
auto high_pulses(const Space& instance, float threshold, const chain::ArenaSize& arena = {}) {
  return chain::Chain<Space, chain::Inputs<chain::Events<Event>>,
                      chain::Steps<StagePulses, CopyPulses, CountHigh, CopyCounts, CollectCounts>>(
      instance, arena, {}, {}, {threshold}, {}, {});
}

int main() {
  const trackplex::KokkosScope kokkos;
  int to_read = 1000;
  long high = 0;
  const auto statistics = pipeline::run_pipeline<std::shared_ptr<const Event>, int>(
      Space(), {.slots = 2, .events_per_batch = 10},
      [](const Space& instance, int) {
        return high_pulses(instance, 3.f, {1 << 20, 1 << 20});
      },
      [=](std::stop_token) mutable -> std::optional<std::shared_ptr<const Event>> {
        if (to_read-- == 0) return std::nullopt;
        return std::make_shared<const Event>(Event{1.f, 2.f, 4.f, 8.f});
      },
      [&](std::size_t, int count) { high += count; },
      [](const pipeline::Failure& failure) { std::printf("%s\n", failure.message.c_str()); });
  std::printf("%zu events, %ld high pulses\n", statistics.events_written, high);
}
