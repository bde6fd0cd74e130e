// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults that the emulated device has to find, each planted into a small program that runs in a
// process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <emulation/settings.hpp>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/instances.hpp>
#include <trackplex/core/pinned.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;

namespace {

using Space = Kokkos::Cuda;
using DeviceArray = Kokkos::View<int*, Kokkos::CudaSpace>;
using HostArray = Kokkos::View<int*, Kokkos::HostSpace>;
using PinnedArray = Kokkos::View<int*, PinnedSpace<Space>>;

/// What a process says that runs `f`; "ended" where nothing is wrong.
std::string outcome_of(const std::function<void()>& f) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(::pipe(pipe_ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // else the test would be reported twice
    ::dup2(pipe_ends[1], STDERR_FILENO);
    f();
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  std::string text;
  std::array<char, 256> part;
  for (ssize_t n; (n = ::read(pipe_ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), std::size_t(n));
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "ended";
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
  return text;
}

template <class View>
struct Set {
  View x;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = value; }
};
template <class View>
void set(const Space& exec, const View& x, int n, int value) {
  for_each_item(exec, "Trackplex::Test::set", n, Set<View>{x, value});
}

/// How many numbers are odd.
struct Odd {
  KOKKOS_FUNCTION void operator()(Odd, int i, int& sum) const { sum += i % 2; }
};

/// A team kernel: what each of its threads does with an array of n numbers in scratch memory.
template <class Body>
struct WithScratch {
  Body body;
  int n;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver sizes;
    sizes.take<int>(n);
    return sizes.bytes();
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    body(member, scratch.take<int>(n));
  }
};
template <class Body>
void run_teams(const Space& exec, int n, const Body& body) {
  for_each_team(exec, "Trackplex::Test::teams", 3, WithScratch<Body>{body, n});
}
/// The most numbers that fit into shared memory, level 0; more are in main memory, level 1.
constexpr int most_shared =
    (SpaceTraits<Space>::shared_bytes(SpaceTraits<Space>::team_size) / 64 - 1) * 64 /
    int(sizeof(int));

/// How often threads read wrong numbers from their neighbours, with a barrier before that or not.
int count_wrong(bool with_barrier) {
  const Space exec;
  const PinnedArray wrong("Trackplex::Test::wrong", 1);
  run_teams(exec, 128, [=](const auto& member, int* shared) {
    const int rank = member.team_rank();
    shared[rank] = rank;
    if (with_barrier) member.team_barrier();
    if (rank > 0 && shared[rank - 1] != rank - 1) wrong(0) += 1;
  });
  exec.fence();
  return wrong(0);
}

}  // namespace

TEST_CASE("a program without faults ends", "[device]") {
  CHECK(outcome_of([] {
          const Space exec;
          const DeviceArray x("Trackplex::Test::x", 100);
          set(exec, x, 100, 7);
          if (to_host(exec, x)(99) != 7) std::abort();
        }) == "ended");
}

TEST_CASE("the host does not touch memory of the device", "[device]") {
  const auto said = outcome_of([] {
    const DeviceArray x("Trackplex::Test::x", 100);
    x(3) = 1;
  });
  CHECK_THAT(said, ContainsSubstring("host code: touches 'Trackplex::Test::x'"));
  CHECK_THAT(said, ContainsSubstring("at byte 12"));
}

TEST_CASE("kernels do not touch memory of the host", "[device]") {
  const auto said = outcome_of([] {
    const Space exec;
    set(exec, HostArray("Trackplex::Test::host", 100), 100, 7);
    exec.fence();
  });
  CHECK_THAT(said, ContainsSubstring("kernel 'Trackplex::Test::set': touches"));
  CHECK_THAT(said, ContainsSubstring("'Trackplex::Test::host'"));
}

