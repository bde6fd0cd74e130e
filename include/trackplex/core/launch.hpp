// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launch of kernels over items: lanes and threads on hosts, threads on devices.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/tile.hpp>

#include <concepts>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>

/// Specifier of a function that host compilers do not inline. In a kernel with too much code in one
/// function the compiler stops inlining the functions that it calls, at several times the cost.
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

/// The tiles [begin, end) of a Body on one thread of a host: the one instance of a kernel's body
/// that all host spaces share. When nvcc compiles for the device, there is none: it would compile
/// every kernel with lanes, to drop it, and warn of the host's functions in it.
template <class Number, class Body>
TRACKPLEX_OWN_FUNCTION void run_tiles(const void* body, int n, int begin, int end) {
#if !defined(__CUDA_ARCH__)
  for (int tile = begin; tile < end; ++tile)
    (*static_cast<const Body*>(body))(tile_at<Number>(tile, n));
#endif
}

/// Runs a chunk of tiles on a host, whatever their body.
struct HostTiles {
  void (*run)(const void* body, int n, int begin, int end);
  const void* body;
  int n, tiles, chunks;

  void operator()(int chunk) const { run(body, n, first_of(chunk), first_of(chunk + 1)); }
  int first_of(int chunk) const { return int(std::int64_t(tiles) * chunk / chunks); }
};

/// Whether the calling thread may not launch kernels that use scratch memory: before Kokkos 3.7
/// only the thread that started Kokkos may with OpenMP, outside of parallel regions.
template <class ExecutionSpace>
bool has_no_scratch() {
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::OpenMP>)
    return ExecutionSpace::in_parallel();
#endif
  return false;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_thread(const std::string& label) {
  throw UsageError(label, "the kernel cannot be launched here",
                   "with Kokkos before 3.7 OpenMP launches teams, scans and reductions only from "
                   "the thread that started Kokkos, outside of parallel regions",
                   "launch it there, use Serial, or a newer Kokkos");
}

/// Held while a kernel runs that uses the scratch memory of its space: teams, scans and reductions.
/// Kokkos before 4.5 has one such memory for all of Serial, so that threads that launch there at
/// the same time wait for one another; otherwise Kokkos itself takes care of that.
/// @throws UsageError if Kokkos is not running, or this thread may not launch such kernels
template <class ExecutionSpace>
std::unique_lock<std::mutex> lock_scratch(const std::string& label) {
  require_kokkos(label);
  if (has_no_scratch<ExecutionSpace>()) [[unlikely]]
    refuse_thread(label);
  if constexpr (is_serial<ExecutionSpace> && !has_independent_instances<ExecutionSpace>) {
    static std::mutex mutex;
    return std::unique_lock(mutex);
  }
  return {};
}

/// The policy of a kernel, whose functor a device gets as an argument. Else Kokkos copies functors
/// of more than 512 bytes to one constant memory, and waits for the last kernel that used it. Those
/// of 4 KiB or more, which no argument may have, it copies to main memory.
template <class Policy>
auto by_argument(const Policy& policy) {
  if constexpr (is_host_space<typename Policy::execution_space>) {
    return policy;
  } else {
    return Kokkos::Experimental::require(policy,
                                         Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  }
}

/// Calls `launch()`, which launches one kernel. On a device the first call for a kernel returns
/// before other threads launch it: Kokkos enters its attributes into a table without a lock.
template <class ExecutionSpace, class Launch>
void first_launch_alone(const Launch& launch) {
  bool launched = false;
  if constexpr (!is_host_space<ExecutionSpace>) {
    static std::once_flag first;
    std::call_once(first, [&] {
      launch();
      launched = true;
    });
  }
  if (!launched) launch();
}

/// Launches the chunks: the same function for all bodies.
template <class ExecutionSpace>
void launch_host_tiles(const ExecutionSpace& exec, const std::string& label,
                       const HostTiles& tiles) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(exec, 0, tiles.chunks), tiles);
}
}  // namespace detail

/// Body of a kernel that can be called with a `Tile<Number>`.
template <class Body, class Number>
concept TileBody = std::invocable<const Body&, Tile<Number>>;

/// Enqueues `body(Tile<Number>)` for the tiles of the items 0 to n - 1 on the instance, and
/// returns.
/// @tparam Number number type of the kernel, whose width is that of the tiles: the widest one where
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
    const int threads = concurrency_of(exec);
    const int chunks = tiles < threads ? tiles : threads;
    const Body copy = untracked_copy(body);
    detail::launch_host_tiles(exec, label,
                              {&detail::run_tiles<Number, Body>, &copy, n, tiles, chunks});
  } else {
    const Kokkos::RangePolicy<ExecutionSpace> policy(exec, 0, tiles);
    detail::first_launch_alone<ExecutionSpace>([&] {
      Kokkos::parallel_for(label, detail::by_argument(policy),
                           detail::TileFunctor<Number, Body>{body, n});
    });
  }
}

/// Enqueues `body(i)` for the items i = 0 to n - 1, one call for each, and returns.
template <class ExecutionSpace, class Body>
requires std::invocable<const Body&, int>
void for_each_item(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  for_each_tile<int>(exec, label, n, detail::OneByOne<Body>{body});
}

/// Enqueues one step of a body that has several, `body(Step{}, i)` for the items i = 0 to n - 1,
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
  int sum = 0;
  const auto lock = detail::lock_scratch<ExecutionSpace>(label);
  const Kokkos::RangePolicy<ExecutionSpace, Step> policy(exec, 0, n);
  detail::first_launch_alone<ExecutionSpace>(
      [&] { Kokkos::parallel_reduce(label, detail::by_argument(policy), body, sum); });
  return sum;
}

}  // namespace trackplex
