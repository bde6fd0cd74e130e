// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Binning for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>

namespace trackplex::histogram {
namespace {

template <class T>
struct LoadValues {
  const T* values;
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return tile.load(values);
  }
};

template <class Count, class T, class Space>
void use(const Space& exec, Workspace<Space>& workspace, int n) {
  using Real = LanesOf<T, default_lane_width<Space, T>>;
  using Memory = typename Space::memory_space;
  const int bins = 200;
  const Kokkos::View<T*, Memory> values("values", std::size_t(n)), range("range", 2);
  const Kokkos::View<Count*, Memory> counts("counts", bins);
  const Kokkos::View<OutsideCounts*, Memory> outside("outside", 1);
  const Kokkos::View<MaximumBin<Count>*, Memory> maximum("maximum", 1);
  value_range<Real>(exec, n, LoadValues<T>{values.data()}, range, workspace);
  const auto positions = positions_on(RegularAxis<T>(-1., 1., bins), values);
  for (const Strategy strategy : {Strategy::global_atomics, Strategy::replicated, Strategy::sorted})
    Deposit<T, Space>{{bins, strategy}}(exec, n, positions, counts, outside, workspace);
  if constexpr (sizeof(Count) == 8)
    Deposit<T, Space>{{.bins = bins, .deposition = Deposition::linear}}(exec, n, positions, counts,
                                                                        outside, workspace);
  maximum_bin(exec, counts, bins, maximum);
}

}  // namespace

void use_all(int n) {
  Workspace<TRACKPLEX_SPACE> workspace;
  use<std::int32_t, float>(TRACKPLEX_SPACE(), workspace, n);
  use<std::int64_t, double>(TRACKPLEX_SPACE(), workspace, n);
}

}  // namespace trackplex::histogram
