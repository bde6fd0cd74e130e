// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "small_velo_event.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/io/lhcb/detail/velo_json_reader.hpp>
#include <trackplex/io/lhcb/detail/velo_json_writer.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace trackplex;
using nlohmann::json;

/// A way to damage the small event, and what the message must then say.
struct Damage {
  std::string what;
  std::function<void(json&)> apply;
  std::string message;
};

json& particle(json& event, std::size_t i) { return event["montecarlo"]["particles"][i]; }

constexpr std::size_t pid = 1, p = 2, pt = 3, eta = 4, is_long = 6, charge = 14, hits = 15;

const std::vector<Damage> damages = {
    {"no x", [](json& e) { e.erase("x"); }, "small.json: has no field \"x\""},
    {"no y", [](json& e) { e.erase("y"); }, "small.json: has no field \"y\""},
    {"no z", [](json& e) { e.erase("z"); }, "small.json: has no field \"z\""},
    {"no prefix sums", [](json& e) { e.erase("module_prefix_sum"); },
     "small.json: has no field \"module_prefix_sum\""},
    {"not an object", [](json& e) { e = json::array({e}); },
     "small.json: is of type array (expected an object)"},
    {"a number", [](json& e) { e = 17; }, "small.json: is of type number"},
    {"x is no array", [](json& e) { e["x"] = "1,2,3"; },
     "small.json: x: is of type string (expected an array)"},
    {"z is null", [](json& e) { e["z"] = nullptr; }, "small.json: z: is of type null"},
    {"t is no array", [](json& e) { e["t"] = 3; }, "small.json: t: is of type number"},
    {"prefix sums are no array", [](json& e) { e["module_prefix_sum"] = json::object(); },
     "small.json: module_prefix_sum: is of type object (expected an array)"},
    {"x too short", [](json& e) { e["x"].erase(9); }, "y: has 10 values, but x has 9"},
    {"y too long", [](json& e) { e["y"].push_back(1.); }, "y: has 11 values, but x has 10"},
    {"z too short", [](json& e) { e["z"].erase(0); }, "z: has 9 values, but x has 10"},
    {"t too short", [](json& e) { e["t"] = json::array({1.}); }, "t: has 1 values, but x has 10"},
    {"null in x", [](json& e) { e["x"][3] = nullptr; },
     "x[3]: is of type null (expected a finite number)"},
    {"NaN in y", [](json& e) { e["y"][9] = std::numeric_limits<double>::quiet_NaN(); },
     "y[9]: is of type null"},
    {"inf in z", [](json& e) { e["z"][0] = std::numeric_limits<double>::infinity(); },
     "z[0]: is of type null"},
    {"text in t", [](json& e) { e["t"] = std::vector<std::string>(10, "late"); },
     "t[0]: is of type string"},
    {"x in another unit", [](json& e) { e["x"][7] = 8.5e3; },
     "x[7]: 8500.0 is out of range (absolute value at most 2000.0)"},
    {"y absurd", [](json& e) { e["y"][1] = -1e300; }, "y[1]: -1e+300 is out of range"},
    {"hit in another module", [](json& e) { e["z"][4] = 750.; },
     "z[4]: 750.0 mm is not in module 22 (nominal z 87.5 mm); check module_prefix_sum"},
    {"52 prefix sums", [](json& e) { e["module_prefix_sum"].erase(0); },
     "module_prefix_sum: has 52 values (53 are expected"},
    {"54 prefix sums", [](json& e) { e["module_prefix_sum"].push_back(10); },
     "module_prefix_sum: has 54 values"},
    {"no prefix sum", [](json& e) { e["module_prefix_sum"] = json::array(); },
     "module_prefix_sum: has 0 values"},
    {"first prefix sum", [](json& e) { e["module_prefix_sum"][0] = 1; },
     "module_prefix_sum[0]: is not 0"},
    {"decreasing prefix sums", [](json& e) { e["module_prefix_sum"][22] = 1; },
     "module_prefix_sum[22]: 1 is less than 2 before it"},
    {"negative prefix sum", [](json& e) { e["module_prefix_sum"][5] = -1; },
     "module_prefix_sum[5]: -1 is out of range"},
    {"fractional prefix sum", [](json& e) { e["module_prefix_sum"][22] = 4.5; },
     "module_prefix_sum[22]: 4.5 is not an integer"},
    {"huge prefix sum",
     [](json& e) { e["module_prefix_sum"][30] = std::numeric_limits<std::uint64_t>::max(); },
     "module_prefix_sum[30]: 18446744073709551615 is out of range"},
    {"wrapping prefix sum", [](json& e) { e["module_prefix_sum"][30] = 4294967296u + 10u; },
     "module_prefix_sum[30]: 4294967306 is out of range"},
    {"last prefix sum too large", [](json& e) { e["module_prefix_sum"][52] = 11; },
     "module_prefix_sum[52]: 11 is not the number of hits (x has 10 values)"},
    {"last prefix sums too small",
     [](json& e) {
       for (std::size_t m = 25; m <= 52; ++m) e["module_prefix_sum"][m] = 9;
     },
     "module_prefix_sum[52]: 9 is not the number of hits"},
    {"prefix sum is text", [](json& e) { e["module_prefix_sum"][1] = "0"; },
     "module_prefix_sum[1]: is of type string (expected an integer)"},
    {"truth is no object", [](json& e) { e["montecarlo"] = json::array(); },
     "montecarlo: is of type array (expected an object)"},
    {"no description", [](json& e) { e["montecarlo"].erase("description"); },
     "montecarlo: has no field \"description\""},
    {"no particles", [](json& e) { e["montecarlo"].erase("particles"); },
     "montecarlo: has no field \"particles\""},
    {"description is text", [](json& e) { e["montecarlo"]["description"] = "hits"; },
     "montecarlo.description: is of type string (expected an array)"},
    {"description of numbers", [](json& e) { e["montecarlo"]["description"][2] = 5; },
     "montecarlo.description[2]: is of type number (expected a name)"},
    {"description without hits", [](json& e) { e["montecarlo"]["description"][hits] = "pits"; },
     "montecarlo.description: does not name \"hits\""},
    {"description without p", [](json& e) { e["montecarlo"]["description"][p] = "momentum"; },
     "montecarlo.description: does not name \"p\""},
    {"description with p twice", [](json& e) { e["montecarlo"]["description"][pt] = "p"; },
     "montecarlo.description[3]: \"p\" is named twice"},
    {"particles are no array", [](json& e) { e["montecarlo"]["particles"] = 2; },
     "montecarlo.particles: is of type number"},
    {"particle is no array", [](json& e) { particle(e, 1) = nullptr; },
     "montecarlo.particles[1]: is of type null (expected an array)"},
    {"row too short", [](json& e) { particle(e, 1).erase(0); },
     "montecarlo.particles[1]: has 15 values (montecarlo.description has 16)"},
    {"row too long", [](json& e) { particle(e, 0).push_back(0); },
     "montecarlo.particles[0]: has 17 values"},
    {"pid is text", [](json& e) { particle(e, 0)[pid] = "pi+"; },
     "montecarlo.particles[0].pid: is of type string (expected an integer)"},
    {"pid is fractional", [](json& e) { particle(e, 0)[pid] = 211.5; },
     "montecarlo.particles[0].pid: 211.5 is not an integer"},
    {"pid overflows", [](json& e) { particle(e, 0)[pid] = 99999999999; },
     "montecarlo.particles[0].pid: 99999999999 is out of range"},
    {"p is null", [](json& e) { particle(e, 1)[p] = nullptr; },
     "montecarlo.particles[1].p: is of type null (expected a finite number)"},
    {"p is negative", [](json& e) { particle(e, 1)[p] = -3.; },
     "montecarlo.particles[1].p: -3.0 is negative"},
    {"p is absurd", [](json& e) { particle(e, 1)[p] = 1e12; },
     "montecarlo.particles[1].p: 1000000000000.0 is out of range"},
    {"eta is an array", [](json& e) { particle(e, 1)[eta] = json::array(); },
     "montecarlo.particles[1].eta: is of type array"},
    {"flag is 2", [](json& e) { particle(e, 0)[is_long] = 2; },
     "montecarlo.particles[0].isLong: 2 is out of range (allowed: 0 to 1)"},
    {"charge is text", [](json& e) { particle(e, 0)[charge] = "+"; },
     "montecarlo.particles[0].charge: is of type string"},
    {"hits are no array", [](json& e) { particle(e, 0)[hits] = 4; },
     "montecarlo.particles[0].hits: is of type number (expected an array)"},
    {"hit out of range", [](json& e) { particle(e, 0)[hits][2] = 10; },
     "montecarlo.particles[0].hits[2]: 10 is out of range (allowed: 0 to 9)"},
    {"negative hit", [](json& e) { particle(e, 1)[hits][0] = -1; },
     "montecarlo.particles[1].hits[0]: -1 is out of range"},
    {"fractional hit", [](json& e) { particle(e, 1)[hits][5] = 9.0; },
     "montecarlo.particles[1].hits[5]: 9.0 is not an integer"},
    {"hit is text", [](json& e) { particle(e, 1)[hits][5] = "9"; },
     "montecarlo.particles[1].hits[5]: is of type string"},
    {"hit wraps", [](json& e) { particle(e, 1)[hits][5] = 4294967296u + 9u; },
     "montecarlo.particles[1].hits[5]: 4294967305 is out of range"},
    {"hit twice", [](json& e) { particle(e, 1)[hits][5] = 1; },
     "montecarlo.particles[1].hits[5]: hit 1 is listed twice"},
    {"truth without hits in the event",
     [](json& e) {
       for (const char* field : {"x", "y", "z"}) e[field] = json::array();
       for (auto& sum : e["module_prefix_sum"]) sum = 0;
     },
     "montecarlo.particles[0].hits[0]: names a hit, but the event has none"},
};

