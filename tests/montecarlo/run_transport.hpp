// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/transport.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace trackplex::montecarlo::test {

/// Axes of the reference distributions.
inline const AxisRange longitudinal_axis{-1., 1.01, 201};
inline const AxisRange transverse_axis{0., 1.01, 101};

template <class T>
auto reference_tallies() {
  return tallies(AxisTally<Longitudinal, T>(longitudinal_axis),
                 AxisTally<Transverse, T>(transverse_axis));
}

inline const char* const materials[] = {"water", "air", "bone", "tissue", "gold"};

inline ScreenedRutherford scattering_in(const std::string& material, double energy = 0.128) {
  return screened_rutherford(published_material(material), energy);
}

/// The counts of some ranges of histories, one run for each.
template <class T, int Width, class Space, class Tallies, class Source = PencilSource>
TransportCounts run_transport(const TransportParams& params, const Tallies& list,
                              const std::vector<HistoryRange>& ranges, const Source& source = {}) {
  const Space exec;
  Transport<T, Space, Tallies, Source, Width> transport(exec, params, list, source);
  for (const auto& range : ranges) transport.run(exec, range);
  return transport.take(exec);
}

/// With the lanes of the space.
template <class T, class Space, class Tallies, class Source = PencilSource>
TransportCounts run_transport(const TransportParams& params, const Tallies& list,
                              const std::vector<HistoryRange>& ranges, const Source& source = {}) {
  return run_transport<T, default_lane_width<Space, T, KernelKind::transport>, Space>(
      params, list, ranges, source);
}

}  // namespace trackplex::montecarlo::test
