// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <memory>
#include <trackplex/beam/element_list.hpp>
#include <trackplex/beam/elements/center.hpp>
#include <trackplex/beam/elements/clean.hpp>
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/momentum_filter.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <vector>

namespace trackplex::test {

/// Magnets of several multipoles, with each kind of step.
inline beam::BeamLine every_multipole() {
  using namespace beam;
  const Multipoles field{{1e-4, 0.1, -1., 20.}, {-1e-4, 0.05, 1.}};
  return {
      {"mu", CanonicalMultipole{0.2, field, 2, 4, {1e-3, -2e-3, 0.1}}},
      {"mu0", CanonicalMultipole{.field = field, .slices = 1, .integration_order = 6}},
      {"mue", CanonicalMultipole{.length = 0.1, .field = field, .slices = 2, .expanded = true}},
      {"mur", CanonicalMultipole{.length = 0.1, .field = field, .slices = 2, .radiates = true}}};
}

/// Bends by integration, with each kind of edge and each option.
inline beam::BeamLine every_canonical_bend() {
  using namespace beam;
  const CanonicalBend usual{.length = 0.3,
                            .angle = 0.1,
                            .strengths = {0.5, 4., -10.},
                            .entrance = 0.05,
                            .exit = 0.1,
                            .entrance_curve = 0.3,
                            .exit_curve = -0.2,
                            .half_gap = 0.01,
                            .edge_order = 2,
                            .slices = 2,
                            .misalignment = {1e-3, -2e-3, 0.1, 1e-3}};
  const auto with = [&](EdgeEffects effects, auto change) {
    CanonicalBend bend = usual;
    bend.entrance_effects = bend.exit_effects = effects;
    change(bend);
    return bend;
  };
  return {{"cb", usual},
          {"cbn", with(EdgeEffects::none,
                       [](CanonicalBend& b) {
                         b.nonlinear = false;
                         b.expansion_order = 3;
                         b.integration_order = 2;
                       })},
          {"cbh", with(EdgeEffects::hwang,
                       [](CanonicalBend& b) {
                         b.angle = -0.1;
                         b.expanded = true;
                       })},
          {"cbc", with(EdgeEffects::canonical,
                       [](CanonicalBend& b) {
                         b.is_corrected = true;
                         b.field_error = 1e-3;
                         b.error_tilt = 1e-2;
                         b.horizontal_kick = 1e-4;
                         b.vertical_kick = -1e-4;
                         b.integration_order = 6;
                       })},
          {"cbr", with(EdgeEffects::slopes, [](CanonicalBend& b) { b.radiates = true; })}};
}

/// What sequences of MAD-X have besides: edges of other kinds, dipoles off the axis, rotated bends,
/// thin bends.
inline beam::BeamLine every_madx_element() {
  using namespace beam;
  CanonicalBend linear{.length = 0.3, .angle = 0.1, .strengths = {0.5, 4.}, .entrance = 0.05};
  linear.exit = 0.04;
  linear.half_gap = 0.02;
  linear.slices = 2;
  linear.k0 = 0.3;
  linear.crossing = -0.005;
  linear.entrance_effects = linear.exit_effects = EdgeEffects::linear;
  CanonicalBend exact = linear;
  exact.angle = -0.1;
  exact.k0 = -0.35;
  exact.entrance_curve = 0.2;
  exact.exit_fringe = 0.3;
  exact.entrance_effects = exact.exit_effects = EdgeEffects::exact;
  CanonicalBend straight = exact;
  straight.angle = 0.;
  CanonicalBend rotated = linear;
  rotated.misalignment = {1e-3, -2e-3, 0.1, 1e-3};
  rotated.is_rigid = true;
  rotated.error_tilt = 1e-2;
  return {{"lin", linear},
          {"exact", exact},
          {"k0", straight},
          {"rotated", rotated},
          {"thin", ThinBend{0.02, {{0.02, 0.1, 1.}, {}}, 0.5, {1e-3, 0., 0.1}}},
          {"xd", ExpandedDrift{0.2}},
          {"sol", ExactSolenoid{0.3, 1.2, {1e-3, 0., 0.1}}},
          {"edge", DipoleEdge{0.4, 0.1, 0.02, 0.5}}};
}

/// Elements with closed maps, between strong and weak, and what loses some of the particles.
inline beam::BeamLine every_closed_map() {
  using namespace beam;
  CanonicalBend bend{.length = 0.4, .angle = 0.1, .entrance = 0.1, .exit = 0.05, .closed = true};
  bend.half_gap = 0.01;
  bend.field_error = 2e-3;
  bend.entrance_effects = bend.exit_effects = EdgeEffects::exact;
  CanonicalBend back{.length = 0.2, .angle = -1e-4, .closed = true};
  back.misalignment = {1e-4, -1e-4, 0.2};
  return {{"qf", ChromaticQuadrupole{0.2, 3., {1e-3, -2e-3, 0.1}}},
          {"b", bend},
          {"xd", ExpandedDrift{0.2}},
          {"qd", ChromaticQuadrupole{0.3, -12.}},
          {"back", back},
          {"c", Collimator{0., {Aperture::Shape::ellipse, 2e-2, 2e-2}}}};
}

/// Apertures of every kind. `wide`: how many times as wide as usual they are.
inline beam::BeamLine every_aperture(double wide) {
  using namespace beam;
  using From = Scraper::From;
  using Shape = Aperture::Shape;
  const double far = 8e-3 * wide, near = 2e-4 * wide;
  return {{"r", Collimator{0.1, {Shape::rectangle, 2e-2 * wide, 1e-2 * wide, 1e-3, 0.}}},
          {"e", Collimator{0., {Shape::ellipse, 1.5e-2 * wide, 9e-3 * wide, 0., 1e-3}}},
          {"in", Collimator{0.1, {.x_max = near, .y_max = near, .is_inverted = true}}},
          {"open", Collimator{0.1, {.x_max = far, .y_max = far, .open = Aperture::Open::plus_x}}},
          {"power", Collimator{0.1, {Shape::ellipse, far, far, 0., 0., 4, 6}}},
          {"no", Scraper{.length = 0.1}},
          {"+x", Scraper{0.1, From::plus_x, far, 1e-4, -1e-4}},
          {"-x", Scraper{0.1, From::minus_x, -far, 1e-4, -1e-4}},
          {"+y", Scraper{0., From::plus_y, far, 1e-4, -1e-4}},
          {"-y", Scraper{0., From::minus_y, -far, 1e-4, -1e-4}},
          {"+-x", Scraper{0.1, From::both_x, far, 1e-4, -1e-4}},
          {"+-y", Scraper{0.1, From::both_y, far, 1e-4, -1e-4}}};
}

/// Elements that move, turn or kick the bunch, and maps by particle.
inline beam::BeamLine every_placement() {
  using namespace beam;
  const LineSegmentMap ring{
      .length = 1.,
      .x = {.tune = 0.21,
            .chromaticity = -1.,
            .chromaticity2 = 2.,
            .chromaticity3 = 3.,
            .detuning_x = 10.,
            .detuning2_x = 100.,
            .detuning_y = 5.,
            .beta = 2.,
            .beta_derivative = 0.1,
            .alpha = 0.3,
            .eta = 0.1,
            .eta_slope = 0.02,
            .eta_derivative = 0.1},
      .y = {.tune = 0.32, .chromaticity = -1.5, .detuning_xy = 20., .beta = 3.},
      .compaction = 0.01,
      .compaction2 = 0.02,
      .longer_x = 0.1,
      .longer_xy = 0.3,
      .tilt = 0.1};
  LineSegmentMap crossing = ring;
  crossing.may_cross = true;
  return {{"turn", Rotator{0.3}},
          {"move", Displacement{1e-4, -2e-4, 2e-4, 1e-4, 0.01}},
          {"late", Displacement{.dx = 1e-4, .dz = 0.01, .dt = 1e-13, .dp = 1e-4, .de = -2e-4}},
          {"once", Displacement{.dyp = 1e-4, .on_pass = 6}},
          {"xk", ExactKicker{0.2, 1e-3, -2e-3, {1e-3, -2e-3, 0.1}}},
          {"xk0", ExactKicker{.horizontal = 1e-4}},
          {"il", ring},
          {"il2", crossing}};
}

/// Map that makes the bunch small again.
inline beam::Element smaller(double factor) {
  beam::TransferMap map = beam::TransferMap::identity(1);
  for (int i = 1; i <= 4; ++i) map.R(i, i) = factor;
  return {"smaller", beam::MapElement{0., map}};
}

/// Every kind of element that takes particles one by one, each with what makes its kernel do all it
/// can. `aperture`: how many times as wide as usual the collimators are.
inline beam::BeamLine every_element(double aperture = 1.) {
  using namespace beam;
  const SectorBend magnet{
      .length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05, .half_gap = 0.02};
  const Misalignment moved{1e-3, -2e-3, 0.1};
  BeamLine line{
      {"d", Drift{0.8, 2}},
      {"ed", ExactDrift{0.5}},
      {"q", Quadrupole{0.2, 1.5, 2, moved}},
      {"q3", Quadrupole{0.2, -1.5, 3}},
      {"kq", CanonicalQuadrupole{0.2, 2., 3, 4, moved}},
      {"s", Sextupole{0.1, 20., 2}},
      {"s3", Sextupole{0.1, 20., 3, moved}},
      {"ks", CanonicalSextupole{0.1, 20., 2, 6}},
      {"b", Bend{magnet, 2, {0., 0., 0.05}}},
      {"k", Kicker{0.3, 1e-4, -2e-4, 0.3}},
      {"m", Marker{}},
      {"qe", Quadrupole{0.2, 1.5, 2, {1e-3, 0., 0.1, 2e-3}, {.length = 0.01}, 1e-4, -2e-4}},
      {"se", Sextupole{0.1, 20., 2, {}, 0.1, -0.2}},
      {"o", Octupole{0.1, 500., 3, moved}},
      {"be", Bend{{.length = 0.5, .angle = 0.2, .dipole_error = 1e-3, .error_tilt = 1e-2}}},
      {"ke", Kicker{.length = 0.2, .horizontal = 1e-3, .b2 = 10., .edges = true}},
      {"so", Solenoid{0.2, 0.5, 2, moved}},
      {"sf", SolenoidField{0.2, 0.01, 2, {0., 0., 0., 1e-3}}},
      {"mo", Monitor{0.1}},
      {"map", MapElement{0.5, misaligned(sector_bend_map(magnet, 2), {1e-3, -1e-3, 0.})}},
      {"map3", MapElement{0.2, misaligned(quadrupole_map(0.2, 5., 3), moved)}},
      {"limit", MaxAmplitude{{Aperture::Shape::ellipse, 4e-2 * aperture, 3e-2 * aperture}}}};
  for (const BeamLine& more :
       {BeamLine{smaller(0.2)}, every_multipole(), every_canonical_bend(), BeamLine{smaller(0.2)},
        every_placement(), BeamLine{{"no limit", MaxAmplitude{}}}, every_aperture(aperture)})
    line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// Random kicks, bends by trajectories and wigglers: particles one by one.
inline beam::BeamLine every_trajectory() {
  using namespace beam;
  TrajectoryBend bend;
  bend.magnet = {.length = 0.3,
                 .angle = 0.1,
                 .strengths = {0.5, 4., -10., 100.},
                 .entrance = 0.05,
                 .exit = 0.1,
                 .half_gap = 0.01,
                 .edge_order = 2,
                 .field_error = 1e-3,
                 .slices = 6,
                 .radiates = true,
                 .misalignment = {1e-3, -2e-3, 0.1, 1e-3}};
  TrajectoryBend leaps = bend;
  leaps.magnet.angle = -0.1;
  leaps.magnet.radiates = leaps.magnet.nonlinear = false;
  leaps.is_leap_frog = leaps.is_paraxial = true;
  const std::vector<WigglerHarmonic> vertical = {{1., 0.5, std::sqrt(1.25), 1., 0.3},
                                                 {0.2, 0., 3., 3., 0.}};
  const std::vector<WigglerHarmonic> split = {{1., std::sqrt(1.25), 0.5, 1., 0.}};
  const Wiggler wiggler{.length = 0.4,
                        .periods = 4,
                        .vertical = {0.5, vertical},
                        .horizontal = {0.2, split, false},
                        .steps_per_period = 8,
                        .pole_factors = {0.5, 0.9, 1.1},
                        .misalignment = {1e-3, -2e-3, 0.1, 1e-3}};
  Wiggler radiating = wiggler;
  radiating.vertical = {0.5, split, true};
  radiating.horizontal = {0.5, {{1., 0.5, std::sqrt(1.25), 1., 1.}}, true};
  radiating.integration_order = 2;
  radiating.radiates = radiating.quantum = true;
  return {
      {"normal", Scatter{.dx = 1e-4, .dxp = 1e-4, .dy = 1e-4, .dyp = 1e-4, .dp = 1e-3}},
      {"flat",
       Scatter{.dxp = 1e-3, .dp = 1e-3, .probability = 0.4, .is_uniform = true, .first_turn = 6}},
      {"ks", bend},
      {"leaps", leaps},
      {"wiggler", wiggler},
      {"radiating", radiating}};
}

/// Pulses, impedances and feedback: elements that act on the bunch as a whole.
inline beam::BeamLine every_pulse() {
  using namespace beam;
  PulsedKicker kicker{.length = 0.2,
                      .angle = 1e-3,
                      .waveform = std::make_shared<const Waveform>(
                          Waveform{{-2e-12, -1e-12, 1e-12, 2e-12}, {0., 1., 0.5, 0.}}),
                      .time_offset = 3e-13,
                      .is_periodic = true,
                      .phase_reference = 1};
  PulsedKicker slices = kicker;
  slices.kicks = 3;
  slices.b2 = 100.;
  slices.misalignment = {1e-3, -2e-3, 0.1, 1e-3};
  LongitudinalImpedance impedance{.table = std::make_shared<const ImpedanceTable>(
                                      resonator_impedance(1000., 2., 1e11, 1e-13, 256)),
                                  .interpolate = true,
                                  .smoothing = true,
                                  .allow_long_beam = true};
  LongitudinalImpedance later = impedance;
  later.smoothing = later.interpolate = false;
  later.first_turn = 6;
  later.ramp_turns = 3;
  return {{"charge", Charge{1e-9}},
          {"kicker", kicker},
          {"slices", slices},
          {"impedance", impedance},
          {"later", later},
          {"pickup", FeedbackPickup{.id = "y", .plane = y, .offset = -1e-3, .noise = 1e-4}},
          {"driver", FeedbackDriver{.id = "y", .strength = 0.1}}};
}

/// Wakes that fall linearly with the delay, over 40 ps.
inline std::shared_ptr<const beam::WakeTable> some_wakes() {
  beam::WakeTable table;
  for (int i = 0; i < 401; ++i) {
    const double rest = 1. - i / 400.;
    table.time.push_back(1e-13 * i);
    table.longitudinal.push_back(3e13 * rest);
    table.x.push_back(1e16 * i * rest);
    table.y.push_back(-1e16 * i * rest);
  }
  return std::make_shared<const beam::WakeTable>(table);
}

/// Cavities of every kind, and deflecting ones.
inline beam::BeamLine every_cavity() {
  using namespace beam;
  const RfCavity usual{.length = 0.5, .voltage = 1e6, .phase = 1.2, .frequency = 2.856e9};
  const auto with = [&](auto change) {
    RfCavity cavity = usual;
    change(cavity);
    return cavity;
  };
  return {{"matrix", with([](RfCavity& c) {
             c.change_momentum = true;
             c.phase_reference = 1;
           })},
          {"kicks", with([](RfCavity& c) {
             c.kicks = 5;
             c.phase_reference = 1;
             c.entrance_focus = c.exit_focus = true;
             c.dx = 1e-3;
             c.dy = -2e-3;
           })},
          {"srs", with([](RfCavity& c) {
             c.body_focus = RfCavity::BodyFocus::standing_wave;
             c.fiducial = RfCavity::Fiducial::light;
           })},
          {"tw1", with([](RfCavity& c) {
             c.body_focus = RfCavity::BodyFocus::travelling_wave;
             c.kicks = 10;
             c.fiducial = RfCavity::Fiducial::max_momentum;
           })},
          {"fills", with([](RfCavity& c) { c.quality = 10.; })},
          {"periods", with([](RfCavity& c) { c.change_time = true; })},
          {"linear", with([](RfCavity& c) { c.linearize = true; })},
          {"locked", with([](RfCavity& c) {
             c.length = 0.;
             c.lock_phase = true;
           })},
          {"wakes", WakeCavity{.cavity = with([](RfCavity& c) {
                                 c.kicks = 2;
                                 c.change_momentum = true;
                               }),
                               .cell_length = 0.5,
                               .longitudinal = some_wakes(),
                               .transverse = some_wakes(),
                               .space_charge = true,
                               .space_charge_bins = 64}},
          {"deflector",
           RfDeflector{
               .length = 0.2, .voltage = 1e5, .phase = 0.3, .kicks = 5, .misalignment = {1e-3}}},
          {"magnetic", RfDeflector{.voltage = 1e5, .standing_wave = true, .magnetic = true}}};
}

/// Multipoles with a pulsed field, and a ramp of the reference momentum.
inline beam::BeamLine every_pulsed_multipole() {
  using namespace beam;
  const PulsedMultipole sextupole{.length = 0.2,
                                  .strength = 20.,
                                  .order = 2,
                                  .waveform = std::make_shared<const Waveform>(
                                      Waveform{{-2e-12, -1e-12, 1e-12, 2e-12}, {0., 1., 0.5, 0.}}),
                                  .is_periodic = true,
                                  .phase_reference = 1};
  PulsedMultipole later = sextupole;
  later.order = 1;
  later.first_turn = 6;
  later.slices = 3;
  later.misalignment = {1e-3, -2e-3, 0.1, 1e-3};
  const MomentumRamp ramp{
      std::make_shared<const Waveform>(Waveform{{0., 1e-8, 2e-8}, {1., 1.01, 1.03}})};
  return {{"sextupole", sextupole}, {"ramp", ramp}, {"later", later}};
}

/// Kicks by space charge of both models, and losses between them.
inline beam::BeamLine every_space_charge_kick() {
  using namespace beam;
  return {{"charge", Charge{1e-9}},
          {"qf", Quadrupole{0.2, 1.5}},
          {"in space", SpaceChargeKick{.effective_length = 0.3, .cells = {16, 32, 8}}},
          {"d", ExactDrift{0.3}},
          {"c", Collimator{0., {Aperture::Shape::ellipse, 4e-4, 4e-4}}},
          {"projected", SpaceChargeKick{.effective_length = 0.3,
                                        .model = SpaceChargeModel::projected,
                                        .cells = {32, 16, 64},
                                        .pipe_radius = 0.02}},
          {"qd", Quadrupole{0.2, -1.5}},
          {"d", ExactDrift{0.3}}};
}

/// Every kind of element that acts on the bunch as a whole, but for kicks by space charge.
inline beam::BeamLine every_collective_element() {
  using namespace beam;
  using Field = CsrDrift::Field;
  using Mode = Clean::Mode;
  const auto wakes = some_wakes();
  const CanonicalBend magnet{.length = 0.2, .angle = 0.05, .entrance = 0.05, .slices = 3};
  CanonicalBend expanded = magnet;
  expanded.expanded = true;
  BeamLine line{
      {"charge", Charge{1e-9}},
      {"center", Center{}},
      {"3 sigma", Clean{Mode::standard_deviation, {2.9, 2.9, 2.9, 2.9, 2.9, 2.9}}},
      {"near", Clean{Mode::absolute_deviation, {1e-2, 1e-2, 1e-2, 1e-2, 1e-11, 0.02}}},
      {"inside", Clean{Mode::absolute_value, {1e-2, 1e-2, 1e-2, 1e-2, 1e-3, 0.05}}},
      {"momenta", MomentumFilter{0.02, true, 0.01, 0.02}},
      {"line", SetMomentum{.match_line = true}},
      {"wake", Wake{.table = wakes, .interpolate = true, .smoothing = true, .change_p0 = true}},
      {"wake of 64", Wake{.table = wakes, .bins = 64, .allow_long_beam = true}},
      {"dipole wake", TransverseWake{.table = wakes,
                                     .interpolate = true,
                                     .smoothing = true,
                                     .dx = 1e-3,
                                     .dy = -1e-3,
                                     .tilt = 0.1}},
      {"momentum", SetMomentum{.momentum = 199.}},
      {"bend", CsrBend{.magnet = magnet, .bins = 100, .smoothing_half_width = 2}},
      {"constant", CsrDrift{.length = 0.1, .steps = 2}},
      {"decaying", CsrDrift{0.1, Field::decaying, 2, 0., 0.5}},
      {"overtaking", CsrDrift{0.1, Field::overtaking, 2}},
      {"steady", CsrBend{.magnet = expanded, .bins = 80, .steady_state = true}},
      {"transient", CsrDrift{.length = 0.1, .field = Field::transient, .step_length = 0.04}},
      {"particles", SetMomentum{.match_particles = true}}};
  line.push_back({"map", BunchMap{MapElement{0.1, quadrupole_map(0.1, 2., 2)}, 0.01}});
  const auto cavities = every_cavity();
  line.insert(line.end(), cavities.begin(), cavities.end());
  line.push_back({"on time", Center{.delta = true, .time = true}});
  line.push_back({"from here", Center{.x = false, .xp = false, .s = true}});
  line.push_back({"space charge", SpaceChargeDrift{.length = 0.1, .bins = 64}});
  line.push_back({"radiation", SynchrotronRadiationEffects{.x_emittance = 1e-8,
                                                           .y_emittance = 1e-9,
                                                           .momentum_spread = 1e-3,
                                                           .momentum_change = -1e-3,
                                                           .reference_momentum = 200.}});
  line.push_back({"apart", RemoveCorrelations{}});
  for (const auto& more : {every_pulse(), every_pulsed_multipole()})
    line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// Modes of cavities of every kind: elements that act on the bunch as a whole.
inline beam::BeamLine every_cavity_mode() {
  using namespace beam;
  LongitudinalModes modes;
  modes.modes = {{{1e11, 4., 500., 0.5}, 1e4, 0.3}, {{5e8, 1e4, 1e6}, 0., 0.}};
  modes.bin_size = 2e-13;
  modes.bins = 101;
  modes.allow_outside = true;
  modes.cavities = 2.;
  LongitudinalModes loaded = modes;
  loaded.interpolate = true;
  loaded.preload_charge = 1e-9;
  loaded.preload_harmonic = 7;
  loaded.turns.ramp = 8;
  loaded.turns.earlier_only = true;
  TransverseModes deflecting;
  deflecting.modes = {{{5e10, 40., 2e5, 0.25}, true, true}, {{1.5e9, 1e4, 1e9}, true, false}};
  deflecting.bin_size = 2e-13;
  deflecting.bins = 101;
  deflecting.allow_outside = true;
  deflecting.dx = 1e-3;
  deflecting.y_factor = 0.5;
  TransverseModes single = deflecting;
  single.interpolate = true;
  single.turns.forget = true;
  return {{"d", ExactDrift{30.}},       {"charge", Charge{1e-9}}, {"modes", modes},
          {"dipole modes", deflecting}, {"loaded", loaded},       {"single pass", single}};
}

}  // namespace trackplex::test