/// Replaces the first `what` in the text of the small event.
std::string text_with(const std::string& what, const std::string& replacement) {
  std::string text = test::small_velo_event().dump();
  const auto found = text.find(what);
  REQUIRE(found != text.npos);
  return text.replace(found, what.size(), replacement);
}

void check_message(const std::string& text, const std::string& message) {
  CHECK_THROWS_AS(io::parse_velo_event(text, "small.json"), InputError);
  CHECK_THROWS_WITH(io::parse_velo_event(text, "small.json"),
                    Catch::Matchers::ContainsSubstring(message));
}

/// What a reader makes of a text: the event as text, or the message.
template <class Read>
std::string outcome_of(const Read& read) {
  try {
    return io::detail::velo_event_text(read());
  } catch (const Error& error) {
    return error.what();
  }
}

/// Whether the slower parser, which explains, makes the same of a text.
void check_same_with_other_parser(const std::string& text) {
  const std::string name = "small.json";
  CHECK(outcome_of([&] { return io::parse_velo_event(text, name); }) == outcome_of([&] {
          const auto document = io::detail::parse_json(text, name);
          return io::detail::VeloJsonReader(document, name).read();
        }));
}

}  // namespace

TEST_CASE("Damaged events give errors that say what is wrong, and where", "[io]") {
  for (const auto& damage : damages) {
    INFO(damage.what);
    auto event = test::small_velo_event();
    damage.apply(event);
    check_message(event.dump(), damage.message);
    check_same_with_other_parser(event.dump());
  }
}

