// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Accelerating cavities, as the element RFCA of the accelerator code elegant (M. Borland). The
/// energy of a particle changes by \f[ \Delta E=eV\sin\bigl(\omega(t-t_0)+\varphi\bigr),\f]
/// with the time t of its arrival in the centre and the fiducial time t_0, which is found at the
/// first pass of particles and kept. Particles keep their times of arrival (see `EnergyChange`).

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>

#include <algorithm>
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
  bool by_maps() const;

  /// Returns the linear map for a reference particle of momentum p0 (beta gamma) at the fiducial
  /// phase, by the matrix of the whole cavity or of Rosenzweig and Serafini. After it, delta is
  /// relative to p0 or, with `change_momentum`, to the momentum of the reference particle. The
  /// path before the cavity counts as 0 where times depend on delta.
  /// @throws UsageError if p0 is not above 0 or the particle would be stopped
  TransferMap map_at(double p0, int order = 1) const;

  /// @{ @brief Element interface, see element.hpp. Without a momentum the map is that of a drift.
  static constexpr const char* family = "cavity";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order, double p0 = 0.) const;
  double momentum_behind(double p0) const;
  template <class T, class ExecutionSpace, int Width>
  using Action = RfCavityAction<T, ExecutionSpace, Width>;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/rf_cavity_element.impl.hpp>
#endif
