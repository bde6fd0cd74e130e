// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace trackplex;
using tracks::TrackingEvents;
using validation::BinEdges;
using validation::Efficiency;
using validation::TrackDefinition;
using validation::TrackingQuality;
using validation::TrackingQualityParams;
using enum validation::TrackDefinition;

constexpr int layers = 10, seed_layers = 3;

/// Two events. In each, every layer has the hits of particles 0, 1 and 2, and a noise hit, in an
/// order that changes from layer to layer; particle 2 has none on the last four layers.
TrackingEvents events_of_three() {
  TrackingEvents events(layers);
  for (int event = 0; event < 2; ++event) {
    for (int layer = 0; layer < layers; ++layer) {
      for (int i = 0; i < 4; ++i) {
        const int particle = (i + layer) % 4;
        if (particle == 2 && layer > 5) continue;
        events.hits.add(0.f, 0.f, 0.f, {});
        events.particle_of_hit.push_back(particle == 3 ? -1 : particle);
      }
      events.hits.end_layer();
    }
    for (int particle = 0; particle < 3; ++particle)
      events.particles.push_back(
          {{{0., 0., 0., 1. / (1. + particle), 4. * particle - 4., 1.5}}, 1});
    events.particle_offsets.push_back(int(events.particles.size()));
  }
  return events;
}

/// A track from a text with a letter for each layer: the particle's number, n for noise, . for
/// none.
std::vector<std::int32_t> hits_of(const TrackingEvents& events, int event,
                                  const std::string& text) {
  std::vector<std::int32_t> hits(text.size(), -1);
  for (std::size_t layer = 0; layer < text.size(); ++layer) {
    if (text[layer] == '.') continue;
    const int wanted = text[layer] == 'n' ? -1 : text[layer] - '0';
    const auto entry = std::size_t(event * layers) + layer;
    const auto first = events.hits.offsets[entry];
    for (auto hit = first; hit < events.hits.offsets[entry + 1]; ++hit)
      if (events.particle_of_hit[std::size_t(hit)] == wanted) hits[layer] = hit - first;
    REQUIRE(hits[layer] >= 0);
  }
  return hits;
}

void add(TrackingQuality& quality, const TrackingEvents& events, int event, const std::string& text,
         int seed_particle = -1, std::optional<double> pt = {}) {
  quality.add({event, hits_of(events, event, text), seed_particle, pt});
}

/// "good", "fake" or "neither".
std::string verdict(TrackDefinition definition, const std::string& text, int seed_particle = -1) {
  static const auto events = events_of_three();
  TrackingQuality quality(events, seed_layers);
  add(quality, events, 1, text, seed_particle);
  const auto result = quality.result(definition);
  CHECK(result.good + result.fake + result.neither == 1);
  CHECK(result.efficiency == Efficiency{result.good, 6});
  return result.good ? "good" : result.fake ? "fake" : "neither";
}

}  // namespace

TEST_CASE("Tracks by D1: three quarters of the hits, and seven hits", "[validation]") {
  CHECK(verdict(d1, "0000000000") == "good");
  CHECK(verdict(d1, "000000n1..") == "good");  // 4 * 6 = 3 * 8
  CHECK(verdict(d1, "00000nn1..") == "fake");  // 4 * 5 < 3 * 8
  CHECK(verdict(d1, "0000000...") == "good");  // n = 7
  CHECK(verdict(d1, "000000....") == "neither");
  CHECK(verdict(d1, "000n......") == "neither");  // 4 * 3 = 3 * 4
  CHECK(verdict(d1, "00n.......") == "fake");     // 4 * 2 < 3 * 3, however short
  CHECK(verdict(d1, "n.........") == "fake");
  CHECK(verdict(d1, "..........") == "neither");
  CHECK(verdict(d1, "0000000111") == "fake");  // 4 * 7 < 3 * 10
  CHECK(verdict(d1, "0000000.11") == "good");  // 4 * 7 > 3 * 9
  CHECK(verdict(d1, "000000n...") == "good");
  CHECK(verdict(d1, "nnnnnnnnnn") == "fake");  // noise is no particle
}

