// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/material_effects.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks_in_field.hpp>
#include <trackplex/lhcb/fit/magnet_map.hpp>

#include "lhcb/fit/fit_events.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

/// Long tracks in the field of a dipole magnet with fringe fields, and their hits. The same on all
/// machines.

namespace trackplex::test {

/// Dipole of 4 T m, without x dependence.
inline geometry::DipoleField dipole_of_lhcb(double polarity) {
  return {polarity, 300., 700., 100.};
}

/// A map of it.
inline geometry::FieldGrid map_of_lhcb(double polarity, double cell = 10.) {
  const auto axis = [&](double first, double last) {
    return geometry::GridAxis{first, last, 1 + int(std::lround((last - first) / cell))};
  };
  return geometry::sample_field({-360., 360., 3}, axis(-200., 200.), axis(-100., 1000.),
                                dipole_of_lhcb(polarity));
}

/// Which uncertainties generated tracks have.
struct FieldTrackNoise {
  bool hits = true, material = true;
};

/// Makes tracks of 2.5 to 50 GeV. Their equation of motion, in z, is integrated by the classical
/// method of Runge and Kutta.
class FieldTrackGenerator {
 public:
  FieldTrackGenerator(unsigned seed, double polarity, FieldTrackNoise noise = {})
      : field_(dipole_of_lhcb(polarity)), noise_(noise), random_(seed) {}

  LongFitEvent event(int n) {
    LongFitEvent event;
    for (int i = 0; i < n; ++i) event.push_back(track(i % 4 != 1));
    return event;
  }

  static lhcb::LongFitParams params() {
    lhcb::LongFitParams params;
    params.noise = 1.;
    return params;
  }

 private:
  using State = lhcb::KalmanState<double>;
  struct Slopes {
    double x, y, tx, ty;  ///< of a state with respect to z
  };

  /// Nearly normal.
  double normal() {
    double sum = -6.;
    for (int i = 0; i < 12; ++i) sum += random_.between(0., 1.);
    return sum;
  }
  double of_hits(double sigma) { return noise_.hits ? sigma * normal() : 0.; }

  /// d/dz of a state (mm, T, 1/MeV).
  Slopes slopes(const State& s) const {
    const auto b = field_(0.1 * s.x, 0.1 * s.y, 0.1 * s.z);
    const double tx2 = s.tx * s.tx, ty2 = s.ty * s.ty;
    const double kappa = 0.299792458 * s.qop * std::sqrt(1. + tx2 + ty2);
    return {s.tx, s.ty, kappa * (s.tx * s.ty * b(0) - (1. + tx2) * b(1) + s.ty * b(2)),
            kappa * ((1. + ty2) * b(0) - s.tx * s.ty * b(1) - s.tx * b(2))};
  }
  static State moved(const State& s, const Slopes& d, double dz) {
    return {s.x + dz * d.x, s.y + dz * d.y, s.z + dz, s.tx + dz * d.tx, s.ty + dz * d.ty, s.qop};
  }
  State at(State s, double z) const {
    const int steps = 1 + int(std::abs(z - s.z) / 20.);
    const double h = (z - s.z) / steps;
    for (int i = 0; i < steps; ++i) {
      const auto a = slopes(s), b = slopes(moved(s, a, 0.5 * h)), c = slopes(moved(s, b, 0.5 * h)),
                 d = slopes(moved(s, c, h));
      s = moved(s,
                {(a.x + 2. * (b.x + c.x) + d.x) / 6., (a.y + 2. * (b.y + c.y) + d.y) / 6.,
                 (a.tx + 2. * (b.tx + c.tx) + d.tx) / 6., (a.ty + 2. * (b.ty + c.ty) + d.ty) / 6.},
                h);
    }
    s.z = z;
    return s;
  }
  /// On the plane z = z0 + dz/dy y.
  State on_plane(const State& s, double z0) const {
    auto on = at(s, z0);
    for (int i = 0; i < 4; ++i) on = at(on, z0 + lhcb::scifi_dzdy * on.y);
    return on;
  }
  /// Scatters in a thickness of radiation lengths along z.
  void scatter(State& s, double thickness) {
    if (!noise_.material) return;
    const double p = 0.001 / std::abs(s.qop), n2 = 1. + s.tx * s.tx + s.ty * s.ty;
    const kalman::Kinematics<double> particle(p, kalman::pion_mass);
    const double angle =
        kalman::highland_angle(p, particle.beta, 1., thickness * std::sqrt(n2)) * std::sqrt(n2);
    const double x2 = 1. + s.tx * s.tx, xy = s.tx * s.ty, y2 = 1. + s.ty * s.ty;
    const double u = normal(), v = normal();
    s.tx += angle * std::sqrt(x2) * u;
    s.ty += angle * (xy / std::sqrt(x2) * u + std::sqrt(y2 - xy * xy / x2) * v);
  }
  LongFitHit strip(const State& s, double dxdy, double sigma, double z, int size) {
    return {s.x - s.y * dxdy + of_hits(sigma * std::sqrt(1. + dxdy * dxdy)), 0., z, size};
  }

