// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <trackplex/io/toy_tracking.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::io;
using seeding::TrackingEvents;
using Space = Kokkos::DefaultHostExecutionSpace;

namespace {

/// Two tracks that cross three layers, and noise on the second; labels are not indices.
ToyEvent small_event() {
  ToyEvent event;
  event.tracks.resize(2);
  event.tracks[0].label = 7;
  event.tracks[0].charge = -1;
  event.tracks[1].label = 3;
  event.tracks[1].charge = 1;
  for (int i = 0; i < 6; ++i) event.tracks[1].parameters[i] = 0.25f * float(i);
  event.layers.resize(3);
  int number = 0;
  for (int layer = 0; layer < 3; ++layer) {
    for (int track = 0; track < 2; ++track) {
      ToyHit hit;
      for (int i = 0; i < 3; ++i) hit.position[i] = float(100 * layer + 10 * track + i);
      for (int e = 0; e < 6; ++e) hit.covariance[e] = float(e);
      hit.true_hit = number;
      event.layers[std::size_t(layer)].push_back(hit);
      event.true_hits.push_back({event.tracks[std::size_t(track)].label, layer, layer, number++});
    }
  }
  event.layers[1].insert(event.layers[1].begin(), ToyHit());
  return event;
}

template <class Change>
void check_refused(const Change& change, const std::string& part_of_message) {
  auto event = small_event();
  change(event);
  try {
    tracking_events({small_event(), event}, "toy.bin");
    FAIL("no error");
  } catch (const InputError& error) {
    CAPTURE(error.what());
    CHECK(std::string(error.what()).find("toy.bin: events[1]") == 0);
    CHECK(std::string(error.what()).find(part_of_message) != std::string::npos);
  }
}

/// Largest distances of the hits from the helices of their particles, in units of their errors,
/// and the number of hits whose particle has none or more than one on the layer.
struct Distances {
  double r_phi = 0., z = 0.;
  int not_one = 0;
};

Distances distances(const TrackingEvents& events, int event) {
  Distances worst;
  const auto first = std::size_t(events.particle_offsets[std::size_t(event)]);
  const int n = events.particle_count(event), layers = events.hits.layers();
  std::vector<kalman::Parameters<double>> at;
  for (int i = 0; i < n; ++i) at.push_back(events.particles[first + std::size_t(i)].start);
  for (int layer = 0; layer < layers; ++layer) {
    const double radius = 4. * (layer + 1);
    for (int i = 0; i < n; ++i) {
      const double charge = events.particles[first + std::size_t(i)].charge;
      auto& p = at[std::size_t(i)];
      p = kalman::transport(p, charge, kalman::SolenoidField(), kalman::Cylinder<double>{radius}, 1)
              .parameters;
    }
    std::vector<int> hits(std::size_t(n), 0);
    const auto entry = std::size_t(event * layers + layer);
    for (int h = events.hits.offsets[entry]; h < events.hits.offsets[entry + 1]; ++h) {
      const auto hit = std::size_t(h);
      const auto particle = std::size_t(events.particle_of_hit[hit]);
      ++hits.at(particle);
      const auto& p = at[particle];
      const double x = events.hits.x[hit], y = events.hits.y[hit];
      const double turn = std::atan2(y * p(0) - x * p(1), x * p(0) + y * p(1));
      worst.r_phi = std::max(worst.r_phi, std::abs(turn) * radius / 0.01);
      worst.z = std::max(worst.z, std::abs(events.hits.z[hit] - p(2)) / 0.1);
    }
    worst.not_one += int(hits.size() - std::size_t(std::count(hits.begin(), hits.end(), 1)));
  }
  return worst;
}

bool same_hits(const TrackingEvents& a, const TrackingEvents& b) {
  return a.hits.x == b.hits.x && a.hits.y == b.hits.y && a.hits.z == b.hits.z &&
         a.hits.covariance == b.hits.covariance && a.hits.offsets == b.hits.offsets &&
         a.particle_of_hit == b.particle_of_hit && a.particle_offsets == b.particle_offsets;
}

bool same_particles(const TrackingEvents& a, const TrackingEvents& b) {
  return std::equal(a.particles.begin(), a.particles.end(), b.particles.begin(), b.particles.end(),
                    [](const auto& p, const auto& q) {
                      for (int i = 0; i < 6; ++i)
                        if (float(p.start(i)) != float(q.start(i))) return false;
                      return p.charge == q.charge;
                    });
}

}  // namespace

