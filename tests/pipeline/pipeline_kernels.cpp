// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors that launch kernels: on each backend, for a long time, with faults.

#include <unistd.h>
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/pipeline/pipeline.hpp>

#include "../launchers/check_launchers.hpp"
#include "scenario.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::pipeline;
using namespace trackplex::test;

namespace {

constexpr int numbers_per_event = 64;

/// Numbers, which a pipeline adds up.
struct Event {
  std::size_t index;
  std::vector<int> numbers;
};

Event make_event(std::size_t index) {
  Event event{index, std::vector<int>(numbers_per_event)};
  std::iota(event.numbers.begin(), event.numbers.end(), int(index % 1000));
  return event;
}

long expected_result(std::size_t index) {
  return 2L *
         (numbers_per_event * long(index % 1000) + numbers_per_event * (numbers_per_event - 1) / 2);
}

template <class Space>
struct Double {
  Kokkos::View<int*, typename Space::memory_space> x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) *= 2; }
};

template <class Space>
struct SumOfEvent {
  Kokkos::View<int*, typename Space::memory_space> x;
  Kokkos::View<long*, typename Space::memory_space> sums;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver sizes;
    sizes.take<long>(numbers_per_event);
    return sizes.bytes();
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    long* const copy = scratch.take<long>(numbers_per_event);
    const int event = member.league_rank();
    for (int i = member.team_rank(); i < numbers_per_event; i += member.team_size())
      copy[i] = x(event * numbers_per_event + i);
    member.team_barrier();
    if (member.team_rank() != 0) return;
    long sum = 0;
    for (int i = 0; i < numbers_per_event; ++i) sum += copy[i];
    sums(event) = sum;
  }
};

/// Adds up the numbers of events by two kernels. Has all its memory from the start.
template <class Space>
class AddUp {
 public:
  AddUp(const Space& exec, int most_events, Fault fault)
      : exec_(exec),
        fault_(std::move(fault)),
        x_("Trackplex::Test::x", std::size_t(most_events * numbers_per_event)),
        sums_("Trackplex::Test::sums", std::size_t(most_events)),
        host_x_(Kokkos::create_mirror_view(x_)),
        host_sums_(Kokkos::create_mirror_view(sums_)) {}

  void stage(std::span<const Event> events) {
    events_ = events;
    int* to = host_x_.data();
    for (const Event& event : events) {
      fault_("stage", event.index);
      to = std::copy(event.numbers.begin(), event.numbers.end(), to);
    }
  }
  void run() {
    const int n = int(events_.size());
    deep_copy(exec_, x_, host_x_);
    for_each_item(exec_, "Trackplex::Test::double", n * numbers_per_event, Double<Space>{x_});
    for (const Event& event : events_) fault_("run", event.index);  // with a kernel under way
    for_each_team(exec_, "Trackplex::Test::sum_of_event", n, SumOfEvent<Space>{x_, sums_});
    deep_copy(exec_, host_sums_, sums_);
    exec_.fence();
  }
  void collect(std::vector<long>& results) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      fault_("collect", events_[i].index);
      results.push_back(host_sums_(i));
    }
  }

 private:
  Space exec_;
  Fault fault_;
  std::span<const Event> events_;
  Kokkos::View<int*, typename Space::memory_space> x_;
  Kokkos::View<long*, typename Space::memory_space> sums_;
  typename decltype(x_)::HostMirror host_x_;
  typename decltype(sums_)::HostMirror host_sums_;
};

struct Sums {
  std::size_t wrong = 0;
  std::map<std::size_t, std::string> failed;
  Statistics statistics;
};

template <class Space>
Sums add_up(
    std::size_t events, const PipelineOptions& options,
    const Fault& fault = [](const std::string&, std::size_t) {},
    const std::function<void(std::size_t)>& at_event = [](std::size_t) {}) {
  Sums sums;
  std::size_t next = 0, next_out = 0;
  sums.statistics = run_pipeline<Event, long>(
      Space(), options,
      [&](const Space& exec, int) { return AddUp<Space>(exec, options.events_per_batch, fault); },
      [&](std::stop_token) -> std::optional<Event> {
        if (next == events) return std::nullopt;
        return make_event(next++);
      },
      [&](std::size_t event, long&& sum) {
        sums.wrong += sum != expected_result(event) || event != next_out++;
        at_event(event);
      },
      [&](const Failure& failure) {
        sums.failed[failure.event] = failure.stage;
        ++next_out;
      });
  return sums;
}

