// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_geometry.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace trackplex::test {

/// A small valid event in the JSON form, to be read as it is or after some damage: 10 hits in
/// modules 20 to 24, two particles that share hit 4, one hit of nobody.
inline nlohmann::json small_velo_event() {
  std::vector<int> sums(lhcb::velo_modules + 1, 0);
  std::vector<double> x, y, z;
  for (int module = 20; module < 25; ++module) {
    for (const double side : {-1., 1.}) {
      x.push_back(5.125 + 0.25 * module);
      y.push_back(side * (7.5 + 0.125 * module));
      z.push_back(lhcb::velo_module_z[static_cast<std::size_t>(module)] + side * 0.581);
    }
    for (std::size_t later = static_cast<std::size_t>(module) + 1; later < sums.size(); ++later) {
      sums[later] += 2;
    }
  }
  using nlohmann::json;
  return json{
      {"description", "Upgrade 1"},
      {"module_prefix_sum", sums},
      {"montecarlo",
       {{"description",
         {"key", "pid", "p", "pt", "eta", "phi", "isLong", "isDown", "hasVelo", "hasUT", "hasScifi",
          "fromBeautyDecay", "fromCharmDecay", "fromStrangeDecay", "charge", "hits"}},
        {"particles",
         json::array({json::array({291, 211, 1389.796, 220.269, 2.528, -2.56, 1, 0, 1, 1, 0, 0, 0,
                                   1, 1.0, json::array({0, 2, 4, 6})}),
                      json::array({630, -2212, 7527.244, 298.565, 3.92, 0.259, 0, 1, 1, 0, 1, 1, 1,
                                   0, -0.999, json::array({1, 3, 4, 5, 7, 9})})})}}},
      {"x", x},
      {"y", y},
      {"z", z}};
}

/// The same with what an Upgrade 2 event has: hit times, and particles of which only hits are
/// known.
inline nlohmann::json small_upgrade2_event() {
  auto event = small_velo_event();
  event["description"] = "Upgrade 2 data";
  event["t"] = std::vector<double>(10, 0.25);
  event["montecarlo"] = {{"description", {"hits"}},
                         {"particles", {{{0, 2, 4, 6}}, {{1, 3, 4, 5, 7, 9}}}}};
  return event;
}

}  // namespace trackplex::test
