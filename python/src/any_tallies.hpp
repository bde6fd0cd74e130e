// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/source.hpp>
#include <trackplex/montecarlo/tallies.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Tallies and sources that are chosen at run time, with the counts of those that are chosen when
/// compiled.

namespace trackplex::python {

/// Quantities of tallies, in the order of their names.
enum class Quantity { longitudinal, transverse, cosine, angle };
inline constexpr const char* quantity_names[] = {"longitudinal", "transverse", "cosine", "angle"};

/// Axis of a tally.
struct QuantityAxis {
  Quantity quantity = Quantity::longitudinal;
  montecarlo::AxisRange range{};
};

/// Tallies of one or two axes each; the interface is that of `montecarlo::TallyList`.
template <class T>
class AnyTallies {
 public:
  static constexpr std::size_t max_tallies = 8;

  /// @throws UsageError, CapacityError as `AxisTally` and `PlaneTally`, or if there are too many
  explicit AnyTallies(const std::vector<std::vector<QuantityAxis>>& tallies) {
    if (tallies.size() > max_tallies)
      throw CapacityError("tallies", "tallies", tallies.size(), max_tallies);
    for (const auto& axes : tallies) add(axes);
  }

  KOKKOS_FUNCTION int cells() const { return cells_; }
  template <class Count>
  KOKKOS_FUNCTION void count(const montecarlo::End<T>& end, int offset,
                             const Count& count_in) const {
    for (int i = 0; i < size_; ++i) {
      count_in(offset + list_[i].cell(end));
      offset += list_[i].cells();
    }
  }

 private:
  struct Axis {
    Quantity quantity = Quantity::longitudinal;
    histogram::RegularAxis<T> bins{};

    KOKKOS_FUNCTION int cell(const montecarlo::End<T>& end) const {
      switch (quantity) {
        case Quantity::transverse:
          return montecarlo::cell_on(bins, montecarlo::Transverse::of(end));
        case Quantity::cosine:
          return montecarlo::cell_on(bins, montecarlo::Cosine::of(end));
        case Quantity::angle:
          return montecarlo::cell_on(bins, montecarlo::Angle::of(end));
        default:
          return montecarlo::cell_on(bins, montecarlo::Longitudinal::of(end));
      }
    }
  };
  struct Tally {
    int axes = 1;
    Axis first, second;

    KOKKOS_FUNCTION int cells() const {
      return (first.bins.bins() + 2) * (axes == 2 ? second.bins.bins() + 2 : 1);
    }
    KOKKOS_FUNCTION int cell(const montecarlo::End<T>& end) const {
      const int cell = first.cell(end);
      return axes == 2 ? cell * (second.bins.bins() + 2) + second.cell(end) : cell;
    }
  };

  static Axis axis_of(const QuantityAxis& axis) {
    return {axis.quantity, {axis.range.low, axis.range.high, axis.range.bins}};
  }
  void add(const std::vector<QuantityAxis>& axes) {
    if (axes.empty() || axes.size() > 2)
      throw UsageError("tallies", "a tally has neither one nor two axes",
                       std::to_string(axes.size()));
    Tally tally{int(axes.size()), axis_of(axes[0]), {}};
    if (axes.size() == 2) {
      tally.second = axis_of(axes[1]);
      using Plane = montecarlo::PlaneTally<montecarlo::Cosine, montecarlo::Cosine, T>;
      Plane(axes[0].range, axes[1].range);  // checks the number of cells
    }
    list_[size_++] = tally;
    cells_ += tally.cells();
  }

  Tally list_[max_tallies]{};
  int size_ = 0, cells_ = 0;
};

/// A pencil beam, or with a radius a disk.
struct AnySource {
  double radius = 0.;  ///< mean free paths

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION montecarlo::Start<Real> operator()(
      PhiloxKey key, const montecarlo::HistoryNumbers<Real>& history) const {
    if (radius > 0.) return montecarlo::DiskSource{radius}(key, history);
    return montecarlo::PencilSource()(key, history);
  }
};

}  // namespace trackplex::python
