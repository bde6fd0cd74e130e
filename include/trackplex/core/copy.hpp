// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Copies between host and device. If both share one memory, the copy of an array is the array
/// itself and nothing is copied, except by to_device().
///
/// A structure of arrays is copied as a whole if it has a function, found by argument-dependent
/// lookup,
///
///     for_each_array(from, to, f)
///
/// that sets the sizes in `to` and calls `f(from_array, to_array, label, n)` for each pair of
/// arrays, of which the first n entries are in use.

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Prepares `to` for a copy of `from`: the same array if both are in one memory space, else at
/// least n entries from `memory`, an instance or anything else that `allocate_array(memory, view,
/// label, n)` accepts.
template <class Memory, class T, class... FromProperties, class U, class... ToProperties>
void allocate_copy(const Memory& memory, Kokkos::View<U, ToProperties...>& to,
                   const Kokkos::View<T, FromProperties...>& from, std::string_view label,
                   std::size_t n) {
  using From = Kokkos::View<T, FromProperties...>;
  using To = Kokkos::View<U, ToProperties...>;
  if constexpr (std::is_same_v<typename From::memory_space, typename To::memory_space>)
    to = from;
  else
    allocate_array(memory, to, label, n);
}

namespace detail {
template <class View>
inline constexpr bool entries_follow_each_other =
    std::is_same_v<typename View::array_layout, Kokkos::LayoutRight> ||
    (int(View::rank) == 1 && std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>);

/// Number of bytes of the first n entries.
template <class T, class... Properties>
std::size_t bytes_of_entries(const Kokkos::View<T, Properties...>& array, std::size_t n) {
  using View = Kokkos::View<T, Properties...>;
  static_assert(entries_follow_each_other<View>);
  for (int dimension = 1; dimension < int(View::rank); ++dimension) n *= array.extent(dimension);
  return n * sizeof(typename View::value_type);
}
/// Bytes in a memory space. All arrays are copied and zeroed as bytes: each `Kokkos::deep_copy` of
/// another type adds several kilobytes of code.
template <class Byte, class MemorySpace>
using Bytes = Kokkos::View<Byte*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class MemorySpace>
inline constexpr bool is_host_memory = std::is_same_v<MemorySpace, Kokkos::HostSpace>;

void copy_on_host(const HostExecutor& exec, const Bytes<char, Kokkos::HostSpace>& to,
                  const Bytes<const char, Kokkos::HostSpace>& from);
void fill_on_host(const HostExecutor& exec, const Bytes<char, Kokkos::HostSpace>& bytes);

template <class ExecutionSpace, class ToMemory, class FromMemory>
void copy_bytes(const ExecutionSpace& exec, const Bytes<char, ToMemory>& to,
                const Bytes<const char, FromMemory>& from) {
  if constexpr (!is_host_space<ExecutionSpace>)
    Kokkos::deep_copy(exec, to, from);
  else if constexpr (is_host_memory<ToMemory> && is_host_memory<FromMemory>)
    copy_on_host(exec, to, from);
  else
    HostExecutor(exec).visit([&](const auto& instance) { Kokkos::deep_copy(instance, to, from); });
}

template <class ExecutionSpace, class MemorySpace>
void fill_bytes_with_zeros(const ExecutionSpace& exec, const Bytes<char, MemorySpace>& bytes) {
  if constexpr (!is_host_space<ExecutionSpace>)
    Kokkos::deep_copy(exec, bytes, char(0));
  else if constexpr (is_host_memory<MemorySpace>)
    fill_on_host(exec, bytes);
  else
    HostExecutor(exec).visit(
        [&](const auto& instance) { Kokkos::deep_copy(instance, bytes, char(0)); });
}

/// Throws unless an array has n entries.
inline void require_entries(const char* where, std::size_t there, std::size_t n) {
  if (there < n)
    throw UsageError(where, "there are too few entries",
                     std::to_string(there) + " of " + std::to_string(n),
                     "allocate or fill them first");
}
}  // namespace detail

