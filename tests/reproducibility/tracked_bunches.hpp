// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hashes of generated bunches behind beam lines, in every space, precision and lane width.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/spin_moments.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <utility>
#include <vector>

#include "beam/elements/every_element.hpp"
#include "golden_hashes.hpp"

namespace trackplex::test {

/// Coordinates as the bunch has them, with numbers and losses.
template <class T, class Space>
void add(Fingerprint& hash, const Space& exec, const beam::Bunch<T, MemoryOf<Space>>& bunch) {
  const auto table = beam::download(exec, bunch);
  for (const auto& column : table.v)
    for (const double value : column) hash.add(T(value));
  hash.add(table.ids).add(bunch.size()).add(table.reference.path_length);
  for (const beam::Loss& loss : table.losses) hash.add(loss.turn).add(loss.element);
}

inline void add(Fingerprint& hash, const beam::Moments& moments) {
  hash.add(moments.number).add(moments.mean).add(moments.min).add(moments.max);
  for (const auto& row : moments.covariance) hash.add(row);
}

/// Moments behind stops of a line, summed there and read at its end.
template <int Width, class T, class Space>
class RecordedMoments {
 public:
  RecordedMoments(const Space& exec, int most)
      : exec_(exec), rows_("Trackplex::Test::rows", most) {}

  void operator()(int, int, beam::Bunch<T, MemoryOf<Space>>& bunch) {
    beam::SumMoments<Space, Width>{int(references_.size())}(exec_, bunch, rows_, workspace_);
    references_.push_back(bunch.reference);
  }
  void add_to(Fingerprint& hash) const {
    const auto rows = to_host(exec_, rows_);
    hash.add(int(references_.size()));
    for (std::size_t i = 0; i < references_.size(); ++i)
      add(hash, beam::Moments(rows(i), references_[i]));
  }

