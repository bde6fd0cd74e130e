// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/match_optics.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>
#include <utility>
#include <vector>

#include "support/source_folder.hpp"

// One ring in four languages, with equal models: exact drifts, magnets and edges of bends, and
// slices of the same number and order. The file of Xsuite names its models, that of elegant its
// slices; options give the others.

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

using Tracker = OrbitTracker<HostExecutor>;

constexpr int slices = 4;
constexpr double tolerance = 1e-12;

struct Ring {
  std::string language;
  BeamLine line;
  double p0;
};

std::filesystem::path file(const std::string& name) {
  return test::source_folder() / "tests/io/same_ring" / name;
}

Ring madx_ring(bool exact = true) {
  const auto read = read_madx({file("ring.seq")}, {.exact = exact, .slices = slices});
  return {"MAD-X", read.expand(), read.beam()->p0()};
}
Ring elegant_ring(double p0, bool exact = true) {
  return {"elegant", read_elegant_lattice(file("ring.lte"), {.exact_edges = exact}).expand(), p0};
}
Ring pals_ring() {
  const auto read = read_pals(file("ring.pals.yaml"), {.exact = true, .slices = slices});
  return {"PALS", read.line, read.particle->p0()};
}
Ring xsuite_ring() {
  const auto read = read_xsuite(file("ring.json"), {.slices = slices});
  return {"Xsuite", read.line, read.particle->p0()};
}
std::vector<Ring> other_rings(double p0) { return {elegant_ring(p0), pals_ring(), xsuite_ring()}; }

/// The largest difference of numbers, relative where they are above 1.
class Difference {
 public:
  void add(double a, double b) {
    const double here = std::abs(a - b) / std::max(1., std::abs(b));
    most_ = here <= most_ ? most_ : here;  // keeps what is not a number
  }
  template <std::size_t n>
  void add(const std::array<double, n>& a, const std::array<double, n>& b) {
    for (std::size_t i = 0; i < n; ++i) add(a[i], b[i]);
  }
  void add(const Optics& a, const Optics& b) {
    const auto numbers = [](const Optics& at) {
      const auto &first = at.first_in_y, &second = at.second_in_x;
      return std::array{at.position,      at.x.beta,        at.x.alpha,       at.y.beta,
                        at.y.alpha,       at.phase_x,       at.phase_y,       at.dispersion[0],
                        at.dispersion[1], at.dispersion[2], at.dispersion[3], first.beta(),
                        first.alpha(),    first.area(),     second.beta(),    second.alpha(),
                        second.area()};
    };
    add(numbers(a), numbers(b));
  }
  void add(const Chromaticity& a, const Chromaticity& b) {
    const auto numbers = [](const Chromaticity& of) {
      const auto* d = of.second_dispersion;
      return std::array{of.x, of.y, of.momentum_compaction, of.momentum_compaction2, d[0], d[1],
                        d[2], d[3]};
    };
    add(numbers(a), numbers(b));
  }
  template <class Number>
  void add(const std::vector<Number>& a, const std::vector<Number>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) add(a[i], b[i]);
  }
  double most() const { return most_; }

 private:
  double most_ = 0.;
};

