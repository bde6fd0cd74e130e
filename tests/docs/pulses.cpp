// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

namespace pipeline = trackplex::pipeline;
using Space = Kokkos::DefaultExecutionSpace;
using Event = std::vector<float>;  // heights of pulses

// The products: the events as they come, their pulses in arrays, and how many of them are high.
struct Batch {
  std::span<const Event> events;
};
template <class Memory>
struct Pulses {
  Kokkos::View<float*, Memory> heights;
  Kokkos::View<int*, Memory> offsets;  // where each event begins, and where the last one ends
  int n_events = 0, n_pulses = 0;
};
template <class Memory>
struct Counts {
  Kokkos::View<int*, Memory> high;  // of each event
  int n_events = 0;
};
using HostPulses = Pulses<Kokkos::HostSpace>;
using HostCounts = Counts<Kokkos::HostSpace>;
// Kernels see these; they are types of their own also where kernels run on the host.
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
  void make_room(const Memory& memory, const Batch& batch, HostPulses& pulses) const {
    pulses.n_events = int(batch.events.size());
    for (const auto& event : batch.events) pulses.n_pulses += int(event.size());
    reserve(memory.of(pulses), pulses.heights, "heights", pulses.n_pulses);
    reserve(memory.of(pulses), pulses.offsets, "offsets", pulses.n_events + 1);
  }
  void operator()(const Batch& batch, HostPulses& pulses) const {  // no instance: on the host
    int n = 0;
    for (int e = 0; e < pulses.n_events; ++e) {
      pulses.offsets(e) = n;
      for (const float height : batch.events[e]) pulses.heights(n++) = height;
    }
    pulses.offsets(pulses.n_events) = n;
  }
};

struct CopyPulses : pipeline::CopyArrays<Space, HostPulses, DevicePulses> {
  static constexpr const char* name = "copy_pulses";
};

struct CountHigh {
  static constexpr const char* name = "count_high";
  float threshold = 0.f;

  template <class Memory>
  void make_room(const Memory& memory, const DevicePulses& pulses, DeviceCounts& counts) const {
    counts.n_events = pulses.n_events;
    reserve(memory.of(counts), counts.high, "high", pulses.n_events);
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

struct CopyCounts : pipeline::CopyArrays<Space, DeviceCounts, HostCounts> {
  static constexpr const char* name = "copy_counts";
};

// What a slot of the pipeline does with a batch.
struct HighPulses {
  pipeline::Sequence<Space, pipeline::Given<Batch>,
                     pipeline::Steps<StagePulses, CopyPulses, CountHigh, CopyCounts>>
      sequence;

  HighPulses(const Space& instance, float threshold)
      : sequence(instance, 1 << 20, 1 << 20, {}, {}, {threshold}, {}) {}

  void stage(std::span<const Event> events) {
    sequence.product<Batch>().events = events;
    sequence.stage();
  }
  void run() { sequence.run(); }
  void collect(std::vector<int>& results) {
    sequence.collect();
    const auto& counts = sequence.product<HostCounts>();
    results.insert(results.end(), counts.high.data(), counts.high.data() + counts.n_events);
  }
};

int main() {
  const trackplex::KokkosScope kokkos;
  int to_read = 1000;
  long high = 0;
  const auto statistics = pipeline::run_pipeline<Event, int>(
      Space(), {.slots = 2, .events_per_batch = 10},
      [](const Space& instance, int) { return HighPulses(instance, 3.f); },
      [=](std::stop_token) mutable -> std::optional<Event> {
        if (to_read-- == 0) return std::nullopt;
        return Event{1.f, 2.f, 4.f, 8.f};
      },
      [&](std::size_t, int count) { high += count; },
      [](const pipeline::Failure& failure) { std::printf("%s\n", failure.message.c_str()); });
  std::printf("%zu events, %ld high pulses\n", statistics.events_written, high);
}