TEST_CASE("A field that is there twice is an error", "[io]") {
  check_message(text_with("\"x\":[", "\"x\":[],\"x\":["), "small.json: has two fields \"x\"");
  check_message(text_with("\"x\":[", "\"t\":[],\"t\":[],\"x\":["), "has two fields \"t\"");
  check_message(text_with("\"particles\":[", "\"particles\":[],\"particles\":["),
                "has two fields \"particles\"");
  check_message(text_with("\"montecarlo\":{", "\"montecarlo\":{},\"montecarlo\":{"),
                "has two fields \"montecarlo\"");
}

TEST_CASE("Unusual values of unknown fields are no errors", "[io]") {
  const auto expected = io::parse_velo_event(test::small_velo_event().dump(), "small.json");
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  for (const std::string& value : {std::string("123456789012345678901234567890"), deep}) {
    const auto text = text_with("\"x\":[", "\"comment\":" + value + ",\"x\":[");
    CHECK(io::parse_velo_event(text, "small.json") == expected);
  }
  check_message(text_with("\"x\":[", "\"x\":[123456789012345678901234567890,"),
                "x[0]: 1.2345678901234568e+29 is out of range");
}

TEST_CASE("The place of an error can be asked for", "[io]") {
  auto event = test::small_velo_event();
  event["montecarlo"]["particles"][0][hits][2] = 10;
  try {
    io::parse_velo_event(event.dump(), "small.json");
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(error.place().file == "small.json");
    CHECK(error.place().field == "montecarlo.particles[0].hits");
    CHECK(error.place().index == 2u);
    CHECK_FALSE(error.place().offset.has_value());
  }
}