TEST_CASE("nothing has run before the fence", "[device]") {
  const Space exec;
  const DeviceArray x("Trackplex::Test::x", 10);
  const HostArray copy("Trackplex::Test::copy", 10);
  const PinnedArray pinned("Trackplex::Test::pinned", 10);
  set(exec, x, 10, 7);
  set(exec, pinned, 10, 7);
  Kokkos::deep_copy(exec, copy, x);
  CHECK(copy(9) == 0);
  CHECK(pinned(9) == 0);
  exec.fence();
  CHECK(copy(9) == 7);
  CHECK(pinned(9) == 7);
}

TEST_CASE("what Kokkos 5 forbids is an error", "[device]") {
  const Space exec;
  const DeviceArray x("Trackplex::Test::x", 1);
  CHECK_THROWS_WITH(Kokkos::RangePolicy<Space>(exec, 7, 3), ContainsSubstring("from 7 to 3"));
  CHECK_THROWS_WITH(Kokkos::deep_copy(exec, x, x), ContainsSubstring("to itself"));
  CHECK_NOTHROW(Kokkos::RangePolicy<Space>(exec, 7, 7));
}

TEST_CASE("what the host writes before a copy has run is copied", "[device]") {
  const Space exec;
  const PinnedArray staged("Trackplex::Test::staged", 1);
  const DeviceArray first("Trackplex::Test::first", 1), second("Trackplex::Test::second", 1);
  staged(0) = 1;
  Kokkos::deep_copy(exec, first, staged);
  staged(0) = 2;  // a fence is missing
  Kokkos::deep_copy(exec, second, staged);
  CHECK(to_host(exec, first)(0) == 2);
}

TEST_CASE("no kernel is launched while another thread launches it for the first time", "[device]") {
  const auto launch_at_once = [](const auto& launch) {
    return outcome_of([&] {
      const Space exec;
      const DeviceArray x("Trackplex::Test::x", 100);
      std::latch start(2);
      const auto work = [&] {
        start.arrive_and_wait();
        launch(exec, x);
      };
      std::thread other(work);
      work();
      other.join();
      exec.fence();
    });
  };
  CHECK_THAT(launch_at_once([](const Space& exec, const DeviceArray& x) {
               Kokkos::parallel_for("Trackplex::Test::unguarded",
                                    Kokkos::RangePolicy<Space>(exec, 0, 100),
                                    Set<DeviceArray>{x, 7});
             }),
             ContainsSubstring("'Trackplex::Test::unguarded' while another thread launches it"));
  CHECK(launch_at_once([](const Space& exec, const DeviceArray& x) {
          set(exec, x, 100, 7);
          run_teams(exec, 1, [](const auto&, int*) {});
          exclusive_scan(exec, x, x, 99);
          count_items<Odd>(exec, "Trackplex::Test::count_odd", 100, Odd{});
        }) == "ended");
}

TEST_CASE("instances do not wait for each other", "[device]") {
  const auto instances = concurrent_instances(Space(), 2).instances;
  const PinnedArray x("Trackplex::Test::x", 10);
  set(instances[0], x, 10, 7);
  instances[1].fence();
  Space().fence();
  CHECK(x(9) == 0);
  instances[0].fence();
  CHECK(x(9) == 7);
}

TEST_CASE("a missing barrier changes results", "[device]") {
  using emulation::Order;
  int orders_without = 0;
  for (const auto order : {Order::ascending, Order::descending, Order::interleaved}) {
    emulation::settings().order = order;
    CHECK(count_wrong(true) == 0);
    orders_without += count_wrong(false) > 0;
  }
  emulation::settings().order = Order::ascending;
  CHECK(orders_without == 2);  // all but ascending
}

