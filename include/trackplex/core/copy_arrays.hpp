// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>

#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Structures of arrays as a whole, and copies of them between a host and a device. A structure
/// S<MemorySpace> that can be copied keeps its sizes in plain members, and has in its namespace
///
///   for_each_array(const S<A>& from, S<B>& to, f)
///
/// which gives `to` the plain members of `from`, and calls f(array of from, the same array of to,
/// label, number of entries in use) for each array.

namespace trackplex {

/// Gives the arrays room for as many entries as the sizes say. `memory` is an instance, or anything
/// else that `reserve` takes.
template <class Memory, class Arrays>
void reserve_arrays(const Memory& memory, Arrays& arrays) {
  for_each_array(arrays, arrays, [&](const auto&, auto& array, const char* label, std::size_t n) {
    reserve(memory, array, label, n);
  });
}

/// Room in `to` for a copy of `from`. Where both have the same memory, `to` becomes the arrays of
/// `from` themselves.
template <class Memory, class From, class To>
void reserve_copy(const Memory& memory, const From& from, To& to) {
  for_each_array(from, to, [&](const auto& source, auto& target, const char* label, std::size_t n) {
    if constexpr (std::is_same_v<std::decay_t<decltype(source)>, std::decay_t<decltype(target)>>) {
      target = source;
    } else {
      reserve(memory, target, label, n);
    }
  });
}

/// Enqueues the copy, for which `reserve_copy` has made room; nothing where both have the same
/// memory.
template <class ExecutionSpace, class From, class To>
void copy_arrays(const ExecutionSpace& exec, const From& from, To& to) {
  for_each_array(from, to, [&](const auto& source, auto& target, const char*, std::size_t n) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(source)>, std::decay_t<decltype(target)>>) {
      const auto range = std::make_pair(std::size_t(0), n);
      if (n > 0)
        Kokkos::deep_copy(exec, Kokkos::subview(target, range), Kokkos::subview(source, range));
    }
  });
}

/// Room for a copy, and the copy: complete when the instance has finished.
template <class To, class ExecutionSpace, class From>
To enqueue_copy(const ExecutionSpace& exec, const From& from) {
  To to;
  reserve_copy(exec, from, to);
  copy_arrays(exec, from, to);
  return to;
}

}  // namespace trackplex