TEST_CASE("What is not JSON gives the byte where it goes wrong", "[io]") {
  check_message("", "small.json, byte 0: the JSON text ends too early");
  check_message("   ", "small.json, byte 3: the JSON text ends too early");
  check_message("MDF\x01", "small.json, byte 0: not valid JSON");
  check_message(std::string(4, '\0'), "small.json, byte 0: not valid JSON");
  check_message("{\"x\":[1,NaN]}", "small.json, byte 8: not valid JSON");
  check_message("{\"x\":[1,inf]}", "small.json, byte 8: not valid JSON");
  check_message("{\"x\":[1,2,]}", "small.json, byte 10: not valid JSON");
  check_message("{\"x\":[1] \"y\":[2]}", "small.json, byte 11: not valid JSON");
  check_message("{\"\xff\":1}", "small.json, byte 2: not valid JSON");
  check_message(test::small_velo_event().dump() + "}", "not valid JSON");
  check_message(text_with("module_prefix_sum\":[", "module_prefix_sum\":[[[["), "not valid JSON");
}

TEST_CASE("A number that no double can hold gives its byte", "[io]") {
  const std::string text = text_with("\"x\":[", "\"x\":[1e999,");
  const auto byte = text.find("1e999");
  check_message(
      text, "small.json, byte " + std::to_string(byte) + ": a number is too large for a double");
}

TEST_CASE("Deep nesting is an error, not a crash", "[io]") {
  check_message(std::string(1000000, '['), "byte 1000000: the JSON text ends too early");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  check_message(text_with("\"x\":[", "\"x\":[" + deep + ","), "x[0]: is of type array");
}

TEST_CASE("An event cut off anywhere is an error", "[io]") {
  for (const auto& json : {test::small_velo_event(), test::small_upgrade2_event()}) {
    const std::string text = json.dump();
    CHECK_NOTHROW(io::parse_velo_event(text, "whole.json"));
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string cut = text.substr(0, size);  // its own allocation: reads beyond are found
      const std::string message = "byte " + std::to_string(size) + ": the JSON text ends too early";
      INFO(cut);
      CHECK_THROWS_WITH(io::parse_velo_event(cut, "cut.json"),
                        Catch::Matchers::ContainsSubstring(message));
    }
  }
}

TEST_CASE("An event with any byte changed is read, or an error", "[io]") {
  const std::string text = test::small_velo_event().dump();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '"', '-', '0', '9', 'e', ',', ']', '}', '\x80', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      try {
        const auto event = io::parse_velo_event(changed, "changed.json");
        CHECK(event.y.size() == event.x.size());
        CHECK(event.module_offsets.back() == event.size());
        for (const auto& q : event.particles) {
          for (const auto hit : q.hits) CHECK(hit < event.size());
        }
      } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("changed.json"));
      }
      if (i % 7 == 0) check_same_with_other_parser(changed);
    }
  }
}
