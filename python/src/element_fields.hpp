// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/collective/csr_drift.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/collective/space_charge_kick.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/center.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/expanded_drift.hpp>
#include <trackplex/beam/elements/line_segment_map.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/elements/remove_correlations.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/scatter.hpp>
#include <trackplex/beam/elements/solenoid_field.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>

#include <tuple>

/// @file
/// Names of the members of elements that Python knows, and of their parts. `trackplex/beam.py` has
/// a class with the same members and defaults for each.

namespace trackplex::python {

/// Member of a struct with its name; without a name, the fields of the member count as the
/// struct's.
template <class Struct, class T>
struct Field {
  const char* name;
  T Struct::*member;
};
template <class Struct, class T>
Field(const char*, T Struct::*) -> Field<Struct, T>;

/// Names of the values of an enumeration, in order from 0.
template <class Enum>
struct EnumNames;

/// `fields`: a tuple of the fields of a struct.
template <class Struct>
struct FieldsOf {
  static constexpr bool is_none = true;
};

#define TRACKPLEX_FIELDS(STRUCT, ...)                       \
  template <>                                               \
  struct FieldsOf<STRUCT> {                                 \
    using S [[maybe_unused]] = STRUCT;                      \
    static constexpr bool is_none = false;                  \
    static constexpr auto fields = std::tuple{__VA_ARGS__}; \
  };
#define TRACKPLEX_FIELD(NAME) \
  Field { #NAME, &S::NAME }
#define TRACKPLEX_ENUM(ENUM, ...)                         \
  template <>                                             \
  struct EnumNames<ENUM> {                                \
    static constexpr const char* names[] = {__VA_ARGS__}; \
  };

TRACKPLEX_ENUM(beam::Aperture::Shape, "rectangle", "ellipse")
TRACKPLEX_ENUM(beam::Aperture::Open, "none", "plus_x", "minus_x", "plus_y", "minus_y")
TRACKPLEX_ENUM(beam::EdgeEffects, "none", "slopes", "hwang", "canonical", "linear", "exact")
TRACKPLEX_ENUM(beam::Scraper::From, "none", "plus_x", "minus_x", "plus_y", "minus_y", "both_x",
               "both_y")
TRACKPLEX_ENUM(beam::RfCavity::Fiducial, "mean_time", "light", "max_momentum")
TRACKPLEX_ENUM(beam::RfCavity::BodyFocus, "none", "standing_wave", "travelling_wave")
TRACKPLEX_ENUM(beam::CsrDrift::Field, "none", "constant", "decaying", "overtaking", "transient")
TRACKPLEX_ENUM(beam::SpaceChargeModel, "three_dimensional", "projected")
TRACKPLEX_ENUM(beam::Coordinate, "x", "xp", "y", "yp", "s", "delta")

TRACKPLEX_FIELDS(beam::Misalignment, TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dy),
                 TRACKPLEX_FIELD(tilt), TRACKPLEX_FIELD(dz))
TRACKPLEX_FIELDS(beam::Aperture, TRACKPLEX_FIELD(shape), TRACKPLEX_FIELD(x_max),
                 TRACKPLEX_FIELD(y_max), TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dy),
                 TRACKPLEX_FIELD(x_exponent), TRACKPLEX_FIELD(y_exponent),
                 TRACKPLEX_FIELD(is_inverted), TRACKPLEX_FIELD(open), TRACKPLEX_FIELD(tilt),
                 TRACKPLEX_FIELD(x_corner), TRACKPLEX_FIELD(y_corner))
TRACKPLEX_FIELDS(beam::QuadrupoleFringe, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(entrance),
                 TRACKPLEX_FIELD(exit))
TRACKPLEX_FIELDS(beam::Multipoles, TRACKPLEX_FIELD(normal), TRACKPLEX_FIELD(skew))
TRACKPLEX_FIELDS(beam::SectorBend, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(angle),
                 TRACKPLEX_FIELD(k1), TRACKPLEX_FIELD(k2), TRACKPLEX_FIELD(entrance),
                 TRACKPLEX_FIELD(exit), TRACKPLEX_FIELD(half_gap), TRACKPLEX_FIELD(fringe),
                 TRACKPLEX_FIELD(entrance_edge), TRACKPLEX_FIELD(exit_edge),
                 TRACKPLEX_FIELD(entrance_curvature), TRACKPLEX_FIELD(exit_curvature),
                 TRACKPLEX_FIELD(dipole_error), TRACKPLEX_FIELD(error_tilt),
                 TRACKPLEX_FIELD(edge_order))
