// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/io/elegant/detail/elegant_run_items.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <cmath>
#include <optional>
#include <string>

/// @file
/// Bunches of run files.

namespace trackplex::io::detail {

/// beta, alpha and dispersion of a plane.
inline void set_optics(simulation::BunchPlane& plane, const RunValues& values, bool is_x) {
  const auto of = [&](std::string name, double standard) {
    return values.number(name + (is_x ? "_x" : "_y"), standard);
  };
  plane.beta = of("beta", 1.);
  plane.alpha = of("alpha", 0.);
  plane.dispersion = of("eta", 0.);
  plane.dispersion_slope = of("etap", 0.);
}

/// Length and momentum spread, from sigma_s and sigma_dp or the longitudinal emittance, and their
/// correlation from one of three numbers.
inline void set_length_and_spread(simulation::BunchParams& bunch, const RunValues& values) {
  const double emittance = values.number("emit_z", 0.), beta = values.number("beta_z", 0.),
               alpha = values.number("alpha_z", 0.);
  values.require(emittance == 0. || (emittance > 0. && beta > 0.), "emit_z",
                 "it and beta_z are above 0");
  const bool is_plane = emittance > 0.;
  bunch.sigma_s = is_plane ? std::sqrt(emittance * beta) : values.number("sigma_s", 0.);
  const double spread =
      is_plane ? std::sqrt(emittance * (1. + alpha * alpha) / beta) : values.number("sigma_dp", 0.);
  const double coupling = values.number("dp_s_coupling", -alpha / hypot(1., alpha));
  values.require(std::abs(coupling) <= 1., "dp_s_coupling", "it is -1 to 1");
  bunch.sigma_delta = spread * std::sqrt(1. - coupling * coupling);
  bunch.chirp = values.number("momentum_chirp", 0.);
  if (bunch.sigma_s > 0.) bunch.chirp += coupling * spread / bunch.sigma_s;
}

inline void set_distribution(simulation::BunchParams& bunch, const RunValues& values) {
  const bool has_size[] = {bunch.x.emittance > 0., bunch.y.emittance > 0.,
                           bunch.sigma_s > 0. || bunch.sigma_delta > 0.};
  bunch.cutoff = 2.;
  std::optional<double> cutoff;
  for (int plane = 0; plane < 3; ++plane) {
    if (!has_size[plane]) continue;
    const auto type = lower_case(values.text("distribution_type", "gaussian", plane));
    values.require(type == "gaussian", "distribution_type", "only gaussian ones are generated",
                   "give the bunch as a file (sdds_beam)", plane);
    const double of_plane = values.number("distribution_cutoff", 2., plane);
    values.require(!cutoff || *cutoff == of_plane, "distribution_cutoff",
                   "it is the same in all planes here", {}, plane);
    cutoff = of_plane;
    bunch.exact_moments |= values.number("enforce_rms_values", 0., plane) != 0.;
  }
  bunch.cutoff = cutoff.value_or(2.);
  bunch.exact_moments &= bunch.particles > 6;
}

/// The bunch of bunched_beam, for a reference momentum.
/// @throws InputError if it cannot be generated
inline simulation::BunchParams bunch_of(const RunValues& values, double p0) {
  simulation::BunchParams bunch{.p0 = p0, .charge = 0.};
  bunch.particles = values.integer("n_particles_per_bunch", 1);
  values.require(bunch.particles >= 1, "n_particles_per_bunch", "it is 1 and more");
  const double own_p0 = values.number("po", 0.) > 0. ? values.number("po", 0.) : p0;
  for (const bool is_x : {true, false}) {
    auto& plane = is_x ? bunch.x : bunch.y;
    plane = {};
    set_optics(plane, values, is_x);
    plane.emittance = values.number(is_x ? "emit_x" : "emit_y", 0.);
    if (plane.emittance == 0.)
      plane.emittance = values.number(is_x ? "emit_nx" : "emit_ny", 0.) / own_p0;
    plane.position = values.number("centroid", 0., is_x ? 0 : 2);
    plane.slope = values.number("centroid", 0., is_x ? 1 : 3);
  }
  set_length_and_spread(bunch, values);
  const double ratio = own_p0 / p0;  // delta is relative to the momentum of the bunch
  bunch.mean_s = values.number("centroid", 0., 4);
  bunch.mean_delta = ratio * (1. + values.number("centroid", 0., 5)) - 1.;
  bunch.sigma_delta *= ratio;
  bunch.chirp *= ratio;
  set_distribution(bunch, values);
  try {
    bunch.check();
  } catch (const UsageError& error) {
    values.refuse("n_particles_per_bunch", error.what());
  }
  return bunch;
}

}  // namespace trackplex::io::detail