TEST_CASE("Tracks by D2: half of the hits after the seed, and four hits there", "[validation]") {
  CHECK(verdict(d2, "0000000000", 0) == "good");
  CHECK(verdict(d2, "00000nn...", 0) == "good");  // 2 of 4
  CHECK(verdict(d2, "0000nnn...", 0) == "fake");  // 1 of 4
  CHECK(verdict(d2, "00000n....", 0) == "neither");
  CHECK(verdict(d2, "000000....", 0) == "neither");  // 3 of 3
  CHECK(verdict(d2, "000nnn....", 0) == "neither");  // 0 of 3
  CHECK(verdict(d2, "000000nn..", 0) == "good");     // 3 of 5
  CHECK(verdict(d2, "00000nnn..", 0) == "fake");     // 2 of 5
  CHECK(verdict(d2, "0000000nnn", 0) == "good");     // 4 of 7
  CHECK(verdict(d2, "000000nnnn", 0) == "fake");     // 3 of 7
}

TEST_CASE("By D2 the particle is the seed's", "[validation]") {
  CHECK(verdict(d2, "0001111111", 0) == "fake");
  CHECK(verdict(d2, "0001111111", 1) == "good");  // whatever the seed's hits are
  CHECK(verdict(d2, "0000011...", 0) == "good");
  CHECK(verdict(d2, "0000011...", 1) == "good");  // half of them as well
  CHECK(verdict(d2, "0000000000", -1) == "fake");
  CHECK(verdict(d2, "000nnnnnnn", -1) == "fake");  // noise is not the unknown particle
  CHECK(verdict(d2, "000.......", -1) == "neither");
}

TEST_CASE("Tracks by D3: as D1, with seven hits of the particle", "[validation]") {
  CHECK(verdict(d3, "0000000...") == "good");
  CHECK(verdict(d3, "000000n1..") == "neither");  // m = 6
  CHECK(verdict(d3, "000000n...") == "neither");
  CHECK(verdict(d3, "0000000.11") == "good");
  CHECK(verdict(d3, "00000nn...") == "fake");     // n = 7, 4 * 5 < 3 * 7
  CHECK(verdict(d3, "0000nn....") == "neither");  // 4 * 4 < 3 * 6, but n = 6
  CHECK(verdict(d3, "0000000111") == "fake");
  CHECK(verdict(d3, "..........") == "neither");
}

TEST_CASE("Seeds are good if all their hits are of one particle", "[validation]") {
  CHECK(verdict(pure, "000") == "good");
  CHECK(verdict(pure, "0..") == "good");
  CHECK(verdict(pure, "001") == "fake");
  CHECK(verdict(pure, "00n") == "fake");
  CHECK(verdict(pure, "n..") == "fake");
  CHECK(verdict(pure, "nnn") == "fake");
  CHECK(verdict(pure, "...") == "neither");
}

TEST_CASE("Efficiency, duplicates and fakes are counted", "[validation]") {
  const auto events = events_of_three();
  TrackingQuality quality(events, seed_layers);
  add(quality, events, 0, "0000000000", 0);
  add(quality, events, 0, "000000000n", 0);
  add(quality, events, 0, "00000000..", 0);
  add(quality, events, 1, "1111111111", 1);
  add(quality, events, 1, "1111011110", 1);
  add(quality, events, 1, "0000000...", 0);
  add(quality, events, 1, "0101010101", 0);
  add(quality, events, 1, "000.......", 0);
  const auto by_d1 = quality.result(d1);
  CHECK(by_d1.good == 6);
  CHECK(by_d1.fake == 1);
  CHECK(by_d1.neither == 1);
  CHECK(by_d1.efficiency == Efficiency{3, 6});
  CHECK(by_d1.duplicates == Efficiency{2, 3});
  CHECK(by_d1.fake_rate() == Efficiency{1, 7});
  CHECK(by_d1.hit_efficiency == Efficiency{10 + 9 + 8 + 10 + 8 + 7, 60});
  CHECK(by_d1.purity == Efficiency{10 + 9 + 8 + 10 + 8 + 7, 10 + 10 + 8 + 10 + 10 + 7});
  const auto by_d2 = quality.result(d2);  // after the seed, 0101010101 has three zeros of seven
  CHECK(by_d2.good == 6);
  CHECK(by_d2.fake == 1);
  CHECK(by_d2.neither == 1);
  const auto by_d3 = quality.result(d3);
  CHECK(by_d3.good == 6);
  CHECK(by_d3.duplicates == Efficiency{2, 3});
  CHECK(quality.result(pure).good == 5);
  CHECK(quality.result(pure).fake == 3);
  CHECK(quality.result(pure).efficiency == Efficiency{3, 6});

  // Nothing found.
  const TrackingQuality none(events, seed_layers);
  CHECK(none.result(d1).efficiency == Efficiency{0, 6});
  CHECK(none.result(d1).duplicates == Efficiency{0, 0});
  CHECK(none.result(d1).fake_rate() == Efficiency{0, 0});
}

