// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/charged_particle.hpp>
#include <trackplex/simulation/detail/scattered_flight.hpp>
#include <trackplex/simulation/detail/scifi_curve.hpp>
#include <trackplex/simulation/detail/scifi_fibres.hpp>
#include <trackplex/simulation/detail/ut_bending.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <array>
#include <cmath>

namespace trackplex::simulation::detail {

/// Flights through the SciFi, bent by the polynomials of the search for long tracks.
class ScifiFlights {
 public:
  ScifiFlights(const RawEventParams& params, const lhcb::Detector& detector)
      : fibres_(*detector.scifi),
        polarity_(detector.polarity),
        magnet_scattering_(scattering_scale(params.magnet_thickness)),
        layer_scattering_(scattering_scale(params.scifi_layer_thickness)) {}

  /// Calls visit(crossing) for each mat that a particle crosses before it is lost at end_z, mm.
  /// `flight` is that at the end of the VELO, or at the origin of a particle from further
  /// downstream; `scattered` how it scatters up to the end of the UT. A particle from after the
  /// middle of the magnet flies straight.
  template <class Visit>
  void operator()(const Flight& flight, const ChargedParticle& particle, ScatteredFlight scattered,
                  double end_z, Draws& draws, const Visit& visit) const {
    const double p = std::sqrt(dot(particle.momentum, particle.momentum));
    const bool bent = flight.z < lhcb::forward_z_magnet;
    if (!flight.forward || end_z < lhcb::scifi_z[0] || (bent && p < min_p)) return;
    const VeloLine line{flight.x - flight.tx * flight.z, flight.y - flight.ty * flight.z, flight.tx,
                        flight.ty};
    if (std::abs(line.tx) > max_tx || std::abs(line.ty) > max_ty) return;
    const double qop = bent ? -polarity_ * particle.charge / p : 0.;
    const ScifiCurve curve =
        bent ? this->curve(line, qop)
             : ScifiCurve{line.x + line.tx * lhcb::forward_z_middle, line.tx, 0., 0.};
    if (!(std::abs(curve.slope) < max_slope)) return;
    Flight now = flight;
    if (bent) {
      now.move_to(lhcb::forward_z_magnet);
      scattered.scatter(now, scattering_angle(magnet_scattering_, particle), draws);
    }
    const double theta = scattering_angle(layer_scattering_, particle);
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      move_to(now, layer, line, qop, curve, scattered);
      if (now.z < flight.z) continue;
      if (now.z > end_z) return;
      if (fibres_.for_each_at(layer, now, visit)) scattered.scatter(now, theta, draws);
    }
  }

  /// The curve of a particle of q/p (1/MeV; of a magnet that points down) from the VELO.
  ScifiCurve curve(const VeloLine& line, double qop) const {
    return scifi_curve(line, qop, *magnet_, chord_z[0], chord_z[1]);
  }

  const ScifiFibres& fibres() const { return fibres_; }

 private:
  /// Ends of the chord with the slope of q/p: between those of the triplets of layers 0, 4, 8 and
  /// 3, 7, 11, whose chords have slopes that differ by 1 % of their change.
  static constexpr std::array<double, 2> chord_z = {0.5 * (lhcb::scifi_z[0] + lhcb::scifi_z[3]),
                                                    0.5 * (lhcb::scifi_z[8] + lhcb::scifi_z[11])};
  /// Slower particles (MeV) curl in the magnet, and the polynomials do not hold for steeper ones.
  static constexpr double min_p = 1000., max_tx = 0.4, max_ty = 0.33, max_slope = 1.;

  /// To the plane of a layer, which leans.
  void move_to(Flight& now, int layer, const VeloLine& line, double qop, const ScifiCurve& curve,
               const ScatteredFlight& scattered) const {
    const double ut_slope = line.tx + lhcb::forward_ut_kick * qop;
    const auto y_at = [&](double z) {
      const double x_ut = line.x + line.tx * z + (z - ut_kink_z) * (ut_slope - line.tx);
      return line.y + line.ty * z + scattered.y_at(z) +
             (*magnet_).y_shift(layer, ut_slope, line.ty, curve.at(z) - x_ut);
    };
    const auto& plane = fibres_.plane(layer);
    const double z = plane.z + plane.dzdy * y_at(plane.z);
    now.z = z;
    now.x = curve.at(z) + scattered.x_at(z);
    now.y = y_at(z);
    now.tx = curve.slope_at(z) + scattered.tx;
    now.ty = line.ty + scattered.ty;
  }

  ScifiFibres fibres_;
  ScifiMagnet magnet_;
  double polarity_;
  double magnet_scattering_;
  double layer_scattering_;
};

}  // namespace trackplex::simulation::detail