TEST_CASE("an array in scratch memory ends where it ends", "[device]") {
  const int past = GENERATE(0, 1);
  for (const int level : {0, 1}) {
    const int n = level == 0 ? most_shared : most_shared + 16;
    const auto said = outcome_of([&] {
      const Space exec;
      run_teams(exec, n, [n, past](const auto& member, int* numbers) {
        if (member.team_rank() == 0 && member.league_rank() == 1) numbers[n - 1 + past] = 1;
      });
      exec.fence();
    });
    if (past == 0) {
      CHECK(said == "ended");
    } else {
      CHECK_THAT(said, ContainsSubstring("kernel 'Trackplex::Test::teams', team 1, thread 0"));
      CHECK_THAT(said, ContainsSubstring("past the end of 'scratch memory of level " +
                                         std::to_string(level) + "'"));
    }
  }
}

TEST_CASE("there is as much scratch memory as CUDA has", "[device]") {
  const auto ask_for = [](int level, int threads, int bytes) {
    Kokkos::TeamPolicy<Space>(Space(), 1, threads).set_scratch_size(level, Kokkos::PerTeam(bytes));
  };
  for (const int threads : {1, 128, 1024}) {
    ask_for(0, threads, SpaceTraits<Space>::shared_bytes(threads));
    CHECK_THROWS_AS(ask_for(0, threads, (48 << 10) - 8 * threads), std::runtime_error);
  }
  CHECK_THROWS_AS(ask_for(1, 128, (20 << 20) + 1), std::runtime_error);
}

TEST_CASE("an array of the device ends where it ends", "[device]") {
  const auto said = outcome_of([] {
    const Space exec;
    set(exec, DeviceArray("Trackplex::Test::x", 96), 97, 7);
    exec.fence();
  });
  CHECK_THAT(said, ContainsSubstring("past the end of 'Trackplex::Test::x'"));
}

TEST_CASE("freed memory is not used", "[device]") {
  DeviceArray x("Trackplex::Test::x", 100);
  SECTION("a kernel that was launched before may, as Kokkos waits for it") {
    CHECK(outcome_of([&] {
            const Space exec;
            set(exec, x, 100, 7);
            x = {};
            exec.fence();
          }) == "ended");
  }
  SECTION("a later one may not") {
    const auto said = outcome_of([&] {
      const Space exec;
      const Kokkos::View<int*, Kokkos::CudaSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> same(
          x.data(), 100);
      x = {};
      set(exec, same, 100, 7);
      exec.fence();
    });
    CHECK_THAT(said, ContainsSubstring("touches freed memory of 'Trackplex::Test::x'"));
  }
  SECTION("a copy has not lost its source on the host") {
    const auto said = outcome_of(
        [&] { Kokkos::deep_copy(Space(), x, HostArray("Trackplex::Test::source", 100)); });
    CHECK_THAT(said, ContainsSubstring("frees 'Trackplex::Test::source', which the enqueued"));
  }
}

TEST_CASE("all threads of a team reach a barrier", "[device]") {
  const auto outcome = [](const auto& body) {
    return outcome_of([&] {
      const Space exec;
      run_teams(exec, 1, body);
      exec.fence();
    });
  };
  CHECK_THAT(outcome([](const auto& member, int*) {
               if (member.team_rank() >= 64) member.team_barrier();
             }),
             ContainsSubstring("64 of 128 threads of a team have reached a barrier, thread 64"));
  CHECK_THAT(outcome([](const auto& member, int*) {
               if (member.team_rank() == 5)
                 member.team_scan(1);
               else
                 member.team_barrier();
             }),
             ContainsSubstring("threads 0 and 5 of a team of 128 wait for each other"));
}

TEST_CASE("kernels neither launch nor wait", "[device]") {
  const auto said = outcome_of([] {
    const Space exec;
    const PinnedArray x("Trackplex::Test::x", 1);
    Kokkos::parallel_for(
        "Trackplex::Test::outer", Kokkos::RangePolicy<Space>(exec, 0, 1),
        KOKKOS_LAMBDA(int) { set(exec, x, 1, 7); });
    exec.fence();
  });
  CHECK_THAT(said, ContainsSubstring("launches 'Trackplex::Test::set' inside of a kernel"));
}
