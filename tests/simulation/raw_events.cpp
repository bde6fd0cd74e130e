// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "detector.hpp"
#include "raw_event_decoding.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using simulation::RawEventGenerator;
using simulation::RawEventParams;
using test::detector;

RawEventParams nothing() {
  RawEventParams params;
  params.mean_vertices = params.mean_secondaries = 0.;
  params.mean_velo_noise = params.mean_ut_noise = 0.;
  return params;
}

std::set<std::uint32_t> cluster_ids(const lhcb::RawEvent& event) {
  std::set<std::uint32_t> ids;
  for (const auto& cluster : test::velo_clusters(event.vp, detector().velo)) ids.insert(cluster.id);
  return ids;
}

std::set<std::uint32_t> strip_ids(const lhcb::RawEvent& event) {
  std::set<std::uint32_t> ids;
  for (const auto& hit : test::ut_hits(event.ut, detector())) ids.insert(hit.id);
  return ids;
}

std::set<std::uint32_t> owned_ids(const lhcb::McEvent& event,
                                  std::vector<std::uint32_t> lhcb::McParticle::*list) {
  std::set<std::uint32_t> ids;
  for (const auto& particle : event.particles)
    ids.insert((particle.*list).begin(), (particle.*list).end());
  return ids;
}

}  // namespace

TEST_CASE("A raw event depends on detector, parameters, seed and number only", "[simulation]") {
  const RawEventGenerator generate(detector(), {}, 42);
  const auto fifth = generate(5);
  const auto fourth = generate(4);
  CHECK_FALSE(fourth.raw.vp == fifth.raw.vp);
  CHECK_FALSE(fourth.raw.ut == fifth.raw.ut);
  CHECK(generate(5) == fifth);
  CHECK(RawEventGenerator(detector(), {}, 42)(5) == fifth);
  CHECK_FALSE(RawEventGenerator(detector(), {}, 43)(5).raw.vp == fifth.raw.vp);
  CHECK(fifth.raw.name == "generated-42-5");
  CHECK(fifth.truth.name == fifth.raw.name);
  CHECK(fifth.raw.run == 42);
  CHECK(fifth.raw.number == 5);
  auto up = detector();
  up.polarity = 1.f;
  const auto bent_otherwise = RawEventGenerator(up, {}, 42)(5);
  CHECK(bent_otherwise.raw.vp == fifth.raw.vp);
  CHECK_FALSE(bent_otherwise.raw.ut == fifth.raw.ut);
}

TEST_CASE("Generated VELO banks are well-formed", "[simulation]") {
  const RawEventGenerator generate(detector());
  for (int e = 0; e < 5; ++e) {
    const auto vp = generate(e).raw.vp;
    CHECK(vp.version == 2);
    REQUIRE(vp.size() == 208);
    for (std::size_t b = 0; b < vp.size(); ++b) {
      const auto payload = vp.payload(b);
      REQUIRE(vp.sources[b] == b);
      REQUIRE(payload.size() == payload[0] + 1);
      REQUIRE(vp.bytes[b] == 4 * payload.size());
      std::set<std::pair<int, int>> lit;  // super-pixels
      std::int64_t last = -1;
      for (const std::uint32_t word : payload.subspan(1)) {
        const std::int64_t address = word >> 8 & 0x7fff;
        REQUIRE(address > last);
        REQUIRE(address >> 6 < 384);
        REQUIRE((word & 0xff) != 0);
        REQUIRE((word & 0x7f800000) == 0);
        last = address;
        lit.insert({int(address >> 6), int(address & 63)});
      }
      for (const std::uint32_t word : payload.subspan(1)) {
        const int column = word >> 14 & 0x1ff, row = word >> 8 & 0x3f;
        int around = 0;
        for (int dc = -1; dc <= 1; ++dc)
          for (int dr = -1; dr <= 1; ++dr) around += lit.count({column + dc, row + dr});
        REQUIRE((word >> 31 == 1) == (around == 1));
      }
    }
  }
}