 private:
  Space exec_;
  Kokkos::View<beam::MomentSums*, typename Space::memory_space> rows_;
  std::vector<beam::ReferenceParticle> references_;
  Workspace<Space> workspace_;
};

/// A bunch behind a line, in two turns of one call, with stops if there are any; or in two calls.
template <class T, int Width, class Space, class Types = beam::ElementTypes<>>
void add_tracked(Fingerprint& hash, const simulation::BunchParams& params,
                 const beam::BeamLine& line, const std::vector<int>& stops) {
  const Space exec;
  Workspace<Space> workspace;
  std::string first;
  for (const auto& [stops_of, calls] :
       {std::pair(std::vector<int>{}, 1), std::pair(stops, 1), std::pair(std::vector<int>{}, 2)}) {
    auto bunch = simulation::generate_bunch<T, Space, Width>(exec, params, workspace);
    beam::LineTracker<T, Space, Types, Width> tracker(exec, line, {}, stops_of);
    RecordedMoments<Width, T, Space> moments(exec, 2 * int(stops.size()));
    for (int call = 0; call < calls; ++call)
      tracker.track(
          bunch, 2 / calls, [&](auto&&... at) { moments(at...); }, 5 + call);
    moments.add_to(hash);
    remove_lost(exec, bunch, workspace);
    CHECK(bunch.n_removed() > 100);
    CHECK(bunch.n_removed() < params.particles - 100);
    Fingerprint behind;
    add(behind, exec, bunch);
    if (first.empty()) first = behind.hex();
    CHECK(behind.hex() == first);
  }
  hash.add(first);
}

/// A wide bunch after two turns through every element.
template <class T, int Width, class Space>
std::string elements_hash() {
  Fingerprint hash;
  add_tracked<T, Width, Space>(hash,
                               {.particles = 5003,
                                .x = {.emittance = 5e-7, .beta = 2.},
                                .y = {.emittance = 2.5e-7, .beta = 2., .alpha = 0.4},
                                .sigma_delta = 5e-3},
                               every_element(2.), {3, 10, 30});
  return hash.hex();
}

/// A bunch after two turns through every element that acts on it as a whole.
template <class T, int Width, class Space>
std::string collective_hash() {
  Fingerprint hash;
  add_tracked<T, Width, Space>(hash,
                               {.particles = 3001,
                                .x = {.emittance = 1e-8, .beta = 5.},
                                .y = {.emittance = 1e-8, .beta = 5.},
                                .sigma_delta = 1e-3},
                               every_collective_element(), {5, 9, 16, 20});
  return hash.hex();
}

/// A bunch after two turns through what sequences of MAD-X have besides, without its correlations
/// from there on, and through a bend that radiates coherently and incoherently.
template <class T, int Width, class Space>
std::string sequence_hash() {
  using namespace beam;
  BeamLine line = every_madx_element();
  const CanonicalBend magnet{
      .length = 0.2, .angle = 0.05, .slices = 3, .radiates = true, .quantum = true};
  for (const Element& more :
       {Element{"charge", Charge{1e-9}}, Element{"center", Center{}},
        Element{"free", RemoveCorrelations{}},
        Element{"bend", CsrBend{.magnet = magnet, .bins = 100}},
        Element{"limit", Collimator{0., {Aperture::Shape::ellipse, 5e-3, 5e-3}}}})
    line.push_back(more);
  Fingerprint hash;
  add_tracked<T, Width, Space>(hash,
                               {.particles = 3001,
                                .p0 = 2000.,
                                .x = {.emittance = 5e-7, .beta = 5., .dispersion = 0.2},
                                .y = {.emittance = 5e-7, .beta = 5.},
                                .sigma_delta = 1e-3},
                               line, {4, 8});
  return hash.hex();
}

/// A bunch after two turns through elements with random numbers, trajectories, pulses, impedances
/// and feedback.
template <class T, int Width, class Space, class Types = beam::ElementTypes<>>
std::string pulses_hash() {
  using namespace beam;
  BeamLine line = every_trajectory();
  const auto pulses = every_pulse();
  line.push_back({"c", Collimator{0., {Aperture::Shape::ellipse, 5e-3, 5e-3}}});
  line.insert(line.end(), pulses.begin(), pulses.end());
  Fingerprint hash;
  add_tracked<T, Width, Space, Types>(hash,
                                      {.particles = 3001,
                                       .x = {.emittance = 1e-6, .beta = 2.},
                                       .y = {.emittance = 1e-6, .beta = 2.},
                                       .sigma_delta = 3e-3},
                                      line, {1, 5, 8, 12});
  return hash.hex();
}

/// A bunch after two turns through pulsed multipoles and a ramp of the momentum.
template <class T, int Width, class Space, class Types = beam::ElementTypes<>>
std::string pulsed_multipoles_hash() {
  using namespace beam;
  const BeamLine pulses = every_pulsed_multipole();
  const BeamLine line = {{"d", ExactDrift{1.}},
                         pulses[0],
                         {"limit", Collimator{0., {Aperture::Shape::ellipse, 3e-3, 3e-3}}},
                         pulses[1],
                         pulses[2],
                         {"d", ExactDrift{0.5}}};
  Fingerprint hash;
  add_tracked<T, Width, Space, Types>(hash,
                                      {.particles = 3001,
                                       .x = {.emittance = 1e-6, .beta = 2.},
                                       .y = {.emittance = 1e-6, .beta = 2.},
                                       .sigma_delta = 3e-3},
                                      line, {1, 3, 4});
  return hash.hex();
}

/// A narrow bunch after two turns of kicks by space charge.
template <class T, int Width, class Space>
std::string space_charge_kicks_hash() {
  Fingerprint hash;
  add_tracked<T, Width, Space>(hash,
                               {.particles = 30011,
                                .x = {.emittance = 1.5e-9, .beta = 15.},
                                .y = {.emittance = 1.5e-9, .beta = 7.},
                                .sigma_delta = 1e-3},
                               every_space_charge_kick(), {2, 5});
  return hash.hex();
}

/// A bunch after two turns through modes of cavities, which remember the first one.
template <class T, int Width, class Space, class Types = beam::ElementTypes<>>
std::string cavity_modes_hash() {
  using namespace beam;
  BeamLine line = every_cavity_mode();
  line.push_back({"limit", Collimator{0., {Aperture::Shape::ellipse, 4e-2, 4e-2}}});
  line.push_back({"d", ExactDrift{10.}});
  Fingerprint hash;
  add_tracked<T, Width, Space, Types>(hash,
                                      {.particles = 3001,
                                       .x = {.emittance = 1e-6, .beta = 5.},
                                       .y = {.emittance = 1e-6, .beta = 5.},
                                       .sigma_delta = 1e-3},
                                      line, {2, 3, 5});
  return hash.hex();
}

inline simulation::BunchParams canonical_bunch() {
  simulation::BunchParams params{.particles = 3001,
                                 .x = {.emittance = 1e-6, .beta = 0.5},
                                 .y = {.emittance = 1e-6, .beta = 0.5},
                                 .coordinates = simulation::BunchCoordinates::canonical,
                                 .sigma_delta = 0.02};
  params.cutoff = std::numeric_limits<double>::infinity();
  return params;
}

/// A bunch of canonical moments after two turns through closed maps.
template <class T, int Width, class Space>
std::string closed_maps_hash() {
  Fingerprint hash;
  const auto params = canonical_bunch();
  add_tracked<T, Width, Space>(hash, params, every_closed_map(), {1, 3, 5});
  const Space exec;
  Workspace<Space> workspace;
  const auto bunch = simulation::generate_bunch<T, Space, Width>(exec, params, workspace);
  const auto moments = beam::canonical_moments_of<T, Space, Width>(exec, bunch, workspace);
  hash.add(moments.number).add(moments.mean);
  for (const auto& row : moments.covariance) hash.add(row);
  return hash.hex();
}

/// The same after closed maps in a row, which pass direction cosines on to each other.
template <class T, int Width, class Space>
std::string row_of_closed_maps_hash() {
  Fingerprint hash;
  const auto params = canonical_bunch();
  using namespace beam;
  const ChromaticQuadrupole focuses{.length = 0.1, .k1 = 5.}, defocuses{.length = 0.1, .k1 = -5.};
  add_tracked<T, Width, Space>(hash, params,
                               {{"qf", focuses},
                                {"d", ExpandedDrift{0.3}},
                                {"qd", defocuses},
                                {"d", ExpandedDrift{0.3}},
                                {"c", Collimator{0.1, {Aperture::Shape::ellipse, 4e-3, 4e-3}}},
                                {"qf", focuses}},
                               {0, 1, 2, 4});
  return hash.hex();
}

/// Every kind of step that turns spins, and losses between them.
inline beam::BeamLine spin_line() {
  using namespace beam;
  CanonicalBend closed{.length = 0.3, .angle = -0.2, .closed = true};
  CanonicalBend integrated{.length = 0.3, .angle = 0.2, .slices = 2};
  integrated.misalignment.tilt = 0.1;
  return {{"qf", ChromaticQuadrupole{.length = 0.2, .k1 = 3.}},
          {"d", ExactDrift{0.3}},
          {"closed", closed},
          {"qd", CanonicalQuadrupole{.length = 0.2, .k1 = -3., .slices = 2}},
          {"c", Collimator{0.1, {Aperture::Shape::ellipse, 4e-3, 4e-3}}},
          {"integrated", integrated},
          {"s", CanonicalSextupole{.length = 0.1, .k2 = 20., .slices = 1}},
          {"m", CanonicalMultipole{.field = {.normal = {1e-3, 0.02}, .skew = {2e-3}}, .slices = 1}},
          {"sol", ExactSolenoid{.length = 0.2, .ks = 0.5}},
          {"rf", RfCavity{.voltage = 1e5}},
          {"k", ExactKicker{.length = 0.1, .horizontal = 1e-4, .vertical = -2e-4}},
          {"turn", PlaneRotation{1e-3}},
          {"roll", Rotator{0.3}},
          {"map", Bend{.magnet = {.length = 0.3, .angle = 0.1}}},
          {"qm", Quadrupole{.length = 0.2, .k1 = 2.}},
          {"km", Kicker{.length = 0.1, .horizontal = 1e-4}}};
}

/// Spins of a bunch after two turns through them.
template <class T, int Width, class Space>
std::string spins_hash() {
  const Space exec;
  Workspace<Space> workspace;
  std::string first;
  for (const auto& stops : {std::vector<int>{}, std::vector<int>{0, 5, 11}}) {
    auto bunch = simulation::generate_bunch<T, Space, Width>(exec,
                                                             {.particles = 5003,
                                                              .p0 = 2000.,
                                                              .x = {.emittance = 5e-7, .beta = 5.},
                                                              .y = {.emittance = 5e-7, .beta = 5.},
                                                              .sigma_delta = 3e-3,
                                                              .spin = std::array{0.36, 0.48, 0.8}},
                                                             workspace);
    beam::LineTracker<T, Space, beam::ElementTypes<>, Width>(exec, spin_line(), {}, stops)
        .track(bunch, 2);
    remove_lost(exec, bunch, workspace);
    CHECK(bunch.n_removed() > 100);
    CHECK(bunch.n_removed() < 4900);
    Fingerprint after;
    add(after, exec, bunch);
    const auto table = beam::download(exec, bunch);
    for (const auto& component : table.spin)
      for (const double value : component) after.add(T(value));
    const auto moments = beam::spin_moments_of(exec, bunch, workspace);
    after.add(moments.mean).add(moments.sigma);
    if (first.empty()) first = after.hex();
    CHECK(after.hex() == first);
  }
  return first;
}

/// Every kind of drift with space charge, and losses between them.
inline beam::BeamLine space_charge_line() {
  using namespace beam;
  return {{"charge", Charge{1e-9}},
          {"qf", Quadrupole{0.2, 1.5}},
          {"many_steps", SpaceChargeDrift{.length = 1., .bins = 256}},
          {"c", Collimator{0., {Aperture::Shape::ellipse, 4e-4, 4e-4}}},
          {"smooth", SpaceChargeDrift{.length = 0.2,
                                      .bins = 90,
                                      .smoothing = true,
                                      .smoothing_half_width = 4,
                                      .smoothing_order = 2,
                                      .low_frequency = {0.02, 0.05},
                                      .high_frequency = {0.3, 0.5}}},
          {"kick", SpaceChargeDrift{.effective_length = 0.2, .bins = 200, .interpolate = false}},
          {"qd", Quadrupole{0.2, -1.5}},
          {"off", SpaceChargeDrift{.length = 0.1, .space_charge = false}}};
}

/// A narrow bunch after two turns of them.
template <class T, int Width, class Space>
std::string space_charge_hash() {
  const Space exec;
  Workspace<Space> workspace;
  const simulation::BunchParams params{.particles = 10007,
                                       .x = {.emittance = 1.5e-9, .beta = 15.},
                                       .y = {.emittance = 1.5e-9, .beta = 7.}};
  auto bunch = simulation::generate_bunch<T, Space, Width>(exec, params, workspace);
  const auto line = space_charge_line();
  beam::LineTracker<T, Space, beam::ElementTypes<>, Width> tracker(exec, line, {}, {2, 4, 5, 7});
  RecordedMoments<Width, T, Space> moments(exec, 8);
  Fingerprint hash;
  tracker.track(bunch, 2, [&](int turn, int element, auto& at) {
    moments(turn, element, at);
    for (const auto& step : tracker.template action<beam::SpaceChargeDrift>(element).steps())
      hash.add(step.length).add(step.radius).add(step.peak_current);
  });
  CHECK(tracker.template action<beam::SpaceChargeDrift>(2).steps().size() > 2);
  CHECK(bunch.n_removed() > 100);
  CHECK(bunch.n_removed() < 9900);
  moments.add_to(hash);
  const auto profile = tracker.template action<beam::SpaceChargeDrift>(4).profile(exec);
  hash.add(profile.current).add(profile.voltage);
  add(hash, exec, bunch);
  return hash.hex();
}

template <class T, int Width, class Space>
void check_tracked_bunches(std::string Golden::*precision) {
  CAPTURE(sizeof(T), Width);
  CHECK(elements_hash<T, Width, Space>() == bunches_behind_elements_golden.*precision);
  CHECK(collective_hash<T, Width, Space>() == bunches_behind_collective_elements_golden.*precision);
  CHECK(sequence_hash<T, Width, Space>() == bunches_behind_madx_elements_golden.*precision);
  CHECK(closed_maps_hash<T, Width, Space>() == bunches_after_closed_maps_golden.*precision);
  CHECK(row_of_closed_maps_hash<T, Width, Space>() ==
        bunches_after_row_of_closed_maps_golden.*precision);
  CHECK(spins_hash<T, Width, Space>() == spins_golden.*precision);
  CHECK(pulses_hash<T, Width, Space>() == bunches_behind_pulses_golden.*precision);
  CHECK(pulsed_multipoles_hash<T, Width, Space>() ==
        bunches_behind_pulsed_multipoles_golden.*precision);
  CHECK(space_charge_kicks_hash<T, Width, Space>() ==
        bunches_after_space_charge_kicks_golden.*precision);
  CHECK(cavity_modes_hash<T, Width, Space>() == bunches_after_cavity_modes_golden.*precision);
  CHECK(space_charge_hash<T, Width, Space>() == bunches_with_space_charge_golden.*precision);
}

}  // namespace trackplex::test
