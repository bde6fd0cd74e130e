// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launch of kernels over items: lanes and threads on hosts, threads on devices.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/tile.hpp>

#include <concepts>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>

/// Specifier of a function that host compilers do not inline. If one function of a kernel has too
/// much code, the compiler stops inlining the functions that it calls, which makes it several times
/// slower.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define TRACKPLEX_OWN_FUNCTION KOKKOS_FUNCTION
#else
#define TRACKPLEX_OWN_FUNCTION __attribute__((noinline))
#endif

namespace trackplex {

namespace detail {
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Tile<Number> tile_at(int tile, int n) {
  constexpr int width = width_of<Number>;
  const int first = tile * width;
  return {first, n - first < width ? n - first : width};
}

/// Body that is called item by item; with a Step, that step of the body.
template <class Body, class Step = void>
struct OneByOne {
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile<int>& tile) const {
    if constexpr (std::is_void_v<Step>)
      body(tile.first);
    else
      body(Step{}, tile.first);
  }
};

/// Runs a body at a tile, on a device.
template <class Number, class Body>
struct TileFunctor {
  Body body;
  int n;

  KOKKOS_FUNCTION void operator()(int tile) const { body(tile_at<Number>(tile, n)); }
};

/// The tiles [begin, end) of a Body on one thread of a host: the only instance of a kernel's
/// body, shared by all host spaces. When nvcc compiles for the device, there is no instance: nvcc
/// would compile every kernel with lanes, drop it, and warn about the host functions in it.
template <class Number, class Body>
TRACKPLEX_OWN_FUNCTION void run_tiles(const void* body, int n, int begin, int end) {
#if !defined(__CUDA_ARCH__)
  for (int tile = begin; tile < end; ++tile)
    (*static_cast<const Body*>(body))(tile_at<Number>(tile, n));
#endif
}

/// Runs a chunk of tiles on a host, for any body.
struct HostTiles {
  void (*run)(const void* body, int n, int begin, int end);
  const void* body;
  int n, tiles;
  int chunks = 1;

  void operator()(int chunk) const { run(body, n, first_of(chunk), first_of(chunk + 1)); }
  int first_of(int chunk) const { return int(std::int64_t(tiles) * chunk / chunks); }
};

/// Policy of a kernel whose functor is passed to a device as an argument. Otherwise Kokkos copies
/// functors of more than 512 bytes to one constant memory, and waits for the last kernel that used
/// it. It copies functors of 4 KiB or more, too large for an argument, to main memory.
template <class Policy>
auto by_argument(const Policy& policy) {
  return Kokkos::Experimental::require(policy,
                                       Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

/// Calls `launch()`, which launches one kernel on a device. The first call for a kernel returns
/// before other threads launch it: Kokkos enters its attributes into a table without a lock.
template <class ExecutionSpace, class Launch>
void first_launch_alone(const Launch& launch) {
  bool launched = false;
  static std::once_flag first;
  std::call_once(first, [&] {
    launch();
    launched = true;
  });
  if (!launched) launch();
}

/// Launches the chunks.
void launch_host_tiles(const HostExecutor& exec, const std::string& label, const HostTiles& tiles);

/// The sum that a step of a Body computes for the items [begin, end), on one thread of a host.
template <class Step, class Body>
TRACKPLEX_OWN_FUNCTION int count_range(const void* body, int begin, int end) {
  int sum = 0;
#if !defined(__CUDA_ARCH__)
  for (int i = begin; i < end; ++i) (*static_cast<const Body*>(body))(Step{}, i, sum);
#endif
  return sum;
}

/// Counts in a chunk of items on a host, for any body.
struct HostCounts {
  int (*count)(const void* body, int begin, int end);
  const void* body;
  int n;
  int chunks = 1;

  void operator()(int chunk, int& sum) const {
    sum += count(body, first_of(chunk), first_of(chunk + 1));
  }
  int first_of(int chunk) const { return int(std::int64_t(n) * chunk / chunks); }
};

/// Launches the chunks; waits for their sum.
int sum_host_counts(const HostExecutor& exec, const std::string& label, const HostCounts& counts);
}  // namespace detail

/// Body of a kernel that can be called with a `Tile<Number>`.
template <class Body, class Number>
concept TileBody = std::invocable<const Body&, Tile<Number>>;

/// Enqueues `body(Tile<Number>)` for the tiles of the items 0 to n - 1 on the instance, and
/// returns.
/// @tparam Number number type of the kernel, whose width is that of the tiles: the widest one if
///         the body uses several. A scalar on a device.
/// @param exec the instance
/// @param label name of the kernel for tools, `Trackplex::Domain::name`
/// @param n number of items; nothing is launched for 0
/// @param body functor with a const `operator()(Tile<Number>)`, which is copied. Calls may happen
/// at
///        the same time and in any order.
/// @throws UsageError if Kokkos is not running
template <class Number, class ExecutionSpace, TileBody<Number> Body>
void for_each_tile(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  static_assert(is_host_space<ExecutionSpace> || width_of<Number> == 1,
                "Lanes are for host spaces: a device sees scalars.");
  constexpr int width = width_of<Number>;
  const int tiles = (n + width - 1) / width;
  if (tiles == 0) return;
  detail::require_kokkos(label);
  if constexpr (is_host_space<ExecutionSpace>) {
    const Body copy = untracked_copy(body);
    detail::launch_host_tiles(exec, label, {&detail::run_tiles<Number, Body>, &copy, n, tiles});
  } else {
    const Kokkos::RangePolicy<ExecutionSpace> policy(exec, 0, tiles);
    detail::first_launch_alone<ExecutionSpace>([&] {
      Kokkos::parallel_for(label, detail::by_argument(policy),
                           detail::TileFunctor<Number, Body>{body, n});
    });
  }
}

/// Enqueues `body(i)` for the items i = 0 to n - 1, one call per item, and returns.
template <class ExecutionSpace, class Body>
requires std::invocable<const Body&, int>
void for_each_item(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  for_each_tile<int>(exec, label, n, detail::OneByOne<Body>{body});
}

/// Enqueues one step of a body with several steps, `body(Step{}, i)` for the items i = 0 to n - 1,
/// and returns. `Step` is a tag type.
template <class Step, class ExecutionSpace, class Body>
requires std::invocable<const Body&, Step, int>
void for_each_item(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  for_each_tile<int>(exec, label, n, detail::OneByOne<Body, Step>{body});
}

/// Returns the sum of the numbers that a step of a body adds for the items i = 0 to n - 1,
/// `body(Step{}, i, sum)`; waits for it. Integers only: their sum does not depend on the order.
template <class Step, class ExecutionSpace, class Body>
requires std::invocable<const Body&, Step, int, int&>
int count_items(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  detail::require_kokkos(label);
  if constexpr (is_host_space<ExecutionSpace>) {
    const Body copy = untracked_copy(body);
    return detail::sum_host_counts(exec, label, {&detail::count_range<Step, Body>, &copy, n});
  } else {
    int sum = 0;
    const Kokkos::RangePolicy<ExecutionSpace, Step> policy(exec, 0, n);
    detail::first_launch_alone<ExecutionSpace>(
        [&] { Kokkos::parallel_reduce(label, detail::by_argument(policy), body, sum); });
    return sum;
  }
}

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/launch.impl.hpp>
#endif
