// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::lhcb {

/// Polynomials of the effect of the magnet on tracks from the UT to the SciFi, with the signs of a
/// magnet that points down. Lengths in mm, momenta in MeV, slopes dx/dz and dy/dz.
struct ForwardTables {
  static constexpr int powers = 5;   ///< powers 0 to 4 of a slope in `deflection`
  static constexpr int y_terms = 6;  ///< terms of each power of dx in `y`

  /// (station, power of tx, power of ty), flat: change of dx/dz from the UT to the station, at the
  /// middle of the magnet, over q/p. MeV.
  std::vector<double> deflection;
  /// (layer, power 1 to 3 of dx, term), flat: y of a track that is dx off the line of the UT, see
  /// ForwardMagnet::y(). mm^(1 - power).
  std::vector<double> y;
  /// Change of dx/dz from the VELO to the SciFi over q/p, see ForwardMagnet::qop(). GeV.
  std::vector<double> kick;

  /// Compares all tables.
  friend bool operator==(const ForwardTables&, const ForwardTables&) = default;
};

/// Returns the published tables: those of the search Looking Forward in LHCb's Allen of 2020.
ForwardTables forward_tables();

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/scifi/detail/forward_tables.impl.hpp>
#endif
