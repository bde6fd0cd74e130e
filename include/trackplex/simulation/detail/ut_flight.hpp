// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/charged_particle.hpp>
#include <trackplex/simulation/detail/scattered_flight.hpp>
#include <trackplex/simulation/detail/ut_bending.hpp>
#include <trackplex/simulation/detail/ut_sectors.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace trackplex::simulation::detail {

/// Where a particle crosses a UT sector; `strip` counts from the middle of the first one.
struct UtCrossing {
  std::size_t sector;
  double strip;
};

/// Flights from the end of the VELO through the UT, bent in x at one plane.
class UtFlights {
 public:
  /// Where the VELO ends, and with it the beginning of the way on which particles get lost.
  static constexpr double begin_z = 770.;  // mm

  UtFlights(const RawEventParams& params, const lhcb::Detector& detector)
      : magnet_(detector.magnet),
        sectors_(detector.ut),
        polarity_(detector.polarity),
        gap_scattering_(scattering_scale(params.gap_thickness)),
        layer_scattering_(scattering_scale(params.ut_layer_thickness)),
        hole_square_(params.ut_hole_radius * params.ut_hole_radius) {}

  /// Calls visit(crossing) for each sector that a particle crosses before it is lost at end_z.
  /// Particles from after the kink fly straight; those flying backward do not come here. Returns
  /// how the flight scatters.
  template <class Visit>
  ScatteredFlight operator()(Flight flight, const ChargedParticle& particle, double end_z,
                             Draws& draws, const Visit& visit) const {
    ScatteredFlight scattered;
    if (!flight.forward) return scattered;
    if (flight.z < ut_kink_z) bend(flight, particle, draws, scattered);
    const double theta = scattering_angle(layer_scattering_, particle);
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      bool met = false;
      for (const auto& plane : sectors_.planes(layer)) {
        if (plane.z <= flight.z) continue;
        if (plane.z > end_z) return scattered;
        flight.move_to(plane.z);
        if (flight.x * flight.x + flight.y * flight.y < hole_square_) continue;
        sectors_.for_each_at(layer, plane, flight.x, flight.y, [&](std::size_t s, double strip) {
          visit(UtCrossing{s, strip});
          met = true;
        });
      }
      if (met) scattered.scatter(flight, theta, draws);
    }
    return scattered;
  }

 private:
  /// The field is that for the flight as the VELO sees it; it scatters half-way to the kink, once.
  void bend(Flight& flight, const ChargedParticle& particle, Draws& draws,
            ScatteredFlight& scattered) const {
    const double p = std::sqrt(dot(particle.momentum, particle.momentum));
    const double bdl = field_integral(magnet_, flight);
    const double kick = ut_kick(bdl, flight.ty, particle.charge, p, polarity_);
    const double from = flight.z > begin_z ? flight.z : begin_z;
    flight.move_to(0.5 * (from + ut_kink_z));
    scattered.scatter(flight, scattering_angle(gap_scattering_, particle), draws);
    flight.move_to(ut_kink_z);
    flight.tx = kicked_slope(flight.tx, kick);
  }

  lhcb::UtMagnetTables magnet_;
  UtSectors sectors_;
  double polarity_;
  double gap_scattering_;
  double layer_scattering_;
  double hole_square_;
};

}  // namespace trackplex::simulation::detail
