// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Conversion between a Matriplex and an array of structures (records), on the instance: for
/// all records, or for a list of indices.
///
/// A field is a functor that finds the elements of a matrix in a record: `field(record, e)` is a
/// reference to element e, row by row, of a symmetric matrix in the lower triangle. `Member` is the
/// field for an array among the members of a record.

#include <trackplex/core/launch.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace trackplex {

/// Field that is an array member: `Member<&Track::covariance>{}`.
template <auto Pointer>
struct Member {
  /// Returns element e of the array.
  template <class Record>
  KOKKOS_FORCEINLINE_FUNCTION auto& operator()(Record& record, int e) const {
    return (record.*Pointer)[e];
  }
};

/// All records in order, instead of a list of indices.
struct EveryRecord {
  /// Returns i.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int i) const { return i; }
};

namespace detail {

template <class Records, class Indices, class Field, class Matrices>
struct GatherRecords {
  Records records;
  Indices indices;
  Field field;
  Matrices matrices;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    using T = typename Matrices::value_type;
    const auto& record = records(indices(tile.first));
    for (int e = 0; e < Matrices::elements; ++e)
      matrices.element(tile.first, e) = static_cast<T>(field(record, e));
  }
};

template <class Matrices, class Indices, class Field, class Records>
struct ScatterRecords {
  Matrices matrices;
  Indices indices;
  Field field;
  Records records;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    auto& record = records(indices(tile.first));
    for (int e = 0; e < Matrices::elements; ++e) {
      auto& target = field(record, e);
      target =
          static_cast<std::remove_reference_t<decltype(target)>>(matrices.element(tile.first, e));
    }
  }
};

/// Throws unless n matrices have an index each or, without a list of indices, a record each.
template <class Records, class Indices>
void require_records(const char* where, const Records& records, const Indices& indices, int n) {
  std::size_t there = 0;
  if constexpr (std::is_same_v<Indices, EveryRecord>)
    there = records.extent(0);
  else
    there = indices.extent(0);
  if (n > 0 && there < std::size_t(n))
    throw UsageError(where, "there are fewer records or indices than matrices",
                     std::to_string(there) + " and " + std::to_string(n));
}

}  // namespace detail

/// Copies a field of records to matrices: matrix i from records(indices(i)), for i = 0 to n - 1.
/// Allocates n matrices and enqueues on the instance.
///
/// `records` is a View of structures, `indices` a View of n integers or `EveryRecord`; every index
/// must be valid.
/// @throws UsageError if n is below zero, or there are fewer indices or, without them, records
template <class Space, class Records, class Indices, class Field, MatriplexIn<Space> Matrices>
void gather_records(const Space& exec, const Records& records, const Indices& indices, int n,
                    const Field& field, Matrices& matrices) {
  detail::require_records("gather_records", records, indices, n);
  matrices.allocate(exec, n);
  const auto view = matrices.view();
  for_each_tile<int>(exec, "Trackplex::Matriplex::gather_records", n,
                     detail::GatherRecords<Records, Indices, Field, decltype(view)>{
                         records, indices, field, view});
}

/// Copies all matrices to a field of records: matrix i to records(indices(i)). Enqueues on the
/// instance.
///
/// No index may occur twice; records that are not in the list, and other members, are unchanged.
/// @throws UsageError if there are fewer indices or, without them, records than matrices
template <class Space, MatriplexIn<Space> Matrices, class Indices, class Field, class Records>
void scatter_records(const Space& exec, const Matrices& matrices, const Indices& indices,
                     const Field& field, const Records& records) {
  detail::require_records("scatter_records", records, indices, matrices.size());
  const auto view = matrices.view();
  for_each_tile<int>(exec, "Trackplex::Matriplex::scatter_records", matrices.size(),
                     detail::ScatterRecords<decltype(view), Indices, Field, Records>{
                         view, indices, field, records});
}

}  // namespace trackplex
