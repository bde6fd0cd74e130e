// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "detector.hpp"
#include "lhcb/scifi_reference.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/simulation/detail/scifi_flight.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using simulation::GeneratedRawEvent;
using simulation::RawEventGenerator;
using simulation::RawEventParams;

lhcb::Detector scifi_detector(float polarity = -1.f) {
  auto detector = test::detector();
  detector.scifi = simulation::ideal_scifi();
  detector.polarity = polarity;
  return detector;
}

using ScifiHits = std::map<std::uint32_t, test::ScifiReferenceHit<double>>;

/// The hits of an event by their ids; each id once.
ScifiHits hits_by_id(const lhcb::RawEvent& event) {
  static const auto geometry = simulation::ideal_scifi();
  const auto decoded = test::decoded_scifi(geometry, event);
  CHECK(decoded.invalid == 0);
  ScifiHits hits;
  for (const auto& hit : decoded.hits) CHECK(hits.emplace(hit.id, hit).second);
  return hits;
}

/// x layers and stereo layers of stations among LHCbIDs, as numbers.
std::set<int> kinds_of_layers(const std::vector<std::uint32_t>& ids) {
  std::set<int> kinds;
  for (const auto id : ids) {
    const int layer = int(id >> 16 & 3), station = int(id >> 18 & 3);
    kinds.insert(2 * station + (layer == 1 || layer == 2));
  }
  return kinds;
}

}  // namespace

TEST_CASE("A SciFi changes neither VELO nor UT banks", "[simulation]") {
  const RawEventGenerator generate(scifi_detector(), {}, 42);
  const auto with = generate(5), without = RawEventGenerator(test::detector(), {}, 42)(5);
  CHECK(with.raw.vp == without.raw.vp);
  CHECK(with.raw.ut == without.raw.ut);
  CHECK(without.raw.scifi.size() == 0);
  CHECK(generate(5) == with);
  CHECK(RawEventGenerator(scifi_detector(), {}, 42)(5) == with);
  CHECK_FALSE(generate(4).raw.scifi == with.raw.scifi);
  CHECK_FALSE(RawEventGenerator(scifi_detector(), {}, 43)(5).raw.scifi == with.raw.scifi);
  const auto up = RawEventGenerator(scifi_detector(1.f), {}, 42)(5);
  CHECK(up.raw.vp == with.raw.vp);
  CHECK_FALSE(up.raw.scifi == with.raw.scifi);
  RawEventParams params;
  params.ut_efficiency = 0.9;
  params.mean_ut_noise = 10.;
  CHECK(RawEventGenerator(scifi_detector(), params, 42)(5).raw.vp == with.raw.vp);
  params = {};
  params.scifi_efficiency = 0.5;
  params.mean_scifi_noise = 10.;
  CHECK(RawEventGenerator(scifi_detector(), params, 42)(5).raw.ut == with.raw.ut);
}

TEST_CASE("All SciFi hits without noise belong to particles", "[simulation]") {
  RawEventParams params;
  params.mean_scifi_noise = 0.;
  const RawEventGenerator generate(scifi_detector(), params);
  std::array<double, 9> sizes{};
  double all = 0.;
  for (int e = 0; e < 10; ++e) {
    const auto event = generate(e);
    CHECK(event.raw.scifi.version == 5);
    CHECK(event.raw.scifi.size() == 240);
    std::set<std::uint32_t> owned;
    for (const auto& particle : event.truth.particles)
      owned.insert(particle.scifi_ids.begin(), particle.scifi_ids.end());
    std::set<std::uint32_t> ids;
    for (const auto& [id, hit] : hits_by_id(event.raw)) {
      ids.insert(id);
      sizes[std::size_t(hit.size)] += 1.;
      all += 1.;
    }
    CHECK(ids == owned);
  }
  // In simulated events of LHCb 3430, with more particles from material; 81, 6, 3, 2, 1 and 7 % are
  // of sizes 4 to 8 and 0.
  CHECK_THAT(all / 10., WithinRel(2450., 0.15));
  CHECK_THAT(sizes[4] / all, WithinAbs(0.81, 0.07));
  CHECK_THAT(sizes[5] / all, WithinAbs(0.06, 0.05));
  CHECK_THAT(sizes[0] / all, WithinAbs(0.07, 0.05));
}

TEST_CASE("Noise in the SciFi belongs to nobody", "[simulation]") {
  RawEventParams params;
  params.mean_vertices = params.mean_secondaries = params.mean_scifi_secondaries = 0.;
  const RawEventGenerator generate(scifi_detector(), params);
  double mean = 0.;
  for (int e = 0; e < 40; ++e) {
    const auto event = generate(e);
    CHECK(event.truth.particles.empty());
    mean += double(hits_by_id(event.raw).size()) / 40.;
  }
  CHECK_THAT(mean, WithinAbs(430., 30.));  // pieces of wide clusters are hits
}