TEST_CASE("toy events become tracking events", "[io]") {
  const auto events = tracking_events({small_event(), small_event()});
  CHECK(events.events() == 2);
  CHECK(events.hits.layers() == 3);
  CHECK(events.hits.offsets == std::vector<std::int32_t>{0, 2, 5, 7, 9, 12, 14});
  CHECK(events.particle_of_hit ==
        std::vector<std::int32_t>{0, 1, -1, 0, 1, 0, 1, 0, 1, -1, 0, 1, 0, 1});
  CHECK(events.particle_offsets == std::vector<std::int32_t>{0, 2, 4});
  CHECK(events.particles[2].charge == -1);
  CHECK(events.particles[3].start(5) == 1.25);
  CHECK(events.hits.x[4] == 110.f);
  CHECK(events.hits.y[4] == 111.f);
  CHECK(events.hits.z[4] == 112.f);
  CHECK(events.hits.covariance[4] == std::array<float, 6>{0.f, 1.f, 2.f, 3.f, 4.f, 5.f});
  CHECK(tracking_events({}).events() == 0);
}

TEST_CASE("toy events whose references lead nowhere are refused", "[io]") {
  check_refused([](ToyEvent& e) { e.layers[1][2].true_hit = 6; },
                "layers[1]: hits[2]: its true hit is number 6 (there are 6)");
  check_refused([](ToyEvent& e) { e.layers[1][2].true_hit = -2; }, "its true hit is number -2");
  check_refused([](ToyEvent& e) { e.true_hits[4].layer = 1; },
                "layers[2]: hits[0]: its true hit is on layer 1");
  check_refused([](ToyEvent& e) { e.true_hits[5].track = 5; },
                "layers[2]: hits[1]: no track has the label of its true hit, 5");
  check_refused([](ToyEvent& e) { e.tracks[1].label = 7; },
                "tracks[1]: another track has its label, 7");
  check_refused([](ToyEvent& e) { e.layers.pop_back(); },
                "layers: their number is 2 (the first event has 3)");
  CHECK_THROWS_AS(tracking_events({ToyEvent()}), InputError);
}

TEST_CASE("generated events survive a file of toy events", "[io]") {
  simulation::CylinderEventParams params;
  params.tracks = 400;
  params.inefficiency = 0.2;
  params.noise_per_layer = 30.;
  params.particles.min_pt = 0.15;
  const auto events = simulation::generate_cylinder_events(Space(), params, 0, 3);
  const auto path = std::filesystem::temp_directory_path() / "trackplex_toy_tracking.bin";
  write_toy_events(path, toy_events(events));
  const auto toys = read_toy_events(path);
  std::filesystem::remove(path);
  const auto again = tracking_events(toys);
  CHECK(same_hits(again, events));
  CHECK(same_particles(again, events));
  CHECK_FALSE(same_hits(again, simulation::generate_cylinder_events(Space(), params, 1, 3)));

  // The lists of the tracks lead to the same hits.
  std::size_t listed = 0, lost = 0;
  for (std::size_t e = 0; e < 3; ++e) {
    for (std::size_t t = 0; t < 400; ++t) {
      const auto& track = toys[e].tracks[t];
      int hits = 0;
      for (std::size_t layer = 0; layer < 10; ++layer) {
        if (track.hits[layer] < 0) continue;
        const auto& hit = toys[e].layers[layer][std::size_t(track.hits[layer])];
        const auto& truth = toys[e].true_hits[std::size_t(hit.true_hit)];
        REQUIRE(truth.track == std::int32_t(t));
        REQUIRE(truth.number == hits);
        REQUIRE(int(layer) <= track.last_hit);
        ++hits;
      }
      REQUIRE(track.good_hits == hits);
      REQUIRE((hits == 0 ? track.last_hit == -1 : track.hits[track.last_hit] >= 0));
      listed += std::size_t(hits);
      lost += hits < 10;
    }
  }
  const auto noise = std::count(events.particle_of_hit.begin(), events.particle_of_hit.end(), -1);
  CHECK(listed == events.hits.x.size() - std::size_t(noise));
  CHECK(noise > 0);
  CHECK(lost > 0);
}

TEST_CASE("only events with ten layers become toy events", "[io]") {
  simulation::CylinderEventParams params;
  params.tracks = 2;
  params.particles.layers = 9;
  CHECK_THROWS_AS(toy_events(simulation::generate_cylinder_events(Space(), params, 0, 1)),
                  UsageError);
}

TEST_CASE("the hits of mkFit's toy events belong to the particles that they say", "[io]") {
  const auto events =
      tracking_events(read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin")));
  REQUIRE(events.events() == 2);
  for (int event = 0; event < 2; ++event) {
    CHECK(events.particle_count(event) == 10000);
    for (int layer = 0; layer < 10; ++layer) CHECK(events.hits.size(event, layer) == 10000);
    const auto worst = distances(events, event);
    CHECK(worst.not_one == 0);
    CHECK(worst.r_phi < 6.);  // of 100,000 normal numbers
    CHECK(worst.r_phi > 3.);
    CHECK(worst.z < 6.);
    CHECK(worst.z > 3.);
  }
  // And back.
  const auto again = tracking_events(toy_events(events));
  CHECK(same_hits(again, events));
  CHECK(same_particles(again, events));
}
