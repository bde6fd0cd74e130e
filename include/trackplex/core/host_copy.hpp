// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Copies between host and device without waiting. Where both are the same memory, a copy is the
/// array itself and nothing is copied.
///
/// Structures of arrays take part with a function, found by argument-dependent lookup,
///     for_each_array(from, to, f)
/// which sets the sizes that `to` knows and calls `f(from_array, to_array, label, n)` for all pairs
/// of arrays, of which the first n entries are in use.

#include <trackplex/core/error.hpp>
#include <trackplex/core/reserve.hpp>

#include <type_traits>

namespace trackplex {

/// `to` becomes `from` where they are of one memory; else it gets room for n entries from `memory`:
/// an instance, or what else `reserve(memory, view, label, n)` takes.
template <class Memory, class T, class... FromProperties, class U, class... ToProperties>
void reserve_copy(const Memory& memory, const Kokkos::View<T, FromProperties...>& from,
                  Kokkos::View<U, ToProperties...>& to, const std::string& label, std::size_t n) {
  using From = Kokkos::View<T, FromProperties...>;
  using To = Kokkos::View<U, ToProperties...>;
  if constexpr (std::is_same_v<typename From::memory_space, typename To::memory_space>)
    to = from;
  else
    reserve(memory, to, label, n);
}

/// Enqueues the copy of the first n entries, unless both are the same.
template <class ExecutionSpace, class T, class... FromProperties, class U, class... ToProperties>
void copy_first(const ExecutionSpace& exec, const Kokkos::View<T, FromProperties...>& from,
                const Kokkos::View<U, ToProperties...>& to, std::size_t n) {
  using From = Kokkos::View<T, FromProperties...>;
  using To = Kokkos::View<U, ToProperties...>;
  static_assert(
      int(From::rank) == 1 || std::is_same_v<typename From::array_layout, Kokkos::LayoutRight>,
      "The entries of an array to be copied follow each other.");
  static_assert(std::is_same_v<typename From::non_const_data_type, typename To::data_type>,
                "Both arrays have the same elements.");
  if (from.data() == to.data() || n == 0) return;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  std::size_t bytes = n * sizeof(typename From::value_type);
  for (int dimension = 1; dimension < int(From::rank); ++dimension) {
    if (from.extent(dimension) != to.extent(dimension))
      throw UsageError("copy_first", "entries are of unequal length");
    bytes *= from.extent(dimension);
  }
  Kokkos::deep_copy(exec,
                    Kokkos::View<char*, typename To::memory_space, Unmanaged>(
                        reinterpret_cast<char*>(to.data()), bytes),
                    Kokkos::View<const char*, typename From::memory_space, Unmanaged>(
                        reinterpret_cast<const char*>(from.data()), bytes));
}

/// Gives arrays whose sizes are set room for as many entries.
template <class Memory, class Arrays>
void reserve_arrays(const Memory& memory, Arrays& arrays) {
  for_each_array(arrays, arrays, [&](const auto&, auto& array, const char* label, std::size_t n) {
    reserve(memory, array, label, n);
  });
}

/// `reserve_copy` of all arrays.
template <class Memory, class From, class To>
void reserve_copies(const Memory& memory, const From& from, To& to) {
  for_each_array(from, to, [&](const auto& source, auto& copy, const char* label, std::size_t n) {
    reserve_copy(memory, source, copy, label, n);
  });
}

/// Enqueues the copies of all arrays that are not the same. There is room for them.
template <class ExecutionSpace, class From, class To>
void copy_arrays(const ExecutionSpace& exec, const From& from, To& to) {
  for_each_array(from, to, [&](const auto& source, auto& copy, const char*, std::size_t n) {
    copy_first(exec, source, copy, n);
  });
}

/// Room for a copy, and the copy: complete when the instance has finished.
template <class To, class ExecutionSpace, class From>
To enqueue_copy(const ExecutionSpace& exec, const From& from) {
  To to;
  reserve_copies(exec, from, to);
  copy_arrays(exec, from, to);
  return to;
}

}  // namespace trackplex
