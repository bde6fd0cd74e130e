// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class BunchMapAction;

/// Taylor map that acts on s relative to the mean s of the bunch on its first pass, and a step of
/// the reference momentum with delta unchanged (elegant's EMATRIX and MATR if they depend on s, or
/// EMATRIX with DELTAP). `MapElement` is the same without the mean and the step, in one kernel with
/// its neighbours.
struct BunchMap {
  MapElement element;         ///< Map, with its length.
  double momentum_step = 0.;  ///< Change of the reference momentum beta gamma after the map.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = MapElement::family;
  static constexpr bool is_whole = true;
  double length() const { return element.length; }
  void check(const ElementCheck& check) const {
    element.check(check);
    check.finite("step of the momentum", momentum_step);
  }
  TransferMap map_to(int) const { return element.map(); }
  double momentum_behind(double p0) const { return p0 + momentum_step; }
  template <class T, class ExecutionSpace, int Width>
  using Action = BunchMapAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// One step for the particles of a tile.
template <class Real, class Step>
struct PassOneStep {
  BunchColumns<ScalarOf<Real>> columns;
  const ScalarOf<Real>* coefficients;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    Step::pass(coefficients, v);
    columns.store(tile, v);
  }
};

}  // namespace detail

/// Action of a `BunchMap`. Waits for the instance on its first pass, for the mean of s.
template <class T, class ExecutionSpace, int Width>
class BunchMapAction {
  using Real = LanesOf<T, Width>;

 public:
  /// Takes the map of an element.
  BunchMapAction(const ExecutionSpace&, const BunchMap& map) : map_(map) {}

  /// Maps the particles of a bunch.
  /// @throws UsageError if the reference momentum is not above 0 after it
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) {
    if (coefficients_.extent(0) == 0 && bunch.share().all > 0) find_mean(exec, bunch, workspace);
    if (map_.element.map().order > 2) {
      pass<patterns::Dense3>(exec, bunch);
    } else {
      pass<patterns::Dense>(exec, bunch);
    }
    bunch.reference.path_length += map_.length();
    bunch.reference.p0 += map_.momentum_step;
    if (!(bunch.reference.p0 > 0.))
      throw UsageError("map", "the reference momentum is not above 0 after it",
                       shortest(bunch.reference.p0));
  }

 private:
  void find_mean(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                 Workspace<ExecutionSpace>& workspace) {
    const double mean = moments_of(exec, bunch, workspace).mean[s];
    const TransferMap& map = map_.element.map();
    TransferMap before = TransferMap::identity(map.order), behind = before;
    before.C(5) = -mean;
    behind.C(5) = mean;
    const TransferMap about_mean = concatenated(concatenated(before, map), behind);
    const MapPattern pattern = patterns::all_coefficients(map.order > 2 ? 3 : 2);
    coefficients_ =
        to_device<T>(exec, "Trackplex::Beam::bunch_map", coefficients_of(about_mean, pattern));
  }

  template <class Pattern>
  void pass(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch) const {
    for_each_tile<Real>(
        exec, "Trackplex::Beam::bunch_map", bunch.size(),
        detail::PassOneStep<Real, steps::Map<Pattern>>{bunch.columns(), coefficients_.data()});
  }

  BunchMap map_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> coefficients_;
};

}  // namespace trackplex::beam