TEST_CASE("Truth of the SciFi is that of its hits", "[simulation]") {
  const RawEventGenerator generate(scifi_detector());
  int only_scifi = 0, longs = 0;
  double layers = 0.;
  for (int e = 0; e < 10; ++e)
    for (const auto& particle : generate(e).truth.particles) {
      const auto& ids = particle.scifi_ids;
      CHECK(particle.velo_ids.size() + particle.ut_ids.size() + ids.size() > 0);
      CHECK(std::is_sorted(ids.begin(), ids.end()));
      CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
      CHECK(particle.has_scifi == (kinds_of_layers(ids).size() == 6));
      CHECK(particle.is_long == (particle.has_velo && particle.has_scifi));
      CHECK(particle.is_down == (particle.has_ut && particle.has_scifi));
      only_scifi += particle.velo_ids.empty() && particle.ut_ids.empty();
      longs += particle.is_long;
      std::set<std::uint32_t> of;
      for (const auto id : ids) of.insert(id >> 16);
      if (particle.is_long) layers += double(of.size());
    }
  CHECK(only_scifi > 10);
  CHECK(longs > 500);
  CHECK_THAT(layers / longs, WithinAbs(11.7, 0.2));
}

TEST_CASE("SciFi hits lie on the curve of the particle", "[simulation]") {
  RawEventParams params;
  params.sensor_thickness = params.gap_thickness = params.ut_layer_thickness = 0.;
  params.magnet_thickness = params.scifi_layer_thickness = 0.;
  params.scifi_delta_ray_probability = params.mean_scifi_noise = 0.;
  for (const float polarity : {-1.f, 1.f}) {
    const RawEventGenerator generate(scifi_detector(polarity), params, 3);
    const simulation::detail::ScifiFlights flights(params, scifi_detector(polarity));
    double square = 0., sum = 0., n = 0., far = 0.;
    for (int e = 0; e < 10; ++e) {
      const auto event = generate(e);
      const auto hits = hits_by_id(event.raw);
      for (const auto& q : event.truth.particles) {
        if (!q.is_long || q.p < 3000.f) continue;
        const double pt = q.pt, phi = q.phi, z = q.origin_z;
        const double pz = pt * std::sinh(double(q.eta));
        const double tx = pt * std::cos(phi) / pz, ty = pt * std::sin(phi) / pz;
        const simulation::detail::VeloLine line{double(q.origin_x) - tx * z,
                                                double(q.origin_y) - ty * z, tx, ty};
        const double qop = -double(polarity) * double(q.charge) / double(q.p);
        const auto curve = flights.curve(line, qop);
        for (const auto id : q.scifi_ids) {
          const auto& hit = hits.at(id);
          const int layer = hit.zone / 2;
          if (lhcb::scifi_dxdy[std::size_t(layer)] != 0.) continue;
          const double y = line.y + ty * hit.z;  // the field shifts y by millimetres
          const double off = hit.x - curve.at(hit.z + lhcb::scifi_dzdy * y);
          far += std::abs(off) > 0.5;  // merged with another particle's
          if (std::abs(off) > 0.5) continue;
          square += off * off;
          sum += off;
          n += 1.;
        }
      }
    }
    REQUIRE(n > 1000.);
    CHECK(far < 0.02 * n);
    CHECK_THAT(std::sqrt(square / n), WithinAbs(0.07, 0.02));
    CHECK_THAT(sum / n, WithinAbs(0., 0.01));
  }
}

TEST_CASE("Inefficiency takes SciFi hits away", "[simulation]") {
  const auto mean_hits = [](double efficiency) {
    RawEventParams params;
    params.mean_scifi_noise = 0.;
    params.scifi_efficiency = efficiency;
    const RawEventGenerator generate(scifi_detector(), params);
    double mean = 0.;
    for (int e = 0; e < 10; ++e) mean += double(hits_by_id(generate(e).raw).size()) / 10.;
    return mean;
  };
  const double all = mean_hits(1.);
  CHECK_THAT(mean_hits(0.5) / all, WithinAbs(0.5, 0.05));
  CHECK(mean_hits(0.) == 0.);
}

TEST_CASE("SciFi parameters out of range are errors that name them", "[simulation]") {
  RawEventParams params;
  params.scifi_spread = 0.1;
  CHECK_THROWS_WITH(RawEventGenerator(scifi_detector(), params),
                    ContainsSubstring("spread of light in the SciFi cannot be 0.1"));
  auto linked = scifi_detector();
  linked.scifi = test::small_scifi(true);
  CHECK_THROWS_AS(RawEventGenerator(linked), UsageError);
  CHECK_THROWS_WITH(RawEventGenerator(linked),
                    ContainsSubstring("0 values of first channels of SciFi banks"));
}