TEST_CASE("Generated UT banks are well-formed", "[simulation]") {
  const RawEventGenerator generate(detector());
  for (int e = 0; e < 5; ++e) {
    const auto ut = generate(e).raw.ut;
    CHECK(ut.version == 3);
    REQUIRE(ut.size() == 180);
    for (std::size_t b = 0; b < ut.size(); ++b) {
      const auto payload = ut.payload(b);
      const std::uint32_t n = payload[0] & 0xffff;
      REQUIRE((b == 0 || ut.sources[b] > ut.sources[b - 1]));
      REQUIRE(detector().ut_boards.strips_per_hybrid[ut.sources[b]] == 512);
      REQUIRE(payload[0] >> 16 == 128);
      REQUIRE(payload.size() == 1 + (n + 1) / 2);
      int last = -1;
      for (std::uint32_t i = 0; i < 2 * (payload.size() - 1); ++i) {
        const std::uint32_t word = payload[1 + i / 2] >> (16 * (i % 2)) & 0xffff;
        if (i == n) {
          REQUIRE(word == 0);  // filled up
        } else {
          const int channel = word >> 2 & 0xfff;
          REQUIRE((word >> 14 & 1) == 0);
          REQUIRE(channel > last);
          REQUIRE(channel < 6 * 512);
          last = channel;
        }
      }
    }
  }
}

TEST_CASE("All signals without noise belong to particles", "[simulation]") {
  RawEventParams params;
  params.mean_velo_noise = params.mean_ut_noise = 0.;
  const RawEventGenerator generate(detector(), params);
  std::size_t particles = 0;
  for (int e = 0; e < 10; ++e) {
    const auto event = generate(e);
    CHECK(cluster_ids(event.raw) == owned_ids(event.truth, &lhcb::McParticle::velo_ids));
    CHECK(strip_ids(event.raw) == owned_ids(event.truth, &lhcb::McParticle::ut_ids));
    particles += event.truth.particles.size();
  }
  CHECK(particles > 3000);
}

TEST_CASE("Noise belongs to nobody", "[simulation]") {
  auto params = nothing();
  params.mean_velo_noise = 100.;
  params.mean_ut_noise = 200.;
  const RawEventGenerator noise(detector(), params);
  double clusters = 0., strips = 0.;
  for (int e = 0; e < 50; ++e) {
    const auto event = noise(e);
    CHECK(event.truth.particles.empty());
    CHECK(event.truth.vertices.empty());
    clusters += cluster_ids(event.raw).size() / 50.;
    strips += strip_ids(event.raw).size() / 50.;
  }
  CHECK_THAT(clusters, WithinAbs(100., 6.));  // four standard deviations
  CHECK_THAT(strips, WithinAbs(200., 8.));

  const RawEventGenerator generate(detector());
  for (int e = 0; e < 5; ++e) {
    const auto event = generate(e);
    const auto count_unowned = [](const auto& all, const auto& owned) {
      return std::count_if(all.begin(), all.end(), [&](auto id) { return !owned.count(id); });
    };
    const auto ids = cluster_ids(event.raw);
    const auto owned = owned_ids(event.truth, &lhcb::McParticle::velo_ids);
    CHECK(std::includes(ids.begin(), ids.end(), owned.begin(), owned.end()));
    CHECK(count_unowned(ids, owned) <= 25);  // 8 expected
    const auto strips_lit = strip_ids(event.raw);
    const auto strips_owned = owned_ids(event.truth, &lhcb::McParticle::ut_ids);
    CHECK(std::includes(strips_lit.begin(), strips_lit.end(), strips_owned.begin(),
                        strips_owned.end()));
    CHECK(count_unowned(strips_lit, strips_owned) > 25);  // 60 expected
    CHECK(count_unowned(strips_lit, strips_owned) < 100);
  }
}

