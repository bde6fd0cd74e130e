// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Monte Carlo transport for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/montecarlo/transport.hpp>

namespace trackplex::montecarlo {
namespace {

struct Backwards {
  KOKKOS_FUNCTION int cells() const { return 1; }
  template <class End>
  KOKKOS_FUNCTION int cell(const End& end) const {
    return end.z < 0 ? 0 : -1;
  }
};

template <class T, class Source, class Space>
TransportCounts use(const Space& exec, const Source& source) {
  const auto list =
      tallies(AxisTally<Longitudinal, T>({-1., 1.01, 201}), AxisTally<Angle, T>({0., 3.2, 64}),
              PlaneTally<Cosine, Transverse, T>({-1., 1., 300}, {0., 1., 300}), Backwards{});
  Transport<T, Space, std::decay_t<decltype(list)>, Source> transport(exec, {1e-3, 33.5, 1}, list,
                                                                      source);
  transport.run(exec, {0, 1000});
  return transport.take(exec);
}

}  // namespace

TransportCounts use_all() {
  TransportCounts counts = use<float>(TRACKPLEX_SPACE(), PencilSource{});
  counts += use<double>(TRACKPLEX_SPACE(), DiskSource{2.});
  return counts;
}

}  // namespace trackplex::montecarlo
