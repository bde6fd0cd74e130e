// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/refusals.hpp>
#include <trackplex/io/perfmodel/perfmodel_json.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/published_example.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace trackplex;
using namespace trackplex::perfmodel;

namespace {

/// An application that has every field.
Application full_application() {
  const Loop inner{.name = "inner",
                   .trip_count = {.fixed = 1., .histogram = {0., 1., 2.5}},
                   .operations = {1., 2., 3., 4., 5., 6., 7., 8., 9., 10.},
                   .calls = {{"log", 30., 2.}},
                   .branches = {{"exit", 2., 3., false}}};
  const Loop outer{.name = "outer",
                   .trip_count = {.fixed = 3.},
                   .instructions = 1e3,
                   .branches = {{"if"}},
                   .loops = {inner, Loop{.trip_count = {.poisson = 0.1}}}};
  Application a = published_application();
  a.embarrassingly_parallel = false;
  a.cache_miss_rate = 1. / 3.;
  a.latency = 1e-6;
  a.jitter_allowed = false;
  a.double_precision = true;
  a.overlap = 0.25;
  a.divergence = {Divergence::Rule::branch_count, 0.5, 8};
  a.loops = {inner, outer};
  a.streams.push_back({"hits", Path::memory, Direction::to_device, 24., 100., 4096.});
  a.fpga = {1., 2., {{"table", {36., 1024., 2.}}}, 3., 4., 5.};
  return a;
}

/// A small application with one text replaced by another.
std::string with(const std::string& from, const std::string& to) {
  std::string text = R"({"name": "a", "items": 10,
    "loops": [{"trip_count": 2, "instructions": 5},
              {"trip_count": {"fixed": 1, "poisson": 33.5}, "instructions": 7, "loops": [{}]}]})";
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

void check_application_refused(const std::string& text, const std::string& words) {
  test::check_refused([&] { return io::parse_application(text, "a.json"); }, words);
}

void check_device_refused(const std::string& text, const std::string& words) {
  test::check_refused([&] { return io::parse_devices(text, "d.json"); }, words);
}

}  // namespace

TEST_CASE("applications read back as they were written", "[io]") {
  for (const auto& application : {published_application(), full_application()})
    CHECK(io::parse_application(io::application_text(application), "a") == application);
}

TEST_CASE("devices read back as they were written", "[io]") {
  auto devices = device_library();
  devices[0].price = 3.;
  devices[0].peak = {1., 2., 3., 4., 5., 6., 7., 8., 9.};
  devices[0].core_bandwidth = 5.;
  devices[0].fpga = {1., 2., {3., 4., 5.}, 0.6, 0.7, 8., 9., 10., 11.};
  CHECK(io::parse_devices(io::devices_text(devices), "d") == devices);
  const auto one = io::parse_devices(
      R"({"name": "x", "kind": "gpu", "clock_hz": 1e9, "cores": 10, "group": 32})", "d");
  REQUIRE(one.size() == 1);
  CHECK(one[0].group == 32);
  CHECK(one[0].kind == DeviceKind::gpu);
}

TEST_CASE("chains read back as they were written", "[io]") {
  const std::vector<ChainProfile> chains{{.name = "a",
                                          .item = "track",
                                          .time = 1e-6,
                                          .clock = 2e9,
                                          .traffic = {{{1e6, 30.}, {1e7, 0.}}},
                                          .memory = 7.},
                                         {.name = "b", .time = 2.}};
  CHECK(io::parse_chains(io::chains_text(chains), "c") == chains);
}

TEST_CASE("errors in chains name the place", "[io]") {
  const auto refused = [](const std::string& text, const std::string& words) {
    CHECK_THROWS_WITH(io::parse_chains(text, "c.json"), Catch::Matchers::ContainsSubstring(words));
  };
  refused(R"({"chains": []})", "c.json: chains: the list is empty");
  refused(R"({"chain": []})", "has no field \"chains\"");
  refused(R"({"chains": [{"name": "a"}]})", "chains[0]: has no field \"s_per_item\"");
  refused(R"({"chains": [{"name": "a", "s_per_item": 0}]})", "chains[0].s_per_item: 0 is out");
  refused(R"({"chains": [{"name": "a", "s_per_item": 1, "traffic":
              [{"cache_bytes": 2, "bytes_per_item": 1}, {"cache_bytes": 2, "bytes_per_item": 0}]}]})",
          "chains[0].traffic[1]: the caches do not ascend");
}

TEST_CASE("a number is a trip count without variation", "[io]") {
  const auto a = io::parse_application(with("\"a\"", "\"b\""), "a");
  CHECK(a.loops[0].trip_count == TripCount{.fixed = 2.});
  CHECK(a.loops[1].trip_count == TripCount{.fixed = 1., .poisson = 33.5});
  CHECK(a.loops[1].loops[0].trip_count == TripCount{.fixed = 1.});
}

