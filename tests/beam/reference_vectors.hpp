// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <vector>

#include "support/data.hpp"

namespace trackplex::test {

/// A particle before and behind an element; s is the whole path.
struct ReferenceParticle {
  beam::TransferMap::Vector before, behind;
};

/// The particles of a file of elegant's results; the test case is skipped where it is absent.
inline std::vector<ReferenceParticle> reference_particles(const std::string& name) {
  std::ifstream file(reference_or_skip("beam/" + name + ".csv"));
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "id,x0,xp0,y0,yp0,t0,p0,s0,delta0,x1,xp1,y1,yp1,t1,p1,s1,delta1");
  std::vector<ReferenceParticle> particles;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::array<double, 17> values{};
    std::string field;
    for (double& value : values) {
      REQUIRE(std::getline(fields, field, ','));
      value = std::stod(field);
    }
    const auto at = [&](int first) {
      return beam::TransferMap::Vector{values[first],     values[first + 1], values[first + 2],
                                       values[first + 3], values[first + 6], values[first + 7]};
    };
    particles.push_back({at(1), at(9)});
  }
  REQUIRE(particles.size() >= 1000);
  return particles;
}

/// The map of the first element in a file that elegant has printed, with the length in its
/// constants.
inline beam::TransferMap map_in_file(const std::filesystem::path& path, int order) {
  std::ifstream file(path);
  beam::TransferMap map = beam::TransferMap::identity(order);
  std::string line;
  const auto numbers = [&](std::size_t from) {
    std::istringstream stream(line.substr(from));
    std::vector<double> values;
    for (double value; stream >> value;) values.push_back(value);
    return values;
  };
  const auto index = [&](std::size_t at) { return line[at] - '0'; };
  for (bool begun = false; std::getline(file, line);) {
    const auto colon = line.find(':');
    const std::string name_of_row = line.substr(0, colon);
    if (name_of_row == "C") {
      if (begun) break;  // the maps of the whole line follow
      begun = true;
    }
    if (!begun || colon == std::string::npos) continue;
    const auto values = numbers(colon + 1);
    for (int n = 1; n <= int(values.size()); ++n) {
      const double value = values[n - 1];
      if (line[0] == 'C') map.C(n) = value;
      if (line[0] == 'R') map.R(index(1), n) = value;
      if (line[0] == 'T') map.T(index(1), index(2), n) = value;
      if (line[0] == 'Q') map.Q(index(1), index(2), index(3), n) = value;
    }
  }
  return map;
}

/// The map that elegant has printed of the element of a set.
inline beam::TransferMap reference_map(const std::string& name, int order) {
  return map_in_file(reference_or_skip("beam/matrices/" + name + ".mat"), order);
}

}  // namespace trackplex::test