TEST_CASE("By D2, right hits are those of the seed's particle", "[validation]") {
  const auto events = events_of_three();
  TrackingQuality quality(events, seed_layers);
  add(quality, events, 0, "1112211.1.", 2);
  CHECK(quality.result(d2).fake == 1);
  add(quality, events, 0, "1112221...", 2);
  const auto result = quality.result(d2);
  CHECK(result.good == 1);
  CHECK(result.hit_efficiency == Efficiency{3, 6});  // particle 2 is on six layers
  CHECK(result.purity == Efficiency{3, 7});
}

TEST_CASE("Only the particles asked for count", "[validation]") {
  const auto events = events_of_three();
  const auto result = [&](double min_pt, int min_layers) {
    TrackingQualityParams params;
    params.min_pt = min_pt;
    params.min_layers = min_layers;
    TrackingQuality quality(events, seed_layers, params);
    add(quality, events, 0, "0000000000", 0);
    add(quality, events, 0, "1111111111", 1);
    add(quality, events, 0, "0000000000", 0);
    return quality.result(d1);
  };
  CHECK(result(0., 0).efficiency == Efficiency{2, 6});
  CHECK(result(0., 7).efficiency == Efficiency{2, 4});
  CHECK(result(0., 6).efficiency == Efficiency{2, 6});
  CHECK(result(1.5, 7).efficiency == Efficiency{1, 2});
  CHECK(result(2., 7).efficiency == Efficiency{1, 2});  // pT = 2 itself
  CHECK(result(0., 7).duplicates == Efficiency{1, 2});
  CHECK(result(1.5, 7).duplicates == Efficiency{0, 1});
  CHECK(result(1.5, 7).good == 3);  // tracks of other particles are no fakes
  CHECK(result(5., 0).efficiency == Efficiency{0, 0});
}

TEST_CASE("Efficiency and fake rate come per bin", "[validation]") {
  const auto events = events_of_three();  // pT 1, 2, 3; phi -4 + 2 pi, 0, 4 - 2 pi
  TrackingQualityParams params;
  params.pt.edges = {1., 2., 2.5};
  params.phi = BinEdges::regular(3, -3., 3.);
  TrackingQuality quality(events, seed_layers, params);
  add(quality, events, 0, "0000000000", 0, 1.9);
  add(quality, events, 1, "1111111111", 1, 2.5);
  add(quality, events, 1, "1111100000", 1, 2.);
  add(quality, events, 1, "1111100000", 1, 2.6);
  add(quality, events, 1, "1111100000", 1, std::nan(""));
  add(quality, events, 1, "1111100000", 1);
  add(quality, events, 1, "1.........", 1);
  const auto result = quality.result(d1);
  CHECK(result.efficiency_pt == std::vector<Efficiency>{{1, 2}, {1, 2}});  // 3 is in no bin
  CHECK(result.efficiency_phi == std::vector<Efficiency>{{0, 2}, {1, 2}, {1, 2}});
  CHECK(result.efficiency_eta.empty());
  CHECK(result.fake_rate_eta.empty());
  CHECK(result.fake_rate_phi == std::vector<Efficiency>{{0, 0}, {0, 0}, {0, 0}});
  CHECK(result.fake_rate_pt == std::vector<Efficiency>{{0, 1}, {1, 2}});
  CHECK(result.fake_rate() == Efficiency{4, 6});
}

TEST_CASE("The fake rate comes per bin of eta and phi of tracks that have them", "[validation]") {
  const auto events = events_of_three();
  TrackingQualityParams params;
  params.eta = BinEdges::regular(2, -1., 1.);
  params.phi = BinEdges::regular(2, -3., 3.);
  TrackingQuality quality(events, seed_layers, params);
  const auto good = hits_of(events, 0, "0000000000"), fake = hits_of(events, 0, "1111100000");
  quality.add({.event = 0, .hits = good, .seed_particle = 0, .eta = 0.5, .phi = -1.});
  quality.add({.event = 0, .hits = fake, .seed_particle = 1, .eta = 0.5, .phi = 1.});
  quality.add({.event = 0, .hits = fake, .seed_particle = 1, .eta = -2.});
  auto result = quality.result(d1);
  CHECK(result.fake_rate_eta == std::vector<Efficiency>{{0, 0}, {1, 2}});
  CHECK(result.fake_rate_phi == std::vector<Efficiency>{{0, 1}, {1, 1}});
  result += quality.result(d1);
  CHECK(result.fake_rate_eta == std::vector<Efficiency>{{0, 0}, {2, 4}});
  CHECK(result.fake_rate_phi == std::vector<Efficiency>{{0, 2}, {2, 2}});
}

