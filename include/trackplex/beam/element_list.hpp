// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr.hpp>
#include <trackplex/beam/collective/impedance.hpp>
#include <trackplex/beam/collective/longitudinal_modes.hpp>
#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/collective/space_charge_kick.hpp>
#include <trackplex/beam/collective/transverse_modes.hpp>
#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/collective/wake_cavity.hpp>
#include <trackplex/beam/elements/bunch_map.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/center.hpp>
#include <trackplex/beam/elements/charge.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/clean.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/feedback_driver.hpp>
#include <trackplex/beam/elements/feedback_pickup.hpp>
#include <trackplex/beam/elements/line_segment_map.hpp>
#include <trackplex/beam/elements/momentum_filter.hpp>
#include <trackplex/beam/elements/momentum_ramp.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/elements/pulsed_kicker.hpp>
#include <trackplex/beam/elements/pulsed_multipole.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>
#include <trackplex/beam/elements/remove_correlations.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/scatter.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/elements/solenoid_field.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/beam/elements/wiggler.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace trackplex::beam {

/// List of the types for which the kernels of a tracker are compiled: steps, and elements that act
/// on the whole bunch.
template <class... Types>
struct ElementList {};

namespace detail {

using ShortSteps = std::tuple<steps::Map<patterns::Drift>, steps::Map<patterns::Quadrupole>,
                              steps::Map<patterns::Midplane>, steps::ExactDrift, steps::Shift,
                              steps::Lengthen, steps::Rotation, steps::Rectangle, steps::Ellipse,
                              steps::HalfPlane, steps::Limits, steps::CosineDrift>;
using LongSteps = std::tuple<
    steps::Map<patterns::Dense>, steps::Map<patterns::Quadrupole3>, steps::Map<patterns::Midplane3>,
    steps::Map<patterns::Dense3>, steps::Magnet<QuadrupoleField>, steps::Magnet<SextupoleField>,
    steps::CanonicalMultipole<false>, steps::CanonicalMultipole<true>, steps::RadiatingMultipole,
    steps::QuantumMultipole, steps::Edge, steps::Bend<false>, steps::Bend<true>,
    steps::RadiatingBend, steps::QuantumBend, steps::Outline, steps::CircularKick, steps::ThinBend,
    steps::ExpandedDrift, steps::SolenoidHelix, Displacement, PlaneRotation, LineSegmentMap,
    SolenoidField, Scatter, steps::TrajectoryBend, steps::Wiggler, steps::ChromaticQuadrupole,
    steps::SectorField, steps::ToCosines, steps::ToSlopes>;
using CollectiveElements =
    std::tuple<Charge, SpaceChargeDrift, SpaceChargeKick, BunchMap, Center, SetMomentum, Clean,
               MomentumFilter, RfCavity, RfDeflector, Wake, TransverseWake, WakeCavity, CsrBend,
               CsrDrift, SynchrotronRadiationEffects, RemoveCorrelations, PulsedKicker,
               PulsedMultipole, MomentumRamp, LongitudinalImpedance, FeedbackPickup, FeedbackDriver,
               LongitudinalModes, TransverseModes>;

/// Those whose fields, if there are any, are along the axis: spins along or across it stay as they
/// are.
using ElementsThatKeepSpins =
    std::tuple<Charge, SpaceChargeDrift, Center, SetMomentum, Clean, MomentumFilter, RfCavity, Wake,
               WakeCavity, CsrDrift, RemoveCorrelations, MomentumRamp, LongitudinalImpedance,
               FeedbackPickup>;

template <class... Types>
ElementList<Types...> list_of(const std::tuple<Types...>&);

template <template <class> class Has, class... Types>
using Selected = decltype(std::tuple_cat(
    std::declval<std::conditional_t<Has<Types>::value, std::tuple<Types>, std::tuple<>>>()...));

template <class Type>
using IsStepType = std::bool_constant<IsStep<Type>>;
template <class Type>
using IsCollectiveType = std::bool_constant<HasAction<Type>>;

template <class List>
struct TypesOf;
template <class... Types>
struct TypesOf<ElementList<Types...>> {
  static_assert(((IsStep<Types> || HasAction<Types>)&&...),
                "a type in the list of a tracker is neither a step nor has an Action");
  using Steps = Selected<IsStepType, Types...>;
  using Collective = Selected<IsCollectiveType, Types...>;
};

}  // namespace detail

/// List of the types of the library, plus others.
template <class... Others>
using ElementTypes = decltype(detail::list_of(
    std::declval<decltype(std::tuple_cat(
        std::declval<detail::ShortSteps>(), std::declval<std::tuple<Others...>>(),
        std::declval<detail::LongSteps>(), std::declval<detail::CollectiveElements>()))>()));

}  // namespace trackplex::beam