TEST_CASE("errors in applications name the place", "[io]") {
  check_application_refused(with("\"poisson\"", "\"poison\""),
                            "a.json: loops[1].trip_count.poison: is no known field; known here: "
                            "fixed, histogram, poisson");
  check_application_refused(with("\"trip_count\": 2", "\"trip_counts\": 2"),
                            "a.json: loops[0].trip_counts: is no known field");
  check_application_refused(with("\"trip_count\": 2", "\"trip_count\": -2"),
                            "a.json: loops[0].trip_count: -2 is out of range");
  check_application_refused(with("\"trip_count\": 2", "\"trip_count\": \"2\""),
                            "a.json: loops[0].trip_count: is of type string");
  check_application_refused(with("[{}]", "[{\"operations\": {\"fma\": true}}]"),
                            "a.json: loops[1].loops[0].operations.fma: is of type boolean");
  check_application_refused(with("\"poisson\": 33.5", "\"poisson\": 1, \"histogram\": [1]"),
                            "loops[1].trip_count: trip count: both");
  check_application_refused(with("\"poisson\": 33.5", "\"histogram\": [1, -1]"),
                            "loops[1].trip_count.histogram[1]: -1 is out of range");
  check_application_refused(with("\"poisson\": 33.5", "\"histogram\": [0, 0]"),
                            "all weights are 0");
  check_application_refused(with("\"items\": 10", "\"items\": 0"), "a.json: items: 0 is out");
  check_application_refused(with("\"items\": 10,", ""), "has no field \"items\"");
  check_application_refused(with("\"items\": 10", "\"items\": 10, \"overlap\": 1.5"),
                            "overlap: 1.5 is out of range (allowed: 0.0 to 1.0)");
  check_application_refused(
      with("\"items\": 10", "\"items\": 10, \"divergence\": {\"rule\": \"guess\"}"),
      "divergence.rule: \"guess\" is not one of trip_counts, given, nested_branches, branch_count");
  check_application_refused(
      with("\"items\": 10", "\"items\": 10, \"streams\": [{\"path\": \"link\"}]"),
      "streams[0]: has no field \"direction\"");
  check_application_refused(R"({"name": "a", "items": 1, "loops": []})", "there is no loop");
  check_application_refused("[]", "is of type array");
  check_application_refused("{", "the JSON text ends too early");
}

TEST_CASE("errors in devices name the place", "[io]") {
  const std::string good = R"({"name": "x", "kind": "cpu", "clock_hz": 1, "cores": 1)";
  check_device_refused(good + R"(, "peak_per_s": {"fp23_flop": 1}})", "peak_per_s.fp23_flop");
  check_device_refused(R"({"devices": [)" + good + R"(, "group": 0}]})", "devices[0].group: 0");
  check_device_refused(R"({"devices": [)" + good + "}, " + good + "}]}",
                       "devices[1].name: there is another device of this name");
  check_device_refused(R"({"devices": [], "author": 1})", "author: is no known field");
  check_device_refused(good + R"(, "link": {"efficiency": [{"bytes": 2, "efficiency": 1},
                                          {"bytes": 1, "efficiency": 1}]}})",
                       "link.efficiency[1]: the sizes do not ascend");
  check_device_refused(good + R"(, "link": {"efficiency": [{"bytes": 2, "efficiency": 1.1}]}})",
                       "link.efficiency[0].efficiency: 1.1 is out of range");
  check_device_refused(R"({"name": "x", "kind": "tpu", "clock_hz": 1, "cores": 1})",
                       "kind: \"tpu\" is not one of cpu, gpu, fpga");
  check_device_refused(R"({"name": "x", "kind": "cpu", "clock_hz": -1, "cores": 1})",
                       "clock_hz: -1 is out of range (must be above 0)");
}

TEST_CASE("damaged files are refused or read", "[io]") {
  const std::string application = io::application_text(full_application());
  const auto parse = [](const std::string& text) { return io::parse_application(text, "a"); };
  test::check_cut_off_anywhere(application.substr(0, application.rfind('}') + 1), parse);
  test::check_changed_anywhere(application, parse, 2000);
  test::check_changed_anywhere(
      io::devices_text(device_library()),
      [](const std::string& text) { return io::parse_devices(text, "d"); }, 1000);
}

TEST_CASE("files that cannot be read", "[io]") {
  test::check_refused([] { return io::read_application("/no/such/file.json"); },
                      "cannot be opened");
  test::check_refused([] { return io::read_devices("/"); }, "is a folder");
}