  LongFitTrack track(bool in_ut) {
    LongFitTrack t{};
    t.in_ut = in_ut;
    auto& s = t.truth;
    s.tx = random_.between(-0.12, 0.12);
    s.ty = random_.between(0.02, 0.1);
    if (random_.between(0., 1.) < 0.5) s.ty = -s.ty;
    s.qop = random_.between(2e-5, 4e-4);
    if (random_.between(0., 1.) < 0.5) s.qop = -s.qop;
    s.z = random_.between(0., 100.);
    s.x = s.tx * s.z + random_.between(-0.1, 0.1);
    s.y = s.ty * s.z + random_.between(-0.1, 0.1);
    t.found_qop = s.qop * (1. + 0.01 * normal());
    auto state = s;
    const int n = 3 + int(random_.between(0., 9.));
    const double sigma = params().velo_sigma;
    for (int h = 0; h < n; ++h) {
      if (h > 0) state = at(state, state.z + random_.between(25., 60.));
      t.velo.push_back({state.x + of_hits(sigma), state.y + of_hits(sigma), state.z, 0});
      scatter(state, material_.velo);
    }
    downstream(t, state);
    return t;
  }
  void cross(State& s, const std::array<lhcb::LongTrackPlane, 2>& planes) {
    for (const auto& plane : planes) {
      s = at(s, plane.z);
      scatter(s, plane.radiation_lengths);
    }
  }
  void downstream(LongFitTrack& t, State s) {
    cross(s, material_.before_ut);
    for (std::size_t i = 0; i < lhcb::ut_layers; ++i) {
      s = at(s, material_.ut_z[i]);
      t.has_ut[i] = random_.between(0., 1.) < 0.9;
      t.ut[i] = strip(s, lhcb::ut_dxdy[i], LongFitGenerator::ut_sigma, s.z, 0);
      scatter(s, material_.ut);
    }
    cross(s, material_.in_magnet);
    for (std::size_t i = 0; i < lhcb::scifi_layers; ++i) {
      const double z0 = lhcb::scifi_z[i];
      s = on_plane(s, z0);
      t.has_scifi[i] = random_.between(0., 1.) < 0.95;
      const int size = 4 + int(random_.between(0., 5.));
      t.scifi[i] = strip(s, lhcb::scifi_dxdy[i], params().scifi_sigma[std::size_t(size)], z0, size);
      scatter(s, material_.scifi);
    }
    s = at(s, lhcb::scifi_end_z);
    t.found_end = {s.x + normal(),          s.y + 5. * normal(),     s.z,
                   s.tx + 0.001 * normal(), s.ty + 0.001 * normal(), s.qop};
  }

  geometry::DipoleField field_;
  FieldTrackNoise noise_;
  lhcb::LongTrackMaterial material_;
  ForwardRandom random_;
};

/// Fits of generated events in a field on a space.
template <class T, int Width, class Space, class Field>
LongFitsOnHost field_fits_on(const std::vector<LongFitEvent>& events, const Field& field,
                             const lhcb::LongFieldSetup<T>& setup, int team_size = 0) {
  const lhcb::FitLongTracksInField<T, Space, Width, Field> fit{setup, field, true, team_size};
  return long_fits_by<T>(Space(), fit, events);
}

/// In a map of the field, or in the field.
template <class T, int Width, class Space>
LongFitsOnHost map_fits_on(const std::vector<LongFitEvent>& events, double polarity,
                           int team_size = 0) {
  return field_fits_on<T, Width, Space>(
      events, lhcb::magnet_map<T>(Space(), map_of_lhcb(polarity), polarity),
      lhcb::long_field_setup<T>(FieldTrackGenerator::params()), team_size);
}
template <class T, int Width, class Space>
LongFitsOnHost dipole_fits_on(const std::vector<LongFitEvent>& events, double polarity) {
  return field_fits_on<T, Width, Space>(events, kalman::field_for<T>(dipole_of_lhcb(polarity)),
                                        lhcb::long_field_setup<T>(FieldTrackGenerator::params()));
}

}  // namespace trackplex::test