/// Particles after some turns with the cavity.
ParticleTable tracked(const Ring& ring) {
  ParticleTable particles(8, ring.p0);
  const double sizes[] = {1e-3, 1e-4, 1e-3, 1e-4, 1e-2, 1e-3};
  for (int i = 0; i < particles.size(); ++i)
    for (int c = 0; c < n_coordinates; ++c)
      particles.v[c][i] = sizes[c] * std::sin(1. + 12.9898 * i + 78.233 * c);
  const HostExecutor exec;
  auto bunch = upload<double>(exec, particles);
  LineTracker<double, HostExecutor>(exec, ring.line).track(bunch, 10);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("A ring of MAD-X, elegant, PALS and Xsuite has the same elements", "[io]") {
  const Ring ring = madx_ring();
  CHECK(ring.line.size() == 101);
  for (const Ring& other : other_rings(ring.p0)) {
    CAPTURE(other.language);
    CHECK(std::abs(other.p0 / ring.p0 - 1.) < 1e-15);
    REQUIRE(other.line.size() == ring.line.size());
    for (std::size_t i = 0; i < ring.line.size(); ++i) {
      CHECK(other.line[i].name == ring.line[i].name);
      CHECK(std::string(other.line[i].kind.family()) == ring.line[i].kind.family());
    }
  }
}

TEST_CASE("A ring of MAD-X, elegant, PALS and Xsuite has the same optics by maps", "[io]") {
  const Ring ring = madx_ring();
  const OpticsAlong optics = periodic_optics_along(ring.line, ring.p0);
  const SynchrotronMotion motion = synchrotron_motion(ring.line, ring.p0);
  REQUIRE(optics.chromaticity);
  CHECK(motion.tune > 1e-3);
  for (const Ring& other : other_rings(ring.p0)) {
    CAPTURE(other.language);
    const OpticsAlong of_other = periodic_optics_along(other.line, other.p0);
    const SynchrotronMotion motion_of_other = synchrotron_motion(other.line, other.p0);
    Difference difference;
    difference.add(of_other.optics, optics.optics);
    difference.add(*of_other.chromaticity, *optics.chromaticity);
    difference.add(motion_of_other.tune, motion.tune);
    difference.add(motion_of_other.slip, motion.slip);
    CHECK(difference.most() < tolerance);
  }
}

TEST_CASE("A ring of MAD-X, elegant, PALS and Xsuite has the same optics by tracking", "[io]") {
  const Ring ring = madx_ring();
  Tracker tracker(HostExecutor(), ring.line, ring.p0);
  const Chromaticity chromaticity = orbit_chromaticity(tracker);
  for (const double delta : {0., 2e-3}) {
    CAPTURE(delta);
    const OrbitOptics optics = orbit_optics(tracker, delta);
    CHECK(std::abs(optics.orbit.front()[x]) > 1e-5);
    CHECK(std::abs(optics.orbit.front()[y]) > 1e-5);
    CHECK(optics.optics.front().first_in_y.beta() > 1e-5);
    for (const Ring& other : other_rings(ring.p0)) {
      CAPTURE(other.language);
      Tracker of_other(HostExecutor(), other.line, other.p0);
      const OrbitOptics found = orbit_optics(of_other, delta);
      Difference difference;
      difference.add(found.optics, optics.optics);
      difference.add(found.orbit, optics.orbit);
      difference.add(found.tune_x, optics.tune_x);
      difference.add(found.tune_y, optics.tune_y);
      if (delta == 0.) difference.add(orbit_chromaticity(of_other), chromaticity);
      CHECK(difference.most() < tolerance);
    }
  }
}

TEST_CASE("A ring of MAD-X, elegant, PALS and Xsuite moves particles alike", "[io]") {
  const Ring ring = madx_ring();
  const ParticleTable particles = tracked(ring);
  CHECK(particles.n_lost() == 0);
  for (const Ring& other : other_rings(ring.p0)) {
    CAPTURE(other.language);
    const ParticleTable of_other = tracked(other);
    Difference difference;
    for (int c = 0; c < n_coordinates; ++c) difference.add(of_other.v[c], particles.v[c]);
    CHECK(difference.most() < tolerance);
  }
}

TEST_CASE("Other models of the same ring have other chromaticities", "[io]") {
  const Ring exact = madx_ring();
  const auto chromaticity_of = [](const Ring& ring) {
    Tracker tracker(HostExecutor(), ring.line, ring.p0);
    return orbit_chromaticity(tracker);
  };
  const Chromaticity of_exact = chromaticity_of(exact);
  CHECK(std::abs(chromaticity_of(madx_ring(false)).y - of_exact.y) > 1e-4);
  CHECK(std::abs(chromaticity_of(elegant_ring(exact.p0, false)).y - of_exact.y) > 1e-4);
}
