// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Accelerating cavities, as the element RFCA of the accelerator code elegant (M. Borland). The
/// energy of a particle changes by \f[ \Delta E=eV\sin\bigl(\omega(t-t_0)+\varphi\bigr),\f]
/// with the time t of its arrival in the centre and the fiducial time t_0, which is found at the
/// first pass of particles and kept. Particles keep their times of arrival (see `EnergyChange`).

#include <trackplex/beam/elements.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class RfCavityAction;

/// Accelerating cavity (RFCA).
struct RfCavity {
  /// Whose arrival in the centre of the first slice is the fiducial time.
  enum class Fiducial {
    mean_time,    ///< Mean time of all particles, as if they moved along the axis ("tmean").
    light,        ///< Light that left the start of the line at time 0 ("light").
    max_momentum  ///< The particle of the highest momentum, the first of several ("pmaximum").
  };
  /// Transverse focusing of the body.
  enum class BodyFocus {
    none,            ///< Adiabatic damping only.
    standing_wave,   ///< Standing waves, J. Rosenzweig and L. Serafini ("SRS").
    travelling_wave  ///< Travelling waves, as kicks in at least 10 slices ("TW1").
  };

  double length = 0.;      ///< Length, m; 0: one change of energy at a place.
  double voltage = 0.;     ///< Voltage, V; 0: an exact drift.
  double phase = 0.;       ///< Phase, rad; pi/2: the crest, 0: rising with later arrival.
  double frequency = 5e8;  ///< Frequency, Hz; 0: a constant field.
  /// Quality factor Q: the field fills the cavity as (1 - exp(-omega (t - t_0)/Q))^(1/2), and is 0
  /// before t_0; 0: a constant amplitude.
  double quality = 0.;
  long phase_reference = 0;      ///< Cavities of one number above 0 share the first one's t_0.
  bool change_momentum = false;  ///< Whether the mean momentum becomes the reference momentum.
  bool change_time = false;      ///< Whether whole periods are subtracted from times before.
  Fiducial fiducial = Fiducial::mean_time;  ///< Fiducial particle.
  bool entrance_focus = false;              ///< Whether the field of the entrance focuses.
  bool exit_focus = false;                  ///< Whether the field of the exit defocuses.
  BodyFocus body_focus = BodyFocus::none;   ///< Focusing of the body.
  int kicks = 0;               ///< Slices with a kick in the centre; 0: one slice by its map.
  bool standing_wave = false;  ///< Whether all slices have one phase; else it moves with light.
  double dx = 0.;              ///< Horizontal displacement, m.
  double dy = 0.;              ///< Vertical displacement, m.
  std::optional<double> reference_time{};  ///< Fiducial time t_0, s, instead of a particle's.
  bool linearize = false;   ///< Whether the field is linear in time about the mean time of a pass.
  bool lock_phase = false;  ///< Whether t_0 is the mean time of each pass.
  /// Rest energy of the particles over their charge, eV; electrons have that of elegant.
  double rest_energy = constants::elegant::electron_energy;

  /// Returns the number of slices.
  int slices() const { return length == 0. ? 1 : std::max(1, kicks); }
  /// Returns whether particles pass slices by maps; else by drifts and kicks.
  bool by_maps() const {
    return body_focus == BodyFocus::standing_wave || (length != 0. && kicks == 0);
  }

  /// Returns the linear map for a reference particle of momentum p0 (beta gamma) at the fiducial
  /// phase, by the matrix of the whole cavity or of Rosenzweig and Serafini. Behind it, delta is
  /// relative to p0 or, with `change_momentum`, to the momentum of the reference particle. The
  /// path before the cavity counts as 0 where times depend on delta.
  /// @throws UsageError if p0 is not above 0 or the particle would be stopped
  TransferMap map_at(double p0, int order = 1) const;

  /// @{ @brief As of all elements, see element.hpp. Without a momentum the map is that of a drift.
  static constexpr const char* family = "cavity";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order, double p0 = 0.) const {
    return p0 > 0. ? map_at(p0, order) : drift_map(length, order);
  }
  double momentum_behind(double p0) const;
  template <class T, class ExecutionSpace, int Width>
  using Action = RfCavityAction<T, ExecutionSpace, Width>;
  /// @}
};