TRACKPLEX_FIELDS(beam::FrequencyCutoff, TRACKPLEX_FIELD(begin), TRACKPLEX_FIELD(end))

TRACKPLEX_FIELDS(beam::Drift, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(order))
TRACKPLEX_FIELDS(beam::ExactDrift, TRACKPLEX_FIELD(length))
TRACKPLEX_FIELDS(beam::Monitor, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(order))
TRACKPLEX_FIELDS(beam::Quadrupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k1),
                 TRACKPLEX_FIELD(order), TRACKPLEX_FIELD(misalignment), TRACKPLEX_FIELD(fringe),
                 TRACKPLEX_FIELD(horizontal), TRACKPLEX_FIELD(vertical))
TRACKPLEX_FIELDS(beam::Sextupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k2),
                 TRACKPLEX_FIELD(order), TRACKPLEX_FIELD(misalignment), TRACKPLEX_FIELD(k1),
                 TRACKPLEX_FIELD(j1))
TRACKPLEX_FIELDS(beam::Octupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k3),
                 TRACKPLEX_FIELD(order), TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::Solenoid, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(ks),
                 TRACKPLEX_FIELD(order), TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::Bend, Field{"", &S::magnet}, TRACKPLEX_FIELD(order),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::Kicker, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(horizontal),
                 TRACKPLEX_FIELD(vertical), TRACKPLEX_FIELD(tilt), TRACKPLEX_FIELD(order),
                 TRACKPLEX_FIELD(b2), TRACKPLEX_FIELD(edges))
TRACKPLEX_FIELDS(beam::CanonicalQuadrupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k1),
                 TRACKPLEX_FIELD(slices), TRACKPLEX_FIELD(integration_order),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::CanonicalSextupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k2),
                 TRACKPLEX_FIELD(slices), TRACKPLEX_FIELD(integration_order),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::CanonicalMultipole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(field),
                 TRACKPLEX_FIELD(slices), TRACKPLEX_FIELD(integration_order),
                 TRACKPLEX_FIELD(misalignment), TRACKPLEX_FIELD(expanded),
                 TRACKPLEX_FIELD(radiates), TRACKPLEX_FIELD(quantum))
TRACKPLEX_FIELDS(beam::CanonicalBend, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(angle),
                 TRACKPLEX_FIELD(strengths), TRACKPLEX_FIELD(entrance), TRACKPLEX_FIELD(exit),
                 TRACKPLEX_FIELD(entrance_curve), TRACKPLEX_FIELD(exit_curve),
                 TRACKPLEX_FIELD(half_gap), TRACKPLEX_FIELD(fringe),
                 TRACKPLEX_FIELD(entrance_effects), TRACKPLEX_FIELD(exit_effects),
                 TRACKPLEX_FIELD(edge_order), TRACKPLEX_FIELD(field_error), TRACKPLEX_FIELD(slices),
                 TRACKPLEX_FIELD(integration_order), TRACKPLEX_FIELD(nonlinear),
                 TRACKPLEX_FIELD(expansion_order), TRACKPLEX_FIELD(horizontal_kick),
                 TRACKPLEX_FIELD(vertical_kick), TRACKPLEX_FIELD(error_tilt),
                 TRACKPLEX_FIELD(expanded), TRACKPLEX_FIELD(closed), TRACKPLEX_FIELD(is_corrected),
                 TRACKPLEX_FIELD(radiates), TRACKPLEX_FIELD(quantum), TRACKPLEX_FIELD(misalignment),
                 TRACKPLEX_FIELD(k0), TRACKPLEX_FIELD(exit_fringe), TRACKPLEX_FIELD(crossing),
                 TRACKPLEX_FIELD(is_rigid))
TRACKPLEX_FIELDS(beam::ThinBend, TRACKPLEX_FIELD(angle), TRACKPLEX_FIELD(field),
                 TRACKPLEX_FIELD(field_length), TRACKPLEX_FIELD(misalignment),
                 TRACKPLEX_FIELD(has_curved_gradient))
TRACKPLEX_FIELDS(beam::Collimator, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(aperture))
TRACKPLEX_FIELDS(beam::Scraper, TRACKPLEX_FIELD(length), Field{"side", &S::from},
                 TRACKPLEX_FIELD(position), TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dy))
