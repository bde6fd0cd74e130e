// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/draws.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>

namespace trackplex::simulation::detail {

/// Distance of a flight from one that does not scatter, to first order: lines in x and y, given at
/// z = 0, mm.
struct ScatteredFlight {
  double x = 0., y = 0.;
  double tx = 0., ty = 0.;

  double x_at(double z) const { return x + tx * z; }
  double y_at(double z) const { return y + ty * z; }

  /// Turns the flight by an angle of standard deviation theta, if it is not 0.
  void scatter(Flight& flight, double theta, Draws& draws) {
    if (!(theta > 0.)) return;
    const double tx_before = flight.tx, ty_before = flight.ty;
    flight.scatter(theta, draws.normal_pair());
    tx += flight.tx - tx_before;
    ty += flight.ty - ty_before;
    x -= (flight.tx - tx_before) * flight.z;
    y -= (flight.ty - ty_before) * flight.z;
  }
};

}  // namespace trackplex::simulation::detail
