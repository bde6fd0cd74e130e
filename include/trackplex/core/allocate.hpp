// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

/// @file
/// Allocation of arrays. Every array of the library is allocated here, so that an allocation
/// without Kokkos throws an exception.

namespace trackplex {

/// Returns a new array of n entries, not initialized. `View` is a managed `Kokkos::View`; its
/// further dimensions, if any, are static.
/// @throws UsageError if Kokkos is not running
template <class View>
View new_array(const std::string& label, std::size_t n) {
  detail::require_kokkos(label);
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
}

/// Returns a new array of n entries, not initialized. In the memory space of the instance the
/// allocation is ordered on the instance; the array may also be in another memory space, such as
/// the host's.
/// @throws UsageError if Kokkos is not running
template <class View, class ExecutionSpace>
View new_array(const ExecutionSpace& exec, const std::string& label, std::size_t n) {
  detail::require_kokkos(label);
  using Memory = typename View::memory_space;
  constexpr bool on_device = !std::is_same_v<Memory, Kokkos::HostSpace>;
  if constexpr (on_device && std::is_same_v<Memory, typename ExecutionSpace::memory_space>)
    return View(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), n);
  else
    return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
}

/// Returns a new array of n zeros. Waits until they are written.
/// @throws UsageError if Kokkos is not running
template <class View>
View new_zeros(const std::string& label, std::size_t n) {
  detail::require_kokkos(label);
  return View(label, n);
}

/// Returns a new array of n zeros; enqueues the zeros on the instance.
/// @throws UsageError if Kokkos is not running
template <class View, class ExecutionSpace>
View new_zeros(const ExecutionSpace& exec, const std::string& label, std::size_t n) {
  detail::require_kokkos(label);
  if constexpr (std::is_same_v<ExecutionSpace, HostExecutor>)
    return exec.visit(
        [&](const auto& instance) { return View(Kokkos::view_alloc(instance, label), n); });
  else
    return View(Kokkos::view_alloc(exec, label), n);
}

/// Allocates `n` entries in the first dimension of `view`, without initializing them, if it has
/// fewer; otherwise leaves it unchanged. The former contents of a reallocated view are lost, not
/// copied.
///
/// In the memory space of the instance the allocation is ordered on the instance; the view may also
/// be in another memory space, such as the host's.
/// @throws UsageError if Kokkos is not running
template <class ExecutionSpace, class View>
void allocate_array(const ExecutionSpace& exec, View& view, std::string_view label, std::size_t n) {
  if (view.extent(0) < n) view = new_array<View>(exec, std::string(label), n);
}

/// Items of several elements in tiles, as in a Matriplex: element e of item i is at
/// ((i / width) elements + e) width + i % width.
struct TiledItems {
  std::size_t items = 0;     ///< number of items
  std::size_t elements = 1;  ///< number of elements of an item
  std::size_t width = 1;     ///< number of items in a tile

  /// Number of entries of an array, including the padding of the last tile.
  std::size_t entries() const { return (items + width - 1) / width * width * elements; }
};

/// Allocates an array of items in tiles by `allocate_array`.
template <class Memory, class View>
void allocate_tiles(const Memory& memory, View& view, std::string_view label,
                    const TiledItems& tiles) {
  allocate_array(memory, view, label, tiles.entries());
}

}  // namespace trackplex