TRACKPLEX_FIELDS(beam::MaxAmplitude, TRACKPLEX_FIELD(aperture))
TRACKPLEX_FIELDS(beam::Rotator, TRACKPLEX_FIELD(tilt))
TRACKPLEX_FIELDS(beam::Marker)
TRACKPLEX_FIELDS(beam::Charge, TRACKPLEX_FIELD(total), TRACKPLEX_FIELD(per_particle))
TRACKPLEX_FIELDS(beam::RfCavity, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(voltage),
                 TRACKPLEX_FIELD(phase), TRACKPLEX_FIELD(frequency), TRACKPLEX_FIELD(quality),
                 TRACKPLEX_FIELD(phase_reference), TRACKPLEX_FIELD(change_momentum),
                 TRACKPLEX_FIELD(change_time), TRACKPLEX_FIELD(fiducial),
                 TRACKPLEX_FIELD(entrance_focus), TRACKPLEX_FIELD(exit_focus),
                 TRACKPLEX_FIELD(body_focus), TRACKPLEX_FIELD(kicks),
                 TRACKPLEX_FIELD(standing_wave), TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dy),
                 TRACKPLEX_FIELD(reference_time), TRACKPLEX_FIELD(linearize),
                 TRACKPLEX_FIELD(lock_phase), TRACKPLEX_FIELD(rest_energy))
TRACKPLEX_FIELDS(beam::SpaceChargeDrift, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(effective_length),
                 TRACKPLEX_FIELD(bins), TRACKPLEX_FIELD(smoothing),
                 TRACKPLEX_FIELD(smoothing_half_width), TRACKPLEX_FIELD(smoothing_order),
                 TRACKPLEX_FIELD(interpolate), TRACKPLEX_FIELD(low_frequency),
                 TRACKPLEX_FIELD(high_frequency), TRACKPLEX_FIELD(radius_factor),
                 TRACKPLEX_FIELD(space_charge), TRACKPLEX_FIELD(max_steps))
TRACKPLEX_FIELDS(beam::ExpandedDrift, TRACKPLEX_FIELD(length))
TRACKPLEX_FIELDS(beam::ChromaticQuadrupole, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(k1),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::ExactSolenoid, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(ks),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::SolenoidField, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(field),
                 TRACKPLEX_FIELD(order), TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::ExactKicker, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(horizontal),
                 TRACKPLEX_FIELD(vertical), TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::DipoleEdge, TRACKPLEX_FIELD(curvature), TRACKPLEX_FIELD(angle),
                 TRACKPLEX_FIELD(half_gap), TRACKPLEX_FIELD(fringe), TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::Displacement, TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dxp), TRACKPLEX_FIELD(dy),
                 TRACKPLEX_FIELD(dyp), TRACKPLEX_FIELD(dz), TRACKPLEX_FIELD(dt),
                 TRACKPLEX_FIELD(dp), TRACKPLEX_FIELD(de), TRACKPLEX_FIELD(on_pass))
TRACKPLEX_FIELDS(beam::PlaneRotation, TRACKPLEX_FIELD(angle), TRACKPLEX_FIELD(is_vertical))
TRACKPLEX_FIELDS(beam::LineSegmentMap::Plane, TRACKPLEX_FIELD(tune), TRACKPLEX_FIELD(chromaticity),
                 TRACKPLEX_FIELD(chromaticity2), TRACKPLEX_FIELD(chromaticity3),
                 TRACKPLEX_FIELD(detuning_x), TRACKPLEX_FIELD(detuning2_x),
                 TRACKPLEX_FIELD(detuning_y), TRACKPLEX_FIELD(detuning2_y),
                 TRACKPLEX_FIELD(detuning_xy), TRACKPLEX_FIELD(beta),
                 TRACKPLEX_FIELD(beta_derivative), TRACKPLEX_FIELD(alpha),
                 TRACKPLEX_FIELD(alpha_derivative), TRACKPLEX_FIELD(eta),
                 TRACKPLEX_FIELD(eta_slope), TRACKPLEX_FIELD(eta_derivative),
                 TRACKPLEX_FIELD(eta_slope_derivative))
TRACKPLEX_FIELDS(beam::LineSegmentMap, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(x),
                 TRACKPLEX_FIELD(y), TRACKPLEX_FIELD(compaction), TRACKPLEX_FIELD(compaction2),
                 TRACKPLEX_FIELD(compaction3), TRACKPLEX_FIELD(longer_x),
                 TRACKPLEX_FIELD(longer2_x), TRACKPLEX_FIELD(longer_y), TRACKPLEX_FIELD(longer2_y),
                 TRACKPLEX_FIELD(longer_xy), TRACKPLEX_FIELD(tilt), TRACKPLEX_FIELD(may_cross))