inline void RfCavity::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("voltage", voltage);
  check.finite("phase", phase);
  check.not_negative("frequency", frequency);
  check.not_negative("quality factor", quality);
  check.finite("displacement in x", dx);
  check.finite("displacement in y", dy);
  check.not_negative("number of kicks", kicks);
  check.not_negative("number of its phase reference", double(phase_reference));
  if (reference_time) check.finite("fiducial time", *reference_time);
  check.finite("rest energy", rest_energy);
  if (!(rest_energy > 0.)) check.refuse("rest energy", rest_energy, "it must be above 0");
  if (body_focus == BodyFocus::standing_wave && length == 0.)
    check.refuse("length", length, "focusing by standing waves needs a length above 0");
  if (body_focus == BodyFocus::travelling_wave && kicks < 10)
    check.refuse("number of kicks", kicks, "focusing by travelling waves needs at least 10");
  if ((linearize || lock_phase) && slices() > 1)
    check.refuse("number of kicks", kicks,
                 "a cavity with a linear field or a locked phase has at most 1");
  if (change_time && quality != 0.)
    check.refuse("quality factor", quality, "a cavity that subtracts periods cannot fill");
}

inline double RfCavity::momentum_behind(double p0) const {
  if (!change_momentum) return p0;
  const double energy = std::sqrt(1. + p0 * p0) + voltage / rest_energy * sin(phase);
  return std::sqrt(std::max(0., energy * energy - 1.));
}

inline TransferMap RfCavity::map_at(double p0, int order) const {
  if (!(p0 > 0.))
    throw UsageError("cavity", "the momentum of its map is not above 0", shortest(p0));
  const double g = std::sqrt(1. + p0 * p0);
  const double volts = voltage / rest_energy;
  const double gain = volts * sin(phase), g1 = g + gain;
  if (!(g1 > 1.)) throw UsageError("cavity", "it stops the reference particle", shortest(gain));
  const double p1 = std::sqrt(g1 * g1 - 1.), u1 = p1 / p0;
  const double per_s =
      volts * cos(phase) * 2. * std::numbers::pi * frequency / constants::speed_of_light * g / p0;
  TransferMap map = TransferMap::identity(order);
  const auto planes = [&](int i, int j, double value) {
    map.R(i, j) = map.R(i + 2, j + 2) = value;
  };
  if (volts == 0.) return drift_map(length, order);
  if (length != 0. && body_focus == BodyFocus::standing_wave) {
    const double log_gain = log(g1 / g), sine = sin(phase);
    const double two_sqrt2 = 2. * std::numbers::sqrt2;
    const double alpha =
        std::abs(sine) > 1e-6 ? log_gain / (two_sqrt2 * sine) : volts / g / two_sqrt2;
    planes(1, 1, cos(alpha));
    planes(1, 2, two_sqrt2 * g * length / volts * sin(alpha));
    planes(2, 1, -volts * sin(alpha) / (two_sqrt2 * length * g1));
    planes(2, 2, cos(alpha) * g / g1);
  } else {
    // Energy grows along it in proportion to the length: the integral of p0/p
    const double growth = (1. + (g + g1) / (p0 + p1)) / (g + p0);  // of g + p, over the gain
    planes(1, 2, gain == 0. ? length : length * p0 / gain * log1p(gain * growth));
    planes(2, 2, 1. / u1);
  }
  // Lenses at the ends: entrance first, exit last
  const double lens = length == 0. ? 0. : 0.5 * gain / length;
  TransferMap entrance = TransferMap::identity(order), exit = entrance;
  for (const int i : {1, 3}) {
    if (entrance_focus) entrance.R(i + 1, i) = -lens / g;
    if (exit_focus) exit.R(i + 1, i) = lens / g1;
  }
  // Derivatives of p1/p0 by s and delta, and of the velocity over that at the entrance, times
  // length
  const double by_s = g1 / p1 * per_s / p0;
  const double by_delta = (p0 / g) / (p1 / g1) - by_s * 0.5 * length / (g * g);
  const double velocity = (p1 / g1) / (p0 / g), scale = change_momentum ? 1. / u1 : 1.;
  const double by_momentum = length * g / (g1 * g1 * g1);
  map.R(5, 5) = velocity + by_momentum * by_s;
  map.R(5, 6) = by_momentum * by_delta - velocity * length / (g * g);
  map.R(6, 5) = scale * by_s;
  map.R(6, 6) = scale * by_delta;
  if (!change_momentum) map.C(6) = u1 - 1.;
  return concatenated(concatenated(entrance, map), exit);
}

}  // namespace trackplex::beam
