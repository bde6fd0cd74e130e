// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>

#include <array>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class RemoveCorrelationsAction;

/// Removes the correlation of coordinates with another one (REMCOR): from x, for example,
/// \f$ \langle xw\rangle/\langle w^2\rangle\;w \f$, of the particles that are not lost.
struct RemoveCorrelations {
  std::array<bool, 4> from{true, true, true, true};  ///< Selects x, x', y and y'.
  Coordinate with = delta;  ///< The other coordinate, w, which does not change.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = RemoveCorrelationsAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Subtracts a multiple of a coordinate from others.
template <class Real>
struct SubtractCoordinate {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  int with;
  T ratio[4];

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real w = tile.load(columns.v[with]);
    for (int c = 0; c < 4; ++c)
      if (ratio[c] != T(0))
        tile.store(columns.v[c], fma(-Real(ratio[c]), w, tile.load(columns.v[c])));
  }
};

}  // namespace detail

/// Action of `RemoveCorrelations`. Waits for the instance.
template <class T, class ExecutionSpace, int Width>
class RemoveCorrelationsAction {
 public:
  /// Takes the settings of an element.
  RemoveCorrelationsAction(const ExecutionSpace&, const RemoveCorrelations& element)
      : element_(element) {}

  /// Removes the correlations of a bunch.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) const {
    using Real = LanesOf<T, Width>;
    if (bunch.share().all == 0) return;
    const Moments moments = moments_of(exec, bunch, workspace);
    const int w = element_.with;
    const auto mean_product = [&](int a, int b) {
      return moments.covariance[a][b] + moments.mean[a] * moments.mean[b];
    };
    const double square = mean_product(w, w);
    if (!(square > 0.)) return;
    detail::SubtractCoordinate<Real> kernel{bunch.columns(), w, {}};
    for (int c = 0; c < 4; ++c)
      kernel.ratio[c] = element_.from[c] && c != w ? T(mean_product(c, w) / square) : T(0);
    for_each_tile<Real>(exec, "Trackplex::Beam::remove_correlations", bunch.size(), kernel);
  }

 private:
  RemoveCorrelations element_;
};

}  // namespace trackplex::beam
