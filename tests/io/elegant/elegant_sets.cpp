// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include "beam/elements/element_sets.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// A line of `sets.csv`.
struct Listed {
  std::string name;
  double p0, p0_behind;
};

std::vector<Listed> listed_sets() {
  std::ifstream file(test::reference_or_skip("beam-elements/sets.csv"));
  std::vector<Listed> sets;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name, p0, p0_behind;
    std::getline(fields, name, ',');
    std::getline(fields, p0, ',');
    std::getline(fields, p0_behind, ',');
    sets.push_back({name, std::stod(p0), std::stod(p0_behind)});
  }
  return sets;
}

/// Largest difference of a column, over the largest magnitude in it, by the begin of the names of
/// sets; the first that fits.
struct Tolerance {
  const char* begin;
  double value;
  const char* reason;
};
constexpr Tolerance tolerances[] = {
    {"csbend", 1e-11, "elegant has x as rho (r - 1), with a rounding of rho"},
    {"ekicker", 2e-11, "elegant has x as R (cos - cos), with a rounding of R"},
    {"ehkick", 2e-11, "the same"},
    {"evkick", 2e-11, "the same"},
    {"rben_plain", 2e-10, "elegant does not let the focusing in y go below 1e-12/L^2"},
    {"sben_errors", 2e-10, "the same"},
    {"sben_etilt", 2e-10, "the same"},
    {"sben_reversed", 2e-10, "the same"},
    {"quad_order3", 2e-6, "elegant has other terms of third order in delta, and none in s"},
    {"rfca_q", 1e-11, "elegant has 1 - exp(-x) for small x"},
    {"csrbend_drift_stupakov", 2e-6, "elegant's root finder stops at 1e-4"},
    {"csr", 1e-10, "coherent radiation"},
    {"trwake_bins64", 1e-2, "elegant puts the bins around time 0, not the mean of the bunch"},
    {"trwake_interp", 1e-4, "the same"},
    {"rfcw_both_", 1e-10, "wakes"},
    {"rfcw_both", 10., "elegant has no particles in the bins around time 0 of its transverse wake"},
    {"rfcw_lsc_", 1e-10, "wakes"},
    {"rfcw_lsc", 1e-2, "elegant's first bin has the particles of the one before it, too"},
    {"rfcw", 1e-10, "wakes"},
    {"wake", 1e-10, "wakes"},
    {"", 1e-12, ""},
};

const Tolerance& tolerance_of(const std::string& name) {
  const auto* tolerance = tolerances;
  while (!name.starts_with(tolerance->begin)) ++tolerance;
  return *tolerance;
}

/// Tracks the particles of a set through its line, as elegant's file describes it.
ParticleTable tracked(const test::ElementSet& set) {
  using Space = HostExecutor;
  const Space exec;
  const auto lattice = io::read_elegant_lattice(
      test::reference_or_skip("beam-elements/lattice/" + set.name + ".lte"));
  auto bunch = upload<double>(exec, test::table_before(set));
  LineTracker<double, Space> tracker(exec, lattice.expand(), {0., 0.});
  tracker.track(bunch);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("elements of elegant's files track particles as elegant does", "[io][elegant]") {
  for (const Listed& listed : listed_sets()) {
    const auto set = test::element_set(listed.name, listed.p0, listed.p0_behind);
    const Tolerance& tolerance = tolerance_of(set.name);
    CAPTURE(set.name, tolerance.reason);
    ParticleTable table;
    REQUIRE_NOTHROW(table = tracked(set));
    const auto deviation = test::deviation_of(table, set);
    CHECK(deviation.largest() <= tolerance.value);
    CHECK(deviation.fates == 0);
    CHECK(std::abs(table.reference.p0 / set.p0_behind - 1.) <=
          std::max(1e-12, 1e-3 * tolerance.value));
  }
}
