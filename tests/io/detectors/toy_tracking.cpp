// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <span>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/detectors/toy_tracking.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/pulls.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::io;
using tracks::TrackingEvents;
using Space = HostExecutor;

namespace {

/// Two tracks that cross three layers, and noise on the second; labels are not indices.
ToyEvent small_tracking_event() {
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
void check_change_refused(const Change& change, const std::string& part_of_message) {
  auto event = small_tracking_event();
  change(event);
  try {
    tracking_events({small_tracking_event(), event}, "toy.bin");
    FAIL("no error");
  } catch (const InputError& error) {
    CAPTURE(error.what());
    CHECK(std::string(error.what()).find("toy.bin: events[1]") == 0);
    CHECK(std::string(error.what()).find(part_of_message) != std::string::npos);
  }
}

/// Distances of the hits from the helices of their particles, in units of their errors, and the
/// number of particles that have no hit or more than one on a layer.
struct Distances {
  validation::Pulls r_phi, z;
  std::ptrdiff_t not_one = 0;
};

Distances distances(const TrackingEvents& events, int event) {
  Distances distances;
  const auto first = std::size_t(events.particle_offsets[std::size_t(event)]);
  const auto n = std::size_t(events.particle_count(event));
  const std::span particles(events.particles.begin() + std::ptrdiff_t(first), n);
  std::vector<kalman::Parameters<double>> at;
  for (const auto& particle : particles) at.push_back(particle.start);
  for (int layer = 0; layer < events.hits.layers(); ++layer) {
    const kalman::Cylinder<double> cylinder{4. * (layer + 1)};
    for (std::size_t i = 0; i < n; ++i)
      at[i] = kalman::transport(at[i], double(particles[i].charge), kalman::SolenoidField(),
                                cylinder, 1)
                  .parameters;
    std::vector<int> hits(n, 0);
    const auto entry = std::size_t(event * events.hits.layers() + layer);
    for (int h = events.hits.offsets[entry]; h < events.hits.offsets[entry + 1]; ++h) {
      const auto hit = std::size_t(h);
      const auto particle = std::size_t(events.particle_of_hit[hit]);
      ++hits.at(particle);
      const auto& p = at[particle];
      const double x = events.hits.x[hit], y = events.hits.y[hit];
      const double turn = std::atan2(y * p(0) - x * p(1), x * p(0) + y * p(1));
      distances.r_phi.add(turn * cylinder.radius / 0.01);
      distances.z.add((events.hits.z[hit] - p(2)) / 0.1);
    }
    distances.not_one += std::ptrdiff_t(n) - std::count(hits.begin(), hits.end(), 1);
  }
  return distances;
}

/// Numbers of values in bins.
template <class Values>
validation::BinnedCounts counts(const Values& values, double lower, double upper) {
  const auto bins = validation::BinEdges::regular(50, lower, upper);
  std::vector<std::uint64_t> counts(bins.size());
  std::uint64_t outside = 0;
  for (const double value : values) {
    const auto bin = bins.find(value);
    ++(bin ? counts[*bin] : outside);
  }
  return {counts, std::uint64_t(0), outside};
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
  const auto events = tracking_events({small_tracking_event(), small_tracking_event()});
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
  check_change_refused([](ToyEvent& e) { e.layers[1][2].true_hit = 6; },
                       "layers[1]: hits[2]: its true hit is number 6 (there are 6)");
  check_change_refused([](ToyEvent& e) { e.layers[1][2].true_hit = -2; },
                       "its true hit is number -2");
  check_change_refused([](ToyEvent& e) { e.true_hits[4].layer = 1; },
                       "layers[2]: hits[0]: its true hit is on layer 1");
  check_change_refused([](ToyEvent& e) { e.true_hits[5].track = 5; },
                       "layers[2]: hits[1]: no track has the label of its true hit, 5");
  check_change_refused([](ToyEvent& e) { e.tracks[1].label = 7; },
                       "tracks[1]: another track has its label, 7");
  check_change_refused([](ToyEvent& e) { e.layers.pop_back(); },
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

TEST_CASE("a track lists the first of several hits on a layer", "[io]") {
  TrackingEvents events(10);
  for (int layer = 0; layer < 10; ++layer) {
    for (const int particle : {-1, 0, 0}) {
      if (layer > 3) continue;
      events.hits.add(float(layer), 0.f, 0.f, {});
      events.particle_of_hit.push_back(particle);
    }
    events.hits.end_layer();
  }
  events.particles.push_back({{{0., 0., 0., 1., 1., 1.}}, 1});
  events.particle_offsets.push_back(1);
  const auto toys = toy_events(events);
  CHECK(toys[0].tracks[0].hits[3] == 1);
  CHECK(toys[0].tracks[0].hits[4] == -1);
  CHECK(toys[0].tracks[0].last_hit == 3);
  CHECK(same_hits(tracking_events(toys), events));
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
    const auto off = distances(events, event);
    CHECK(off.not_one == 0);
    for (const auto& pulls : {off.r_phi, off.z}) {
      CAPTURE(pulls.mean(), pulls.sigma());
      CHECK(pulls.count() == 100000);
      CHECK(std::fabs(pulls.mean()) < 0.02);
      CHECK(std::fabs(pulls.sigma() - 1.) < 0.01);
      CHECK(std::max(-pulls.min(), pulls.max()) < 6.);
    }
  }
  // And back.
  const auto again = tracking_events(toy_events(events));
  CHECK(same_hits(again, events));
  CHECK(same_particles(again, events));
}

TEST_CASE("generated events have the distributions of mkFit's toy events", "[io]") {
  const auto theirs =
      tracking_events(read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin")));
  const auto ours = simulation::generate_cylinder_events(Space(), {}, 0, 4);
  const auto compare = [&](const char* what, double lower, double upper, const auto& values_of) {
    CAPTURE(what);
    const auto test = validation::chi2_of_two(counts(values_of(theirs), lower, upper),
                                              counts(values_of(ours), lower, upper));
    CAPTURE(test.chi2, test.degrees_of_freedom);
    CHECK(test.compatible(4.));
  };
  const auto of_particles = [](const auto& value_of) {
    return [value_of](const TrackingEvents& events) {
      std::vector<double> values;
      for (const auto& particle : events.particles) values.push_back(value_of(particle.start));
      return values;
    };
  };
  compare("pT", 0., 11., of_particles([](const auto& p) { return 1. / p(3); }));
  compare("phi", -3.2, 3.2, of_particles([](const auto& p) { return p(4); }));
  compare("theta", 0., 3.2, of_particles([](const auto& p) { return p(5); }));
  compare("vertex x", -0.4, 0.4, of_particles([](const auto& p) { return p(0); }));
  compare("vertex y", -0.4, 0.4, of_particles([](const auto& p) { return p(1); }));
  compare("vertex z", -4., 4., of_particles([](const auto& p) { return p(2); }));
  for (const int layer : {0, 9}) {
    CAPTURE(layer);
    const auto of_hits = [layer](const auto& value_of) {
      return [=](const TrackingEvents& events) {
        std::vector<double> values;
        for (int event = 0; event < events.events(); ++event)
          for (int h = 0; h < events.hits.size(event, layer); ++h) {
            const auto entry = std::size_t(event * 10 + layer);
            values.push_back(value_of(events.hits, std::size_t(events.hits.offsets[entry] + h)));
          }
        return values;
      };
    };
    const double r = 4. * (layer + 1);
    compare("z", -1.5 * r, 1.5 * r,
            of_hits([](const auto& hits, std::size_t h) { return hits.z[h]; }));
    compare("xx", 0., 1.1e-4,
            of_hits([](const auto& hits, std::size_t h) { return hits.covariance[h][0]; }));
    compare("yx", -6e-5, 6e-5,
            of_hits([](const auto& hits, std::size_t h) { return hits.covariance[h][1]; }));
    compare("yy", 0., 1.1e-4,
            of_hits([](const auto& hits, std::size_t h) { return hits.covariance[h][2]; }));
  }
}
