// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/feedback_driver.hpp>
#include <trackplex/beam/elements/feedback_pickup.hpp>
#include <trackplex/beam/elements/scatter.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/// @file
/// elegant's elements of random kicks and of feedback.

namespace trackplex::io::detail {

inline beam::ElementKind make_scatter(const ElementValues& v) {
  const std::string distribution = upper_case(v.text("DISTRIBUTION"));
  const bool is_uniform = distribution == "UNIFORM";
  v.require(is_uniform || distribution.empty() || distribution == "GAUSSIAN", "DISTRIBUTION",
            "it is gaussian or uniform");
  return beam::Scatter{.dx = v("X"),
                       .dxp = v("XP"),
                       .dy = v("Y"),
                       .dyp = v("YP"),
                       .dp = v("DP"),
                       .probability = v("PROBABILITY"),
                       .is_uniform = is_uniform,
                       .first_turn = v.integer("STARTONPASS"),
                       .last_turn = v.integer("ENDONPASS")};
}

/// Coefficients A0, A1, ... up to the last one that is not 0.
inline std::vector<double> filter_of(const ElementValues& v) {
  std::vector<double> filter;
  for (int i = 0; i < 30; ++i) filter.push_back(v("A" + std::to_string(i)));
  while (!filter.empty() && filter.back() == 0.) filter.pop_back();
  v.require(!filter.empty(), "A0", "all coefficients of the filter are 0");
  return filter;
}

inline beam::ElementKind make_pickup(const ElementValues& v) {
  beam::FeedbackPickup pickup;
  pickup.id = upper_case(v.text("ID"));
  v.require(!pickup.id.empty(), "ID", "a pickup needs a name");
  const std::string plane = upper_case(v.text("PLANE"));
  if (plane == "Y") {
    pickup.plane = beam::y;
  } else if (plane == "DELTA") {
    pickup.plane = beam::delta;
  } else {
    v.require(plane.empty() || plane == "X", "PLANE", "only x, y and delta are measured here");
  }
  pickup.filter = filter_of(v);
  if (pickup.plane != beam::delta) pickup.offset = v(pickup.plane == beam::x ? "DX" : "DY");
  pickup.noise = v("RMS_NOISE");
  pickup.interval = std::max(1, v.integer("UPDATE_INTERVAL"));
  pickup.first_turn = std::max(0, v.integer("START_PASS"));
  pickup.last_turn = v("END_PASS") > 0. ? v.integer("END_PASS") : -1;
  return pickup;
}

inline beam::ElementKind make_driver(const ElementValues& v) {
  beam::FeedbackDriver driver;
  driver.id = upper_case(v.text("ID"));
  v.require(!driver.id.empty(), "ID", "a driver needs the name of its pickup");
  v.require(!v.is_given("GAIN_FACTOR_FILE"), "GAIN_FACTOR_FILE",
            "gains of single bunches are not done here");
  driver.strength = v("STRENGTH");
  driver.limit = v("KICK_LIMIT");
  driver.delay = v.integer("DELAY");
  v.require(driver.delay >= 0, "DELAY", "it must not be negative");
  driver.filter = filter_of(v);
  driver.interval = std::max(1, v.integer("UPDATE_INTERVAL"));
  driver.is_longitudinal = v.flag("LONGITUDINAL");
  driver.first_turn = std::max(0, v.integer("START_PASS"));
  driver.last_turn = v("END_PASS") > 0. ? v.integer("END_PASS") : -1;
  return driver;
}

/// Parameters of pickups and drivers, and others; the default of A0 differs.
inline std::vector<ParameterRule> feedback_parameters(double first,
                                                      std::vector<ParameterRule> others) {
  using enum ParameterKind;
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 30; ++i) all.push_back("A" + std::to_string(i));
    return all;
  }();
  others.insert(others.end(), {{"ID", 0., text},
                               {"UPDATE_INTERVAL", 0., integer},
                               {"START_PASS", -1., integer},
                               {"END_PASS", -1., integer},
                               {"BUNCHED_BEAM_MODE", 1., passive}});
  for (const std::string& name : names) others.push_back({name, name == "A0" ? first : 0.});
  return others;
}

}  // namespace trackplex::io::detail
