// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/pipeline/slot_memory.hpp>

#include <cstddef>
#include <string>
#include <utility>

/// @file
/// Algorithms that many sequences need. To use one, derive from it and give it a name:
///
///     struct CopyHits : CopyArrays<ExecutionSpace, StagedHits, Hits> {
///       static constexpr const char* name = "copy_hits";
///     };

namespace trackplex::pipeline {

/// Copies the arrays of a product to the device or back. On hosts nothing is copied: both are the
/// same arrays. For the products there is a function
///
///     template <class F> void for_each_array(const From& from, To& to, const F& f);
///
/// beside From or To, which sets the other members of `to` and calls
/// `f(from.array, to.array, label, n)` for each pair of arrays, with the number of entries.
template <class ExecutionSpace, class From, class To>
struct CopyArrays {
  static constexpr bool shares_inputs = is_host_space<ExecutionSpace>;

  template <class Memory>
  void reserve(const Memory& memory, const From& from, To& to) const {
    for_each_array(from, to,
                   [&](const auto& source, auto& target, const char* label, std::size_t n) {
                     if constexpr (shares_inputs) {
                       target = source;
                     } else {
                       pipeline::reserve(memory.of(to), target, label, n);
                     }
                   });
  }

  void operator()(const ExecutionSpace& exec, const From& from, To& to) const {
    if constexpr (!shares_inputs)
      for_each_array(from, to, [&](const auto& source, auto& target, const char*, std::size_t n) {
        Kokkos::deep_copy(exec, first_entries(target, n), first_entries(source, n));
      });
  }

 private:
  template <class View>
  static auto first_entries(const View& view, std::size_t n) {
    const auto range = std::make_pair(std::size_t(0), n);
    if constexpr (View::rank == 1) {
      return Kokkos::subview(view, range);
    } else {
      return Kokkos::subview(view, range, Kokkos::ALL);
    }
  }
};

/// Where things of counted sizes begin: offsets(i) = values(0) + ... + values(i - 1). The host
/// knows the total, so that a later step may make room for it.
template <class ExecutionSpace, class T = std::int32_t>
struct Offsets {
  static constexpr bool read_by_host = true;

  Kokkos::View<T*, typename ExecutionSpace::memory_space> values;  ///< one more than counts
  Kokkos::View<T*, Kokkos::HostSpace> total;                       ///< one element
};

/// Offsets from counts: a product with the members `values`, an array of integers, and `size`, how
/// many of them there are. `To` is an Offsets, or derives from one.
template <class ExecutionSpace, class Counts, class To>
struct ScanCounts {
  template <class Memory>
  void reserve(const Memory& memory, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    pipeline::reserve(memory.of(offsets), offsets.values, "Trackplex::Pipeline::offsets", n + 1);
    pipeline::reserve(memory.of(offsets), offsets.total, "Trackplex::Pipeline::total", 1);
  }

  void operator()(const ExecutionSpace& exec, const Counts& counts, To& offsets) const {
    const auto n = std::size_t(counts.size);
    exclusive_scan(exec, counts.values, offsets.values, int(n));
    Kokkos::deep_copy(exec, offsets.total,
                      Kokkos::subview(offsets.values, std::make_pair(n, n + 1)));
  }
};

}  // namespace trackplex::pipeline