/// Bytes of this process in memory.
std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Kernels give the same for any slots and batches", "[pipeline]",
                        test::EnabledSpaces) {
  for (const int slots : {1, 2, 3, 6}) {
    for (const int events_per_batch : {1, 10, 64, 1000}) {
      CAPTURE(slots, events_per_batch);
      const auto sums = add_up<TestType>(500, options_with(slots, events_per_batch));
      CHECK(sums.wrong == 0);
      CHECK(sums.failed.empty());
      CHECK(sums.statistics.events_written == 500);
      CHECK(sums.statistics.one_launcher == !concurrent_instances(TestType(), slots).any_thread);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("Kernels of events that fail leave the others alone", "[pipeline]",
                        test::EnabledSpaces) {
  const std::map<std::size_t, std::string> bad = {{0, "run"},      {17, "stage"}, {18, "run"},
                                                  {99, "collect"}, {100, "run"},  {299, "stage"}};
  const Fault fault = [&](const std::string& stage, std::size_t event) {
    const auto found = bad.find(event);
    if (found != bad.end() && found->second == stage) throw std::runtime_error("bad");
  };
  for (const int slots : {1, 2, 4}) {
    CAPTURE(slots);
    const auto sums = add_up<TestType>(300, options_with(slots, 50), fault);
    CHECK(sums.wrong == 0);
    CHECK(sums.failed == bad);
    CHECK(sums.statistics.events_written == 300 - bad.size());
  }
}

TEMPLATE_LIST_TEST_CASE("Kernels are launched where this Kokkos lets them", "[pipeline]",
                        test::EnabledSpaces) {
  const auto here = std::this_thread::get_id();
  std::atomic<std::size_t> elsewhere{0};
  const Fault fault = [&](const std::string& stage, std::size_t) {
    if (stage == "run") elsewhere += std::this_thread::get_id() != here;
  };
  const auto sums = add_up<TestType>(200, options_with(2, 10), fault);
  CHECK(sums.wrong == 0);
  CHECK(elsewhere == (sums.statistics.one_launcher ? 0 : 200));
  if (sums.statistics.one_launcher) CHECK(sums.statistics.launcher.busy > 0.);
}

/// The address sanitizer does, for a while.
#if defined(__has_feature)
#define TRACKPLEX_HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define TRACKPLEX_HAS_ADDRESS_SANITIZER 1
#else
#define TRACKPLEX_HAS_ADDRESS_SANITIZER 0
#endif
constexpr bool keeps_freed_memory = TRACKPLEX_HAS_ADDRESS_SANITIZER;

TEMPLATE_LIST_TEST_CASE("A hundred thousand events in constant memory", "[pipeline][soak]",
                        test::EnabledSpaces) {
  const auto options = options_with(3, 100);
  const auto allocations = [&](std::size_t events) {
    std::size_t early = 0, late = 0;
    const auto recorded = record([&] {
      const auto sums = add_up<TestType>(
          events, options, [](const std::string&, std::size_t) {},
          [&](std::size_t event) {
            if (event == events / 5) early = resident_bytes();
            if (event + 1 == events) late = resident_bytes();
          });
      CHECK(sums.wrong == 0);
      CHECK(sums.statistics.events_written == events);
      CHECK(sums.statistics.max_batches_in_flight <= 7);
    });
    CHECK(recorded.global_fences.empty());
    if (!keeps_freed_memory) CHECK(late <= early + (8 << 20));  // 80 000 events have 20 MB
    return std::count_if(recorded.allocations.begin(), recorded.allocations.end(),
                         [](const std::string& label) { return !is_kokkos_own(label); });
  };
  const auto of_few = allocations(700);
  CHECK(of_few > 0);
  CHECK(allocations(100'000) == of_few);  // those of the processors
}
