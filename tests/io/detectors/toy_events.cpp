// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/detectors/toy_events.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::io;

namespace {

ToyEvent numbered_event() {
  ToyEvent event;
  ToyTrack track;
  for (int i = 0; i < 6; ++i) track.parameters[i] = 0.5f * float(i + 1);
  for (int i = 0; i < 21; ++i) track.covariance[i] = float(i);
  track.charge = -1;
  track.last_hit = 1;
  track.hits[1] = 1;
  track.label = 7;
  event.tracks = {track, track};
  event.layers.resize(3);
  ToyHit hit;
  hit.covariance[0] = hit.covariance[5] = 0.5f;
  event.layers[0] = {hit};
  event.layers[1] = {hit, hit};
  event.layers[1][1].position[2] = 3.5f;
  event.layers[1][1].true_hit = 2;
  event.true_hits.push_back({1, 2, 3, 4});
  return event;
}

std::string bytes_of_events(const std::vector<ToyEvent>& events) {
  io::detail::ByteWriter out;
  out.append_count(events.size());
  for (const auto& event : events) io::detail::append_toy_event(out, event);
  return out.bytes();
}

void check_bytes_refused(const std::string& bytes, const std::string& part_of_message) {
  try {
    parse_toy_events(bytes, "toy.bin");
    FAIL("no error");
  } catch (const InputError& error) {
    CAPTURE(error.what());
    CHECK(std::string(error.what()).find("toy.bin") == 0);
    CHECK(std::string(error.what()).find(part_of_message) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("toy events survive a file", "[io]") {
  const auto path = std::filesystem::temp_directory_path() / "trackplex_toy_events.bin";
  const std::vector<ToyEvent> events = {numbered_event(), ToyEvent(), numbered_event()};
  write_toy_events(path, events);
  const auto again = read_toy_events(path);
  std::filesystem::remove(path);
  CHECK(bytes_of_events(again) == bytes_of_events(events));
  REQUIRE(again.size() == 3);
  CHECK(again[0].tracks[1].charge == -1);
  CHECK(again[0].layers[1][1].position[2] == 3.5f);
  CHECK(again[2].true_hits[0].id == 4);
  CHECK(bytes_of_events(events).size() == 4 + 2 * (16 + 2 * 168 + 3 * 4 + 3 * 40 + 16) + 16);
}

TEST_CASE("damaged toy events are refused", "[io]") {
  const std::string good = bytes_of_events({numbered_event()});
  for (std::size_t n = 0; n < good.size(); ++n) {
    CAPTURE(n);
    CHECK_THROWS_AS(parse_toy_events(good.substr(0, n), "toy.bin"), InputError);
  }
  check_bytes_refused(good + "x", "1 bytes follow the last event");
  check_bytes_refused("", "ends too early");
  auto bad = good;
  bad[4] = char(bad[4] + 1);
  check_bytes_refused(bad, "it says that it has");
  bad = good;
  bad[8] = char(0xff);  // tracks
  check_bytes_refused(bad, "tracks, byte 8: their number is");
  auto event = numbered_event();
  event.tracks[1].hits[1] = 2;
  check_bytes_refused(bytes_of_events({event}),
                      "tracks[1]: its hit in layer 1 is number 2 (the layer has 2)");
  event.tracks[1].last_hit = 10;
  check_bytes_refused(bytes_of_events({event}), "its last hit is entry 10");
}

TEST_CASE("toy events with numbers that cannot be are refused", "[io]") {
  const auto refused = [](const auto& change, const std::string& part_of_message) {
    auto event = numbered_event();
    change(event.tracks[1], event.layers[1][1]);
    check_bytes_refused(bytes_of_events({event}), part_of_message);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = INFINITY;
  using Track = ToyTrack&;
  using Hit = ToyHit&;
  refused([](Track t, Hit) { std::fill_n(t.parameters, 6, 0.f); }, "tracks[1]: its 1/pT is 0");
  refused([&](Track t, Hit) { t.parameters[2] = nan; }, "tracks[1]: its z is not finite");
  refused([&](Track t, Hit) { t.parameters[3] = -1.f; }, "tracks[1]: its 1/pT is -1");
  refused([&](Track t, Hit) { t.parameters[4] = inf; }, "tracks[1]: its phi is not finite");
  refused([](Track t, Hit) { t.parameters[5] = 0.f; }, "tracks[1]: its theta is 0");
  refused([](Track t, Hit) { t.parameters[5] = 3.5f; }, "tracks[1]: its theta is 3.5");
  refused([](Track t, Hit) { t.charge = 0; }, "tracks[1]: its charge is 0");
  refused([&](Track t, Hit) { t.chi2 = nan; }, "covariance or chi2 is not finite");
  refused([&](Track t, Hit) { t.covariance[1] = inf; }, "covariance or chi2 is not finite");
  refused([](Track t, Hit) { t.covariance[9] = -1e-9f; },
          "tracks[1]: the variance of its 1/pT is below 0");
  refused([&](Track, Hit h) { h.position[0] = nan; },
          "layers[1].hits[1]: its position is not finite");
  refused([&](Track, Hit h) { h.covariance[3] = nan; }, "its covariance is not finite");
  refused([](Track, Hit h) { std::fill_n(h.covariance, 6, 0.f); }, "its covariance is none");
  refused([](Track, Hit h) { h.covariance[2] = -1e-3f; }, "its covariance is none");
  refused([](Track, Hit h) { h.covariance[1] = 0.1f; }, "its covariance is none");
  refused([](Track, Hit h) { h.covariance[3] = -0.6f; }, "its covariance is none");
  refused(
      [](Track, Hit h) {  // each pair could be
        const float c[] = {1.f, -0.9f, 1.f, 0.9f, 0.9f, 1.f};
        std::copy_n(c, 6, h.covariance);
      },
      "its covariance is none");
}

TEST_CASE("no bytes make the reader of toy events fail otherwise", "[io]") {
  const std::string good = bytes_of_events({numbered_event(), numbered_event()});
  std::mt19937 random(1);
  for (int n = 0; n < 20000; ++n) {
    std::string bytes = good;
    for (unsigned k = random() % 4; k < 4; ++k) bytes[random() % bytes.size()] = char(random());
    try {
      parse_toy_events(bytes, "toy.bin");
    } catch (const InputError&) {
    }
  }
  SUCCEED();
}

TEST_CASE("the toy events of mkFit are read", "[io]") {
  const auto events = read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin"));
  REQUIRE(events.size() == 2);
  for (const auto& event : events) {
    CHECK(event.tracks.size() == 10000);
    REQUIRE(event.layers.size() == 10);
    for (const auto& hits : event.layers) CHECK(hits.size() == 10000);
    CHECK(event.true_hits.size() == 100000);
    for (const auto& track : event.tracks) {
      REQUIRE(track.last_hit == 9);
      REQUIRE(std::abs(track.charge) == 1);
    }
  }
}