TRACKPLEX_FIELDS(beam::Scatter, TRACKPLEX_FIELD(dx), TRACKPLEX_FIELD(dxp), TRACKPLEX_FIELD(dy),
                 TRACKPLEX_FIELD(dyp), TRACKPLEX_FIELD(dp), TRACKPLEX_FIELD(probability),
                 TRACKPLEX_FIELD(is_uniform), TRACKPLEX_FIELD(first_turn),
                 TRACKPLEX_FIELD(last_turn))
TRACKPLEX_FIELDS(beam::Center, TRACKPLEX_FIELD(x), TRACKPLEX_FIELD(xp), TRACKPLEX_FIELD(y),
                 TRACKPLEX_FIELD(yp), TRACKPLEX_FIELD(s), TRACKPLEX_FIELD(delta),
                 TRACKPLEX_FIELD(time))
TRACKPLEX_FIELDS(beam::RemoveCorrelations, Field{"of", &S::from}, Field{"other", &S::with})
TRACKPLEX_FIELDS(beam::RfDeflector, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(voltage),
                 TRACKPLEX_FIELD(phase), TRACKPLEX_FIELD(frequency), TRACKPLEX_FIELD(kicks),
                 TRACKPLEX_FIELD(standing_wave), TRACKPLEX_FIELD(magnetic),
                 TRACKPLEX_FIELD(misalignment))
TRACKPLEX_FIELDS(beam::CsrBend, Field{"", &S::magnet}, TRACKPLEX_FIELD(bins),
                 TRACKPLEX_FIELD(range_factor), TRACKPLEX_FIELD(smoothing_half_width),
                 TRACKPLEX_FIELD(smoothing_order), TRACKPLEX_FIELD(derivative_half_width),
                 TRACKPLEX_FIELD(derivative_order), TRACKPLEX_FIELD(radiation),
                 TRACKPLEX_FIELD(steady_state), TRACKPLEX_FIELD(radiates_behind),
                 TRACKPLEX_FIELD(angle_before))
TRACKPLEX_FIELDS(beam::CsrDrift, TRACKPLEX_FIELD(length), TRACKPLEX_FIELD(field),
                 TRACKPLEX_FIELD(steps), TRACKPLEX_FIELD(step_length),
                 TRACKPLEX_FIELD(attenuation_length), TRACKPLEX_FIELD(overtaking_factor))
TRACKPLEX_FIELDS(beam::SpaceChargeKick, TRACKPLEX_FIELD(effective_length), TRACKPLEX_FIELD(model),
                 TRACKPLEX_FIELD(cells), TRACKPLEX_FIELD(margin), TRACKPLEX_FIELD(pipe_radius))

#undef TRACKPLEX_FIELDS
#undef TRACKPLEX_FIELD
#undef TRACKPLEX_ENUM

/// The types of elements that Python makes and reads, by name.
// clang-format off
#define TRACKPLEX_ELEMENT_TYPES(TYPE)                                                              \
  TYPE(Drift) TYPE(ExactDrift) TYPE(ExpandedDrift) TYPE(Monitor) TYPE(Quadrupole) TYPE(Sextupole)  \
  TYPE(Octupole) TYPE(Solenoid) TYPE(SolenoidField) TYPE(Bend) TYPE(Kicker)                        \
  TYPE(CanonicalQuadrupole) TYPE(ChromaticQuadrupole) TYPE(CanonicalSextupole)                     \
  TYPE(CanonicalMultipole) TYPE(CanonicalBend) TYPE(ThinBend) TYPE(DipoleEdge)                     \
  TYPE(ExactSolenoid) TYPE(ExactKicker) TYPE(Collimator) TYPE(Scraper) TYPE(MaxAmplitude)          \
  TYPE(Rotator) TYPE(PlaneRotation) TYPE(Displacement) TYPE(LineSegmentMap) TYPE(Scatter)          \
  TYPE(Marker) TYPE(Center) TYPE(RemoveCorrelations) TYPE(Charge) TYPE(RfCavity)                   \
  TYPE(RfDeflector) TYPE(SpaceChargeDrift) TYPE(SpaceChargeKick) TYPE(CsrBend) TYPE(CsrDrift)
// clang-format on

}  // namespace trackplex::python
