// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

ParticleTable some_bunch() {
  ParticleTable table(1000, 200.);
  const double sigmas[] = {150e-6, 1e-5, 100e-6, 1.5e-5, 3e-4, 1e-4};
  RandomStream<double> random(11, 3);
  for (int i = 0; i < table.size(); ++i)
    for (int c = 0; c < n_coordinates; ++c)
      table.v[c][i] = std::clamp(random.normal(0., sigmas[c]), -3. * sigmas[c], 3. * sigmas[c]);
  table.particle_charge = 1e-9 / table.size();
  return table;
}

ParticleTable tracked(ParticleTable table, const Element& element) {
  const HostExecutor exec;
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor, ElementTypes<>, test::line_lanes<double>>(exec, {element})
      .track(bunch, 1);
  return download(exec, bunch);
}

bool same_coordinates(const ParticleTable& a, const ParticleTable& b) {
  return std::ranges::equal(a.v, b.v);
}

std::shared_ptr<const WakeTable> wake_table() {
  WakeTable table;
  for (int i = 0; i < 101; ++i) {
    const double t = 1e-13 * i;
    table.time.push_back(t);
    table.longitudinal.push_back(3e13 * std::exp(-t * 1e12));
    table.x.push_back(2e18 * std::sin(t * 1e12));
    table.y.push_back(1e18 * std::sin(t * 2e12));
  }
  return std::make_shared<const WakeTable>(table);
}

BeamLine collective_elements() {
  ImpedanceTable impedance;
  impedance.bin_size = 1e-12;
  impedance.real.assign(257, 100.);
  impedance.imaginary.assign(257, 0.);
  impedance.imaginary[1] = 20.;
  const WakeCavity cavity{.cavity = {.length = 0.15},
                          .cell_length = 0.05,
                          .longitudinal = wake_table(),
                          .space_charge = true,
                          .space_charge_bins = 32};
  return {
      {"space charge", SpaceChargeDrift{.length = 1., .bins = 32}},
      {"3-D", SpaceChargeKick{.effective_length = 1., .cells = {8, 8, 8}}},
      {"projected",
       SpaceChargeKick{
           .effective_length = 1., .model = SpaceChargeModel::projected, .cells = {8, 8, 8}}},
      {"wake", Wake{.table = wake_table(), .bins = 64}},
      {"transverse wake", TransverseWake{.table = wake_table(), .bins = 64}},
      {"impedance", LongitudinalImpedance{.table = std::make_shared<ImpedanceTable>(impedance)}},
      {"CSR", CsrBend{.magnet = {.length = 0.5, .angle = 0.05}, .bins = 64}},
      {"modes",
       LongitudinalModes{.modes = {{.resonator = {.frequency = 1e9, .quality = 1e3, .shunt = 1e6}}},
                         .bin_size = 1e-13,
                         .bins = 128}},
      {"transverse modes",
       TransverseModes{.modes = {{.resonator = {.frequency = 1e9, .quality = 1e3, .shunt = 1e9}}},
                       .bin_size = 1e-13,
                       .bins = 128}},
      {"cavity", cavity},
  };
}

}  // namespace

TEST_CASE("the bunch's field acts on particles by their charge over their mass", "[beam]") {
  const ParticleTable electrons = some_bunch();
  // powers of two: the same bits
  ParticleTable heavy = electrons, ions = electrons;
  heavy.reference.mass = 2.;
  heavy.particle_charge *= 2.;
  ions.reference.mass = ions.reference.charge = 4.;
  for (const Element& element : collective_elements()) {
    INFO(element.name);
    const auto expected = tracked(electrons, element);
    CHECK(!same_coordinates(expected, electrons));
    CHECK(same_coordinates(tracked(heavy, element), expected));
    CHECK(same_coordinates(tracked(ions, element), expected));
    ParticleTable twice = electrons;
    twice.reference.mass = 2.;
    CHECK(!same_coordinates(tracked(twice, element), expected));
  }
}

