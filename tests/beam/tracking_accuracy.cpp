// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>

#include "beam/reference_vectors.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Largest = TransferMap::Vector;

/// The largest differences from elegant's particles behind a line.
template <class T, class Space>
Largest differences(const std::string& name, const BeamLine& line) {
  const auto reference = test::reference_particles(name);
  const int n = int(reference.size());
  ParticleTable table(n, 200.);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = reference[i].before[c];
  const Space exec;
  auto bunch = upload<T>(exec, table);
  LineTracker<T, Space>(exec, line).track(bunch);
  const auto out = download(exec, bunch);
  REQUIRE(out.n_lost() == 0);
  Largest largest{};
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n_coordinates; ++c) {
      const double path = c == s ? out.reference.path_length : 0.;
      largest[c] = std::max(largest[c], std::abs(out.v[c][i] + path - reference[i].behind[c]));
    }
  return largest;
}

BeamLine fodo(int cells) {
  BeamLine line;
  for (int i = 0; i < cells; ++i) {
    line.push_back({"qf", Quadrupole{0.2, 1.5}});
    line.push_back({"d", Drift{0.8}});
    line.push_back({"qd", Quadrupole{0.2, -1.5}});
    line.push_back({"d", Drift{0.8}});
  }
  return line;
}

template <class Space>
void check(const std::string& name, const BeamLine& line,
           const Largest& allowed = {1e-15, 1e-15, 1e-15, 1e-15, 1e-14, 0.}) {
  CAPTURE(name);
  const auto found = differences<double, Space>(name, line);
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    CHECK(found[c] <= allowed[c]);
  }
  // In single precision: some roundings of the largest coordinates, which are below 5e-3.
  const auto single = differences<float, Space>(name, line);
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    CHECK(single[c] <= 3e-8);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("particles arrive where elegant's do", "[beam]", test::EnabledSpaces) {
  using Space = TestType;
  for (const int order : {1, 2}) {
    const std::string o = "_o" + std::to_string(order);
    check<Space>("drift" + o, {{"E", Drift{0.5, order}}});
    check<Space>("quad_f" + o, {{"E", Quadrupole{0.2, 5., order}}});
    check<Space>("quad_d" + o, {{"E", Quadrupole{0.2, -5., order}}});
  }
  check<Space>("edrift", {{"E", ExactDrift{0.5}}});
  check<Space>("kquad_s4_i4", {{"E", CanonicalQuadrupole{0.2, 5., 4, 4}}});
  check<Space>("sext_o2", {{"E", Sextupole{0.3, 50.}}});
  check<Space>("sext_o3", {{"E", Sextupole{0.3, 50., 3}}});
  check<Space>("lsc_off", {{"E", ExactDrift{0.2}}});
  check<Space>("fodo20_o2", fodo(10), {3e-15, 3e-15, 3e-15, 3e-15, 4e-14, 0.});
}

TEMPLATE_LIST_TEST_CASE("particles leave bends where elegant's do", "[beam]", test::EnabledSpaces) {
  using Space = TestType;
  // elegant gives a bend without vertical focusing a little of it
  const Largest floored{1e-15, 1e-15, 1e-13, 1e-12, 1e-14, 0.};
  const SectorBend bend{.length = 0.5, .angle = 0.2};
  check<Space>("sbend_o1", {{"E", Bend{bend, 1}}}, floored);
  check<Space>("sbend_o2", {{"E", Bend{bend, 2}}}, floored);
  SectorBend with_edges = bend;
  with_edges.entrance = with_edges.exit = 0.1;
  with_edges.half_gap = 0.02;
  check<Space>("sbend_edge_o2", {{"E", Bend{with_edges, 2}}}, floored);
}

TEST_CASE("quadrupoles of third order are elegant's, from its coefficients", "[beam]") {
  using Space = HostExecutor;
  for (const std::string name : {"quad_f_o3", "quad_d_o3"}) {
    auto map = test::reference_map(name, 3);
    map.C(5) = 0.;
    check<Space>(name, {{"E", MapElement{0.2, map}}});
  }
}

TEMPLATE_LIST_TEST_CASE("particles leave a line with space charge where elegant's do", "[beam]",
                        test::EnabledSpaces) {
  using Space = TestType;
  const Charge charge{1e-9};
  const SpaceChargeDrift drift{.length = 0.2, .bins = 256};
  const Largest allowed{1e-15, 1e-15, 1e-15, 1e-15, 1e-14, 2e-13};
  const BeamLine line{{"CH", charge}, {"E", drift}};
  const auto found = differences<double, Space>("lsc_256", line);
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    CHECK(found[c] <= allowed[c]);
  }
}