/// Enqueues the copy of the first n entries, unless both are the same array.
/// @throws UsageError if an array has fewer entries, the further extents differ, or Kokkos is not
/// running
template <class ExecutionSpace, class T, class... FromProperties, class U, class... ToProperties>
void copy_entries(const ExecutionSpace& exec, const Kokkos::View<U, ToProperties...>& to,
                  const Kokkos::View<T, FromProperties...>& from, std::size_t n) {
  using From = Kokkos::View<T, FromProperties...>;
  using To = Kokkos::View<U, ToProperties...>;
  static_assert(std::is_same_v<typename From::non_const_data_type, typename To::data_type>,
                "Both arrays have the same elements.");
  if (from.data() == to.data() || n == 0) return;
  detail::require_kokkos("copy_entries");
  detail::require_entries("copy_entries", from.extent(0), n);
  detail::require_entries("copy_entries", to.extent(0), n);
  for (int dimension = 1; dimension < int(From::rank); ++dimension)
    if (from.extent(dimension) != to.extent(dimension))
      throw UsageError("copy_entries", "entries are of unequal length");
  static_assert(detail::entries_follow_each_other<To>);
  const std::size_t bytes = detail::bytes_of_entries(from, n);
  detail::copy_bytes(
      exec,
      detail::Bytes<char, typename To::memory_space>(reinterpret_cast<char*>(to.data()), bytes),
      detail::Bytes<const char, typename From::memory_space>(
          reinterpret_cast<const char*>(from.data()), bytes));
}

/// Enqueues the copy of all entries, unless both are the same array.
/// @throws UsageError if the extents of the arrays differ
template <class ExecutionSpace, class To, class From>
void copy_array(const ExecutionSpace& exec, const To& to, const From& from) {
  if (from.extent(0) != to.extent(0))
    throw UsageError("copy_array", std::to_string(from.extent(0)) +
                                       " entries do not go into an array of " +
                                       std::to_string(to.extent(0)));
  copy_entries(exec, to, from, from.extent(0));
}

/// Enqueues zeros for all numbers of an array.
template <class ExecutionSpace, class T, class... Properties>
void fill_with_zeros(const ExecutionSpace& exec, const Kokkos::View<T, Properties...>& array) {
  using View = Kokkos::View<T, Properties...>;
  static_assert(std::is_arithmetic_v<typename View::value_type>);
  detail::require_kokkos("fill_with_zeros");
  const auto bytes = detail::bytes_of_entries(array, array.extent(0));
  detail::fill_bytes_with_zeros(exec, detail::Bytes<char, typename View::memory_space>(
                                          reinterpret_cast<char*>(array.data()), bytes));
}

/// Allocates the arrays of a structure for the sizes that are set in it.
template <class Memory, class Arrays>
void allocate_arrays(const Memory& memory, Arrays& arrays) {
  for_each_array(arrays, arrays, [&](const auto&, auto& array, const char* label, std::size_t n) {
    allocate_array(memory, array, label, n);
  });
}

/// Prepares all arrays of a structure for a copy, each by `allocate_copy`.
template <class Memory, class To, class From>
void allocate_copies(const Memory& memory, To& to, const From& from) {
  for_each_array(from, to, [&](const auto& source, auto& copy, const char* label, std::size_t n) {
    allocate_copy(memory, copy, source, label, n);
  });
}

/// Enqueues the copies of all arrays of a structure that are not shared. The arrays of `to` must
/// be allocated, by `allocate_copies` for example.
template <class ExecutionSpace, class To, class From>
void copy_arrays(const ExecutionSpace& exec, To& to, const From& from) {
  for_each_array(from, to, [&](const auto& source, auto& copy, const char*, std::size_t n) {
    copy_entries(exec, copy, source, n);
  });
}

