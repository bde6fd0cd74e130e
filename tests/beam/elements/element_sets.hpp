// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <vector>

#include "support/data.hpp"

namespace trackplex::test {

/// Particles before and behind a line of one or a few elements, as elegant tracks them. Coordinates
/// in the order of `Coordinate`, with the whole path as s.
struct ElementSet {
  std::string name;
  double p0 = 0., p0_behind = 0.;
  std::vector<std::array<double, 6>> before, behind;  ///< lost ones: NaN behind
};

/// Lines of a compressed file.
inline std::vector<std::string> lines_of_xz(const std::string& path) {
  const std::string command = "xz -dc '" + path + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[1 << 14];
  while (const auto n = pipe ? std::fread(buffer, 1, sizeof buffer, pipe.get()) : 0)
    text.append(buffer, n);
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The particles of a set of `beam-elements`; the test case is skipped where it is absent. The
/// momenta are those of the list of sets.
inline ElementSet element_set(const std::string& name, double p0, double p0_behind) {
  ElementSet set{name, p0, p0_behind, {}, {}};
  const std::string path = reference_or_skip("beam-elements/" + name + ".csv.xz");
  if (std::system("xz --version > /dev/null 2>&1") != 0) SKIP("there is no xz to read " + path);
  const auto lines = lines_of_xz(path);
  REQUIRE(lines.size() > 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream fields(lines[i]);
    std::array<double, 17> values{};
    std::string field;
    for (double& value : values) {
      REQUIRE(std::getline(fields, field, ','));
      value = std::stod(field);
    }
    const auto at = [&](int first) {
      return std::array<double, 6>{values[first],     values[first + 1], values[first + 2],
                                   values[first + 3], values[first + 6], values[first + 7]};
    };
    set.before.push_back(at(1));
    set.behind.push_back(at(9));
  }
  return set;
}

/// The particles before the line.
inline beam::ParticleTable table_before(const ElementSet& set) {
  beam::ParticleTable table(int(set.before.size()), set.p0);
  for (int i = 0; i < table.size(); ++i)
    for (int c = 0; c < beam::n_coordinates; ++c) table.v[c][i] = set.before[i][c];
  return table;
}

/// How far a table is from a set.
struct Deviation {
  std::array<double, 6> of{};  ///< max difference of each column over its largest magnitude
  int fates = 0;               ///< particles that are lost in one of them only

  double largest() const { return *std::max_element(of.begin(), of.end()); }
};

/// Compares particles behind the line, in any order, with those of the set. s in the table is
/// relative to the path of the reference particle.
inline Deviation deviation_of(const beam::ParticleTable& table, const ElementSet& set) {
  Deviation deviation;
  std::array<double, 6> largest{}, difference{};
  for (int i = 0; i < table.size(); ++i) {
    const auto& expected = set.behind[table.ids[i]];
    const bool is_lost = table.losses[i].element != beam::Loss::none;
    if (is_lost != std::isnan(expected[0])) ++deviation.fates;
    if (is_lost || std::isnan(expected[0])) continue;
    for (int c = 0; c < beam::n_coordinates; ++c) {
      const double value = table.v[c][i] + (c == beam::s ? table.reference.path_length : 0.);
      largest[c] = std::max(largest[c], std::abs(expected[c]));
      const double d = std::abs(value - expected[c]);
      difference[c] =
          std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(difference[c], d);
    }
  }
  for (int c = 0; c < beam::n_coordinates; ++c)
    deviation.of[c] = difference[c] == 0. ? 0. : difference[c] / largest[c];
  return deviation;
}

}  // namespace trackplex::test
