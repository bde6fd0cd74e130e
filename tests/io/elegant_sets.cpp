// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/io/elegant_lattice.hpp>

#include "beam/element_sets.hpp"

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

/// Tracks the particles of a set through its line, as elegant's file describes it.
ParticleTable tracked(const test::ElementSet& set) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Space exec;
  const auto lattice = io::read_elegant_lattice(
      test::reference_or_skip("beam-elements/lattice/" + set.name + ".lte"));
  auto bunch = upload<double>(exec, test::table_before(set));
  LineTracker<double, Space> tracker(exec, lattice.expand(), {0., 0.});
  tracker.track(bunch);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("elements track particles as elegant does", "[io][elegant]") {
  int tracked_sets = 0;
  for (const Listed& listed : listed_sets()) {
    const auto set = test::element_set(listed.name, listed.p0, listed.p0_behind);
    CAPTURE(set.name);
    try {
      const auto table = tracked(set);
      const auto deviation = test::deviation_of(table, set);
      const double p0 = std::abs(table.reference.p0 / set.p0_behind - 1.);
      if (!(deviation.largest() <= 1e-12) || deviation.fates > 0 || p0 > 1e-12) {
        std::string all;
        for (const double d : deviation.of) {
          char text[16];
          std::snprintf(text, sizeof text, "%.1e ", d);
          all += text;
        }
        UNSCOPED_INFO(all);
        std::printf("%-24s %s fates %d p0 %.1e\n", set.name.c_str(), all.c_str(), deviation.fates,
                    p0);
      }
      ++tracked_sets;
    } catch (const Error& error) {
      std::printf("%-24s %.150s\n", set.name.c_str(), error.what());
    }
  }
  std::printf("%d\n", tracked_sets);
}
