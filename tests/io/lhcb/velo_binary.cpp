// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "small_velo_event.hpp"

#include <trackplex/io/lhcb/velo_binary.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <functional>
#include <string>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using test::check_refused;

namespace {

lhcb::VeloEvent small_event() {
  return io::parse_velo_event(test::small_velo_event().dump(), "small");
}

void refuse_binary(const std::function<void(lhcb::VeloEvent&)>& change,
                   const std::string& message) {
  auto event = small_event();
  change(event);
  check_refused([&] { io::parse_velo_binary(io::velo_binary_bytes(event), "small.velo"); },
                "small.velo: " + message);
}

}  // namespace

TEST_CASE("An event survives a binary file to the last bit", "[io]") {
  auto upgrade2 = io::parse_velo_event(test::small_upgrade2_event().dump(), "small");
  auto without_truth = small_event();
  without_truth.particles.clear();
  without_truth.has_truth = without_truth.has_kinematics = false;
  without_truth.x[3] = -0.;
  lhcb::VeloEvent empty;
  empty.name = "small";
  for (const auto& event : {small_event(), upgrade2, without_truth, empty}) {
    const auto bytes = io::velo_binary_bytes(event);
    CHECK(io::parse_velo_binary(bytes, "small") == event);
    CHECK(io::velo_binary_bytes(io::parse_velo_binary(bytes, "small")) == bytes);
  }
}

TEST_CASE("Damaged binary events are refused", "[io]") {
  const auto bytes = io::velo_binary_bytes(small_event());
  const auto parse = [](const std::string& text) { io::parse_velo_binary(text, "small.velo"); };
  test::check_cut_off_anywhere(bytes, parse);
  test::check_changed_anywhere(bytes, parse, 20000);
  check_refused([&] { parse(bytes + "x"); }, "1 bytes follow the event");
  check_refused([&] { parse("{\"x\":[]}"); }, "byte 0: it does not begin with TPXVELO1");
  check_refused([&] { parse(test::with_number(bytes, 8, 8u)); }, "parts, byte 8: is 8");
  check_refused([&] { parse(test::with_number(bytes, 8, 4u)); }, "parts, byte 8: is 4");
  check_refused([&] { parse(test::with_number(bytes, 12, -1)); }, "their number is -1");
}

TEST_CASE("Binary events with numbers that cannot be are refused", "[io]") {
  using Event = lhcb::VeloEvent&;
  refuse_binary([](Event e) { e.x[2] = std::nan(""); }, "x[2]: nan is out of range");
  refuse_binary([](Event e) { e.y[1] = 1e5; }, "y[1]: 1e+05 is out of range");
  refuse_binary([](Event e) { e.z[4] = 750.; }, "z[4]: 750.0 mm is not in module 22");
  refuse_binary([](Event e) { e.t.assign(10, INFINITY); }, "t[0]: inf is out of range");
  refuse_binary([](Event e) { e.module_offsets[0] = 1; }, "module_prefix_sum[0]: is not 0");
  refuse_binary([](Event e) { e.module_offsets[22] = 1; }, "module_prefix_sum[22]: 1 is less than");
  refuse_binary([](Event e) { e.module_offsets[52] = 11; },
                "module_prefix_sum[52]: 11 is not the number of hits");
  refuse_binary([](Event e) { e.particles[1].p = -1.; }, "particles[1]: its momentum -1 is out");
  refuse_binary([](Event e) { e.particles[1].pt = std::nan(""); },
                "particles[1]: its momentum nan");
  refuse_binary([](Event e) { e.particles[0].eta = INFINITY; },
                "particles[0]: its direction is not finite");
  refuse_binary([](Event e) { e.particles[0].hits[2] = 10; }, "particles[0]: it has hit 10");
  refuse_binary([](Event e) { e.particles[0].hits[2] = 2; }, "particles[0]: hit 2 is listed twice");
}

TEST_CASE("Real events survive binary files", "[io]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "upgrade2"}) {
    const auto file = io::velo_event_files(folder / name).front();
    const auto event = io::read_velo_event(file);
    const auto copy = std::filesystem::temp_directory_path() / "trackplex_velo_binary.velo";
    io::write_velo_binary(copy, event);
    auto read = io::read_velo_event(copy);
    CHECK(read.name == copy.string());
    read.name = event.name;
    CHECK(read == event);
    std::filesystem::remove(copy);
  }
}