TEST_CASE("Truth of raw events is consistent", "[simulation]") {
  const RawEventGenerator generate(detector());
  for (int e = 0; e < 10; ++e) {
    const auto truth = generate(e).truth;
    std::set<std::uint32_t> keys;
    int from_vertices = 0, in_vertices = 0;
    for (const auto& particle : truth.particles) {
      CHECK(keys.insert(particle.key).second);
      CHECK(particle.velo_ids.size() + particle.ut_ids.size() > 0);
      std::set<std::uint32_t> modules, layers;
      for (const auto& ids : {particle.velo_ids, particle.ut_ids}) {
        CHECK(std::is_sorted(ids.begin(), ids.end()));
        CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
      }
      for (const auto id : particle.velo_ids) modules.insert(id >> 20 & 0xff);
      for (const auto id : particle.ut_ids) layers.insert(id >> 19 & 0xf);
      CHECK(particle.has_velo == (modules.size() >= 3));
      CHECK(particle.has_ut == (layers.size() >= 3));
      CHECK(particle.is_long == (particle.has_velo && particle.has_scifi));
      CHECK(particle.is_down == (particle.has_ut && particle.has_scifi));
      CHECK(std::abs(particle.charge) == 1.f);
      CHECK_THAT(particle.pt * std::cosh(particle.eta), WithinRel(particle.p, 1e-3f));
      CHECK(particle.n_vertices == truth.vertices.size());
      from_vertices += particle.has_velo;
    }
    for (const auto& vertex : truth.vertices) {
      in_vertices += vertex.n_tracks;
      CHECK(std::hypot(vertex.x, vertex.y) < 0.3);
    }
    CHECK(from_vertices == in_vertices);  // secondaries are behind the VELO
  }
}

TEST_CASE("A cluster that two particles light belongs to both", "[simulation]") {
  auto params = nothing();
  params.mean_vertices = 5.;
  params.conversion_fraction = 1.;  // pairs stay close together
  params.kaon_short_fraction = params.lambda_fraction = 0.;
  params.charm_fraction = params.beauty_fraction = 0.;
  const RawEventGenerator generate(detector(), params);
  int shared = 0, clusters = 0;
  for (int e = 0; e < 10; ++e) {
    const auto event = generate(e);
    std::map<std::uint32_t, int> owners;
    for (const auto& particle : event.truth.particles) {
      CHECK(std::abs(particle.pid) == 11);
      for (const auto id : particle.velo_ids) ++owners[id];
    }
    for (const auto& [id, n] : owners) shared += n > 1;
    clusters += static_cast<int>(owners.size());
  }
  CHECK(shared > 0.1 * clusters);
  CHECK(shared < 0.9 * clusters);
}

TEST_CASE("Inefficiency takes signals away", "[simulation]") {
  const auto mean_sizes = [](const RawEventParams& params) {
    const RawEventGenerator generate(detector(), params);
    std::pair<double, double> mean;
    for (int e = 0; e < 40; ++e) {
      const auto event = generate(e);
      mean.first += cluster_ids(event.raw).size() / 40.;
      mean.second += strip_ids(event.raw).size() / 40.;
    }
    return mean;
  };
  RawEventParams params;
  params.mean_velo_noise = params.mean_ut_noise = 0.;
  const auto all = mean_sizes(params);
  params.ut_efficiency = 0.5;
  const auto half = mean_sizes(params);
  CHECK_THAT(half.second / all.second, WithinAbs(0.5 / 0.99, 0.06));
  params.ut_efficiency = params.hit_efficiency = 0.;
  CHECK(mean_sizes(params) == std::pair(0., 0.));
  params.ut_efficiency = 1.;
  params.ut_hole_radius = 500.;
  const auto outside = mean_sizes(params);
  CHECK(outside.second > 0.);
  CHECK(outside.second < 0.2 * all.second);
}

TEST_CASE("Raw event parameters out of range are errors that name them", "[simulation]") {
  const auto check = [](auto change, const char* message) {
    RawEventParams params;
    change(params);
    CHECK_THROWS_AS(RawEventGenerator(detector(), params), UsageError);
    CHECK_THROWS_WITH(RawEventGenerator(detector(), params), ContainsSubstring(message));
  };
  check([](auto& p) { p.mean_vertices = -1.; },
        "simulated raw events: mean number of vertices cannot be -1 (allowed: 0 to 300)");
  check([](auto& p) { p.charge_spread = 0.03; }, "charge spread cannot be 0.03");
  check([](auto& p) { p.charge_threshold = NAN; }, "charge threshold cannot be nan");
  check([](auto& p) { p.ut_efficiency = 1.5; }, "efficiency of the UT");
  check([](auto& p) { p.secondary_angle = 0.; }, "mean angle of secondaries");
  auto incomplete = detector();
  incomplete.magnet.bdl.clear();
  CHECK_THROWS_WITH(RawEventGenerator(incomplete), ContainsSubstring("0 values of the field"));
  CHECK_THROWS_WITH(RawEventGenerator(lhcb::Detector{}), ContainsSubstring("UT geometry"));
}