TEST_CASE("Results of different events add up", "[validation]") {
  const auto events = events_of_three();
  TrackingQualityParams params;
  params.pt = BinEdges::regular(2, 0., 4.);
  TrackingQuality first(events, seed_layers, params), second(events, seed_layers, params);
  add(first, events, 0, "0000000000", 0, 1.);
  add(second, events, 0, "0001111111", 0, 3.);
  add(second, events, 0, "1111111111", 1, 3.);
  validation::TrackingQualityResult sum;
  sum += first.result(d2);
  sum += second.result(d2);
  CHECK(sum.good == 2);
  CHECK(sum.fake == 1);
  CHECK(sum.efficiency == Efficiency{2, 12});
  CHECK(sum.efficiency_pt == std::vector<Efficiency>{{1, 4}, {1, 8}});
  CHECK(sum.fake_rate_pt == std::vector<Efficiency>{{0, 1}, {1, 2}});
  CHECK(sum.purity == Efficiency{20, 20});
  TrackingQuality other(events, seed_layers);
  CHECK_THROWS_AS(sum += other.result(d2), UsageError);
}

TEST_CASE("Tracks of hits that do not exist are refused", "[validation]") {
  const auto events = events_of_three();
  TrackingQuality quality(events, seed_layers);
  const auto refuse = [&](int event, const std::vector<std::int32_t>& hits, int particle = -1) {
    CHECK_THROWS_AS(quality.add({event, hits, particle}), UsageError);
  };
  refuse(2, {0});
  refuse(-1, {0});
  refuse(0, {4});
  refuse(0, {0, 0, 0, 0, 0, 0, 3});  // three hits on layer 6
  refuse(0, std::vector<std::int32_t>(11, -1));
  refuse(0, {0}, 3);
  CHECK(quality.result(d1).good + quality.result(d1).fake + quality.result(d1).neither == 0);
  CHECK_THROWS_AS(TrackingQuality(events, -1), UsageError);
  TrackingQualityParams params;
  params.eta.edges = {0., 1., 1.};
  CHECK_THROWS_AS(TrackingQuality(events, 3, params), UsageError);
  CHECK_THROWS_AS(BinEdges::regular(0, 0., 1.), UsageError);
}

TEST_CASE("The particles' own hits are tracks of the best quality", "[validation]") {
  simulation::CylinderEventParams generator;
  generator.tracks = 1000;
  generator.inefficiency = 0.1;
  generator.noise_per_layer = 100.;
  const auto events = simulation::generate_cylinder_events(HostExecutor(), generator, 0, 2);
  TrackingQualityParams params;
  params.min_layers = 7;
  params.eta = BinEdges::regular(4, -1., 1.);
  TrackingQuality right(events, seed_layers, params), wrong(events, seed_layers, params);
  for (int event = 0; event < 2; ++event) {
    std::vector<std::array<std::int32_t, layers>> tracks(1000);
    for (auto& track : tracks) track.fill(-1);
    for (int layer = 0; layer < layers; ++layer)
      for (int hit = 0; hit < events.hits.size(event, layer); ++hit) {
        const auto entry = std::size_t(event * layers + layer);
        const auto owner = events.particle_of_hit[std::size_t(events.hits.offsets[entry] + hit)];
        if (owner >= 0) tracks[std::size_t(owner)][std::size_t(layer)] = hit;
      }
    for (int t = 0; t < 1000; ++t) {
      right.add({event, tracks[std::size_t(t)], t});
      wrong.add({event, tracks[std::size_t(t)], (t + 1) % 1000});
    }
  }
  for (const auto definition : {d1, d3}) {
    const auto result = right.result(definition);
    CHECK(result.efficiency.total > 1900);
    CHECK(result.efficiency.passed == result.efficiency.total);
    CHECK(result.fake == 0);
    CHECK(result.hit_efficiency.value() == 1.);
    CHECK(result.purity.value() == 1.);
    Efficiency sum;
    for (const auto& bin : result.efficiency_eta) sum += bin;
    CHECK(sum == result.efficiency);
  }
  CHECK(wrong.result(d1).efficiency == right.result(d1).efficiency);
  CHECK(wrong.result(d2).good == 0);
  CHECK(wrong.result(d2).fake == right.result(d2).good);
}