/// Allocates a copy of a structure of arrays and enqueues the copying: the result is complete when
/// the instance has finished.
template <class To, class ExecutionSpace, class From>
To enqueue_copy(const ExecutionSpace& exec, const From& from) {
  To to;
  allocate_copies(exec, to, from);
  copy_arrays(exec, to, from);
  return to;
}

namespace detail {
template <class Arrays>
struct HostOf;
template <template <class> class Arrays, class MemorySpace>
struct HostOf<Arrays<MemorySpace>> {
  using type = Arrays<Kokkos::HostSpace>;
};
template <template <class, class> class Arrays, class T, class MemorySpace>
struct HostOf<Arrays<T, MemorySpace>> {
  using type = Arrays<T, Kokkos::HostSpace>;
};
}  // namespace detail

/// Host counterpart of a structure of arrays, `Arrays<MemorySpace>` or `Arrays<T, MemorySpace>`.
template <class Arrays>
using HostOf = typename detail::HostOf<Arrays>::type;

/// Copies values of the host (anything with `operator[]`) to a View, as many as it has entries,
/// converted to its element type. Waits for the instance.
/// @throws UsageError if the values have a `size()`, which is below the number of entries
template <class ExecutionSpace, class View, class Values>
void copy_to_device(const ExecutionSpace& exec, const View& to, const Values& values) {
  if constexpr (requires { values.size(); })
    detail::require_entries("copy_to_device", std::size_t(values.size()), to.extent(0));
  const auto host = Kokkos::create_mirror_view(to);
  exec.fence();  // if the host writes to the array itself, earlier kernels may still use it
  for (std::size_t i = 0; i < to.extent(0); ++i)
    host(i) = static_cast<typename View::value_type>(values[i]);
  copy_array(exec, to, host);
  exec.fence();  // the lifetime of the host's copy ends here
}

/// Copies values of the host to a new View of T with the given label. Waits for the instance.
template <class T, class ExecutionSpace, class Values>
Kokkos::View<T*, typename ExecutionSpace::memory_space> to_device(const ExecutionSpace& exec,
                                                                  const std::string& label,
                                                                  const Values& values) {
  const auto view = new_array<Kokkos::View<T*, typename ExecutionSpace::memory_space>>(
      exec, label, values.size());
  copy_to_device(exec, view, values);
  return view;
}

/// Returns a copy of a View that the host can read, or the View itself if the host can access
/// it. Waits for the instance.
template <class ExecutionSpace, class T, class... Properties>
auto to_host(const ExecutionSpace& exec, const Kokkos::View<T, Properties...>& view) {
  const auto host = Kokkos::create_mirror_view(view);
  copy_array(exec, host, view);
  exec.fence();
  return host;
}

/// Returns the first n elements of a View for the host to read. Waits for the instance.
/// @throws UsageError if it has fewer
template <class ExecutionSpace, class T, class... Properties>
auto to_host(const ExecutionSpace& exec, const Kokkos::View<T*, Properties...>& view,
             std::size_t n) {
  detail::require_entries("to_host", view.extent(0), n);
  return to_host(exec, Kokkos::subview(view, std::make_pair(std::size_t(0), n)));
}

/// Returns element i of a View. Does not allocate; waits for the instance.
/// @throws UsageError if there is no such element
template <class ExecutionSpace, class T, class... Properties>
auto element_on_host(const ExecutionSpace& exec, const Kokkos::View<T*, Properties...>& view,
                     std::size_t i) {
  using View = Kokkos::View<T*, Properties...>;
  detail::require_entries("element_on_host", view.extent(0), i + 1);
  typename View::non_const_value_type value;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename View::memory_space>::accessible) {
    exec.fence();
    value = view.data()[i];
  } else {
    using Value =
        Kokkos::View<decltype(value)*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    copy_array(exec, Value(&value, 1), Kokkos::subview(view, std::make_pair(i, i + 1)));
    exec.fence();
  }
  return value;
}

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/copy.impl.hpp>
#endif
