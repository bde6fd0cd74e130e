// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/data.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/lhcb/velo/velo_sensors.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace trackplex;

TEST_CASE("Generated events survive being written and read", "[simulation]") {
  const simulation::VeloGenerator generate;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const auto event = generate(i);
    std::ostringstream text;
    io::write_velo_event(text, event);
    CHECK(io::parse_velo_event(text.str(), event.name) == event);
  }
}

TEST_CASE("The hits of real events stand on the sensors", "[simulation]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "bsphiphi", "upgrade2"}) {
    auto files = io::velo_event_files(folder / name);
    files.resize(std::min<std::size_t>(files.size(), 10));
    for (const auto& file : files) {
      INFO(file);
      const auto event = io::read_velo_event(file);
      std::size_t outside = 0;
      for (std::size_t m = 0; m < lhcb::velo_modules; ++m) {
        for (std::size_t h = event.module_offsets[m]; h < event.module_offsets[m + 1]; ++h) {
          const auto point = lhcb::to_velo_sensor(static_cast<int>(m), event.x[h], event.y[h]);
          const double dz = event.z[h] - lhcb::velo_module_z[m];
          const auto holds = [&](const auto& sensor) {
            return std::abs(dz - sensor.z) < 0.002 && sensor.contains(point.u, point.v);
          };
          outside += std::none_of(lhcb::velo_sensors.begin(), lhcb::velo_sensors.end(), holds);
        }
      }
      CHECK(outside == 0);
    }
  }
}