TEST_CASE("protons repel each other less than electrons by their mass", "[beam]") {
  const Element kick{"3-D", SpaceChargeKick{.effective_length = 1., .cells = {8, 8, 8}}};
  const ParticleTable electrons = some_bunch();
  ParticleTable protons = electrons;
  const Species* species = find_species("proton");
  protons.reference.set_particle(species->mass, species->charge);
  CHECK(std::abs(protons.reference.mass_per_charge() - 1836.152673) < 1e-5);
  const auto of_electrons = tracked(electrons, kick), of_protons = tracked(protons, kick);
  for (int i = 0; i < electrons.size(); ++i) {
    const double light = of_electrons.v[xp][i] - electrons.v[xp][i];
    const double heavy = of_protons.v[xp][i] - electrons.v[xp][i];
    CHECK(std::abs(1836.152673 * heavy - light) < 1e-3 * std::abs(light) + 1e-13);
  }
}

TEST_CASE("radiation is that of the classical radius of the particles", "[beam]") {
  const Element bend{"b", CanonicalBend{.length = 2., .angle = 0.2, .radiates = true}};
  ParticleTable one(1, 2e4);
  const double loss = -tracked(one, bend).v[delta][0];
  const double expected = 2. / 3. * constants::classical_electron_radius * 8e12 * 0.01 * 2.;
  CHECK(std::abs(loss / expected - 1.) < 1e-2);
  one.reference.mass = 4.;
  one.reference.charge = 2.;
  CHECK(-tracked(one, bend).v[delta][0] == loss);
  one.reference.charge = 1.;
  CHECK(std::abs(-4. * tracked(one, bend).v[delta][0] / loss - 1.) < 1e-2);
}

TEST_CASE("random losses are those of the mass and charge", "[beam]") {
  const Element bend{"b",
                     CanonicalBend{.length = 2., .angle = 0.2, .radiates = true, .quantum = true}};
  const auto spread = [&](double mass, double charge) {
    ParticleTable table(4000, 2e4);
    table.reference.mass = mass;
    table.reference.charge = charge;
    const auto after = tracked(table, bend);
    double sum = 0., squares = 0.;
    for (const double value : after.v[delta]) {
      sum += value;
      squares += value * value;
    }
    return std::sqrt(squares / table.size() - std::pow(sum / table.size(), 2));
  };
  const double electrons = spread(1., 1.);
  CHECK(electrons > 0.);
  CHECK(std::abs(4. * spread(4., 1.) / electrons - 1.) < 1e-2);
  CHECK(std::abs(2. * spread(4., 2.) / electrons - 1.) < 1e-2);
}

TEST_CASE("particles keep mass and charge when the reference momentum changes", "[beam]") {
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  auto bunch = simulation::generate_bunch<double>(
      exec, {.particles = 10, .p0 = 2., .mass = 1836., .charge_number = 2.}, workspace);
  change_reference_momentum<1>(exec, bunch, 3.);
  CHECK(bunch.reference.p0 == 3.);
  CHECK(bunch.reference.mass == 1836.);
  CHECK(bunch.reference.charge == 2.);
  ReferenceParticle electron;
  electron.set_particle(510998.9, -1.);  // of another source
  CHECK(electron.mass == 1.);
  CHECK(electron.charge == 1.);
}

TEST_CASE("fields in tesla are for electrons", "[beam]") {
  ParticleTable protons = some_bunch();
  protons.reference.mass = 1836.;
  const Wiggler wiggler{.length = 1., .periods = 10, .vertical = {.peak = 0.1, .harmonics = {{}}}};
  for (const Element& element :
       BeamLine{{"e", SolenoidField{.length = 1., .field = 0.1}}, {"e", wiggler}})
    test::check_refused<UsageError>([&] { tracked(protons, element); },
                                    "its field is that for electrons");
}
