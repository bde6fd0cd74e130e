// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "detector.hpp"
#include "raw_event_decoding.hpp"

#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using simulation::RawEventGenerator;
using simulation::RawEventParams;
using test::detector;

/// Particles of the vertices only, that nothing disturbs; for the UT, decays are as good.
RawEventParams undisturbed() {
  RawEventParams params;
  params.conversion_fraction = 0.;
  params.sensor_thickness = params.gap_thickness = params.ut_layer_thickness = 0.;
  params.delta_ray_probability = 0.;
  params.mean_velo_noise = params.mean_ut_noise = params.mean_secondaries = 0.;
  return params;
}

/// A straight line: a point and slopes.
struct Line {
  double x, y, z, tx, ty;

  double x_at(double to) const { return x + tx * (to - z); }
  double y_at(double to) const { return y + ty * (to - z); }
};

double signed_momentum(const lhcb::McParticle& particle) {
  return double(particle.charge) * double(particle.p);
}

/// The line of a particle before the magnet, from where it comes closest to the beam.
Line line_of(const lhcb::McParticle& particle) {
  const double pt = particle.pt, phi = particle.phi;
  const double pz = pt * std::sinh(double(particle.eta));
  Line line{particle.origin_x, particle.origin_y, particle.origin_z, pt * std::cos(phi) / pz,
            pt * std::sin(phi) / pz};
  const double z =
      line.z - (line.x * line.tx + line.y * line.ty) / (line.tx * line.tx + line.ty * line.ty);
  return {line.x_at(z), line.y_at(z), z, line.tx, line.ty};
}

template <class Hit>
std::unordered_map<std::uint32_t, Hit> by_id(const std::vector<Hit>& hits) {
  std::unordered_map<std::uint32_t, Hit> map;
  for (const Hit& hit : hits) map.emplace(hit.id, hit);
  return map;
}

/// Looks the field integral up as LHCb's code does.
double bdl_of(const Line& line) {
  const double origin =
      std::abs(line.ty) > 0.001 ? line.z - line.y / line.ty : line.z - line.x / line.tx;
  const std::array<double, 3> at = {line.ty, origin, line.z};
  const std::array<double, 3> low = {-0.3, -250., 0.}, step = {0.02, 50., 80.};
  const std::array<int, 3> last = {30, 10, 10};
  std::array<int, 3> node{};
  for (int a = 0; a < 3; ++a)
    node[a] = std::clamp(int(std::floor((at[a] - low[a]) / step[a])), 0, last[a]);
  const auto value = [](const std::array<int, 3>& n) {
    return double(detector().magnet.bdl[(n[2] * 11 + n[1]) * 31 + n[0]]);
  };
  const double base = value(node);
  double sum = base;
  for (int a = 0; a < 3; ++a) {
    if (at[a] < low[a] || node[a] == last[a]) continue;
    auto next = node;
    ++next[a];
    sum += (value(next) - base) * ((at[a] - low[a]) / step[a] - node[a]);
  }
  return sum;
}

/// LHCb's p-kick fit of hits (x along the line's y, z, weight) to a VELO line; returns the kick.
struct Measured {
  double x, z, weight;
};

double fitted_kick(const std::vector<Measured>& hits, const Line& velo) {
  constexpr double z_kink = 1780., z_middle = 2484.6, sigma = 1e-4;
  const double x_kink = velo.x_at(z_kink), way = z_kink - velo.z;
  const double w_kink = 1. / (sigma * sigma * way * way);
  const double dz_kink = 0.001 * (z_kink - z_middle);
  double m00 = w_kink, m01 = w_kink * dz_kink, m11 = m01 * dz_kink;
  double r0 = w_kink * x_kink, r1 = r0 * dz_kink;
  for (const auto& [x, z, w] : hits) {
    const double dz = 0.001 * (z - z_middle);
    m00 += w;
    m01 += w * dz;
    m11 += w * dz * dz;
    r0 += w * x;
    r1 += w * x * dz;
  }
  const double d = m00 * m11 - m01 * m01;
  const double x_ut = (m11 * r0 - m01 * r1) / d, s_ut = 0.001 * (m00 * r1 - m01 * r0) / d;
  const double s_velo = (x_ut + s_ut * (z_kink - z_middle) - velo.x) / way;
  return s_velo * std::sqrt(1. + s_velo * s_velo) - s_ut * std::sqrt(1. + s_ut * s_ut);
}

double q_over_p(double kick, const Line& velo) {
  return kick * (-std::sqrt(1. + velo.ty * velo.ty) / bdl_of(velo) * 3.3356 / 1000.);
}

/// One hit of each layer that a particle has, seen along a line's y.
std::vector<Measured> ut_measurements(const lhcb::McParticle& particle,
                                      const std::unordered_map<std::uint32_t, test::UtHit>& hits,
                                      const Line& line) {
  std::vector<Measured> result;
  int layers = 0;
  for (const auto id : particle.ut_ids) {
    const test::UtHit& hit = hits.at(id);
    if (layers >> hit.layer & 1) continue;
    layers |= 1 << hit.layer;
    result.push_back({hit.x_at(line.y_at(hit.z)), hit.z, 12. / (hit.pitch * hit.pitch)});
  }
  return result;
}

/// Least-squares lines x(z), y(z) of clusters, from where they come closest to the beam.
Line fitted_line(const std::vector<test::PixelCluster>& clusters) {
  double n = 0., z1 = 0., z2 = 0., x1 = 0., xz = 0., y1 = 0., yz = 0.;
  for (const auto& c : clusters) {
    n += 1.;
    z1 += c.z;
    z2 += c.z * c.z;
    x1 += c.x;
    xz += c.x * c.z;
    y1 += c.y;
    yz += c.y * c.z;
  }
  const double d = n * z2 - z1 * z1;
  const Line line{(x1 * z2 - xz * z1) / d, (y1 * z2 - yz * z1) / d, 0., (n * xz - x1 * z1) / d,
                  (n * yz - y1 * z1) / d};
  const double z = -(line.x * line.tx + line.y * line.ty) / (line.tx * line.tx + line.ty * line.ty);
  return {line.x_at(z), line.y_at(z), z, line.tx, line.ty};
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Standard deviation of q/p that the positions of the hits bring about.
double q_over_p_error(const std::vector<Measured>& hits, const Line& line, double sigma_in_pitch) {
  const double base = q_over_p(fitted_kick(hits, line), line);
  double variance = 0.;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    auto moved = hits;
    const double pitch = std::sqrt(12. / hits[i].weight);
    moved[i].x += sigma_in_pitch * pitch;
    const double change = q_over_p(fitted_kick(moved, line), line) - base;
    variance += change * change;
  }
  return std::sqrt(variance);
}

}  // namespace

TEST_CASE("Clusters of pixels have the sizes of those of LHCb", "[simulation]") {
  // In its simulated events: 46, 36, 10 and 4 % of 1, 2, 3 and 4 pixels, 1.36 super-pixels per
  // cluster, 53 % of them isolated.
  const RawEventGenerator generate(detector());
  double n = 0., pixels = 0., super_pixels = 0., isolated = 0., ut = 0.;
  std::array<double, 5> share{};
  constexpr int events = 200;
  for (int e = 0; e < events; ++e) {
    const auto raw = generate(e).raw;
    for (const auto& cluster : test::velo_clusters(raw.vp, detector().velo)) {
      n += 1.;
      pixels += cluster.pixels;
      if (cluster.pixels < 5) share[cluster.pixels] += 1.;
    }
    for (std::size_t b = 0; b < raw.vp.size(); ++b)
      for (const auto word : raw.vp.payload(b).subspan(1)) {
        super_pixels += 1.;
        isolated += word >> 31;
      }
    ut += double(test::ut_hits(raw.ut, detector()).size());
  }
  CHECK_THAT(n / events, WithinAbs(2000., 150.));
  CHECK_THAT(super_pixels / n, WithinAbs(1.38, 0.03));
  CHECK_THAT(isolated / super_pixels, WithinAbs(0.51, 0.03));
  CHECK_THAT(pixels / n, WithinAbs(2.03, 0.08));
  CHECK_THAT(share[1] / n, WithinAbs(0.45, 0.02));
  CHECK_THAT(share[2] / n, WithinAbs(0.36, 0.02));
  CHECK_THAT(share[3] / n, WithinAbs(0.10, 0.02));
  CHECK_THAT(share[4] / n, WithinAbs(0.04, 0.01));
  CHECK_THAT(ut / events, WithinAbs(1250., 100.));
}

TEST_CASE("Clusters measure where particles cross", "[simulation]") {
  const RawEventGenerator generate(detector(), undisturbed(), 3);
  double square = 0., mean_u = 0., mean_v = 0., n = 0.;
  int far = 0;
  for (int e = 0; e < 20; ++e) {
    const auto event = generate(e);
    const auto clusters = by_id(test::velo_clusters(event.raw.vp, detector().velo));
    for (const auto& particle : event.truth.particles) {
      if (!particle.has_velo) continue;
      const Line line = line_of(particle);
      for (const auto id : particle.velo_ids) {
        const auto& cluster = clusters.at(id);
        const int module = id >> 20 & 0xff;
        const auto seen = lhcb::to_velo_sensor(module, cluster.x, cluster.y);
        const auto truth = lhcb::to_velo_sensor(module, line.x_at(cluster.z), line.y_at(cluster.z));
        const double du = seen.u - truth.u, dv = seen.v - truth.v;
        if (std::max(std::abs(du), std::abs(dv)) > 0.1) {  // merged ones
          ++far;
          continue;
        }
        square += du * du + dv * dv;
        mean_u += du;
        mean_v += dv;
        n += 1.;
      }
    }
  }
  REQUIRE(n > 10000.);
  CHECK(far < 0.03 * n);
  CHECK_THAT(std::sqrt(square / (2. * n)),
             WithinAbs(0.0112, 0.0005));  // 0.0159 without shared charge
  CHECK_THAT(mean_u / n, WithinAbs(0., 0.0005));
  CHECK_THAT(mean_v / n, WithinAbs(0., 0.0005));
}

TEST_CASE("UT hits lie where the kinked line of the particle goes", "[simulation]") {
  for (const double polarity : {-1., 1.}) {
    auto magnet = detector();
    magnet.polarity = float(polarity);
    const RawEventGenerator generate(magnet, undisturbed(), 4);
    double square = 0., n = 0.;
    int shared = 0;
    for (int e = 0; e < 20; ++e) {
      const auto event = generate(e);
      const auto hits = by_id(test::ut_hits(event.raw.ut, magnet));
      for (const auto& particle : event.truth.particles) {
        if (particle.origin_z > 750.f) continue;  // only the flight in the VELO is looked at
        const Line line = line_of(particle);
        const double f = line.tx * std::sqrt(1. + line.tx * line.tx) -
                         polarity * bdl_of(line) * 299.79 /
                             (std::sqrt(1. + line.ty * line.ty) * signed_momentum(particle));
        double slope = f;  // solves slope sqrt(1 + slope^2) = f
        for (int i = 0; i < 50; ++i) slope = f / std::sqrt(1. + slope * slope);
        for (const auto id : particle.ut_ids) {
          const auto& hit = hits.at(id);
          const double y = line.y_at(hit.z);
          const double x = line.x_at(1780.) + slope * (hit.z - 1780.);
          const double off = (hit.x_at(y) - x) / hit.pitch;
          if (std::abs(off) > 1.) {  // the strip tells another particle's fraction at most
            ++shared;
            continue;
          }
          CHECK(y > hit.y_begin - 0.2);
          CHECK(y < hit.y_end + 0.2);
          CHECK(std::hypot(x, y) > 33.3);
          square += off * off;
          n += 1.;
        }
      }
    }
    REQUIRE(n > 5000.);
    CHECK(shared < 0.01 * n);
    CHECK_THAT(std::sqrt(square / n), WithinAbs(0.2, 0.01));  // of the pitch
  }
}

TEST_CASE("The p-kick fit of true hits gives q/p without bias", "[simulation]") {
  for (const double polarity : {-1., 1.}) {
    auto magnet = detector();
    magnet.polarity = float(polarity);
    const RawEventGenerator generate(magnet, undisturbed(), 5);
    std::vector<double> ratios, pulls;
    for (int e = 0; e < 60; ++e) {
      const auto event = generate(e);
      const auto hits = by_id(test::ut_hits(event.raw.ut, magnet));
      for (const auto& particle : event.truth.particles) {
        const Line line = line_of(particle);
        const bool in_field = std::abs(line.ty) < 0.2 && particle.origin_z < 300.f;
        if (!particle.has_velo || !particle.has_ut || particle.p < 2000.f || !in_field) continue;
        const auto measured = ut_measurements(particle, hits, line);
        const double qp = q_over_p(fitted_kick(measured, line), line) * -polarity;
        ratios.push_back(qp * signed_momentum(particle));
        pulls.push_back((qp - 1. / signed_momentum(particle)) /
                        q_over_p_error(measured, line, 0.2));
      }
    }
    REQUIRE(pulls.size() > 1500);
    CHECK_THAT(quantile(ratios, 0.5), WithinAbs(1., 0.005));
    CHECK(quantile(ratios, 0.02) > 0.);  // the sign is right
    CHECK_THAT(quantile(pulls, 0.5), WithinAbs(0., 0.08));
    CHECK_THAT(0.5 * (quantile(pulls, 0.84) - quantile(pulls, 0.16)), WithinAbs(1., 0.1));
  }
}

TEST_CASE("Clusters and UT hits of disturbed particles give their q/p", "[simulation]") {
  // The same on simulated events of LHCb: charge right for 98.8 %, median of q/p times p 0.97.
  const RawEventGenerator generate(detector(), {}, 6);
  std::vector<double> ratios;
  double right = 0.;
  for (int e = 0; e < 60; ++e) {
    const auto event = generate(e);
    const auto clusters = by_id(test::velo_clusters(event.raw.vp, detector().velo));
    const auto hits = by_id(test::ut_hits(event.raw.ut, detector()));
    for (const auto& particle : event.truth.particles) {
      const bool selected = particle.is_long && particle.has_ut && std::abs(particle.pid) != 11 &&
                            2.f < particle.eta && particle.eta < 5.f && particle.p > 2000.f;
      if (!selected) continue;
      std::vector<test::PixelCluster> own;
      for (const auto id : particle.velo_ids) own.push_back(clusters.at(id));
      const Line line = fitted_line(own);
      const double qp = q_over_p(fitted_kick(ut_measurements(particle, hits, line), line), line);
      ratios.push_back(qp * signed_momentum(particle));
      right += ratios.back() > 0.;
    }
  }
  REQUIRE(ratios.size() > 1500);
  CHECK(right / double(ratios.size()) > 0.97);
  CHECK_THAT(quantile(ratios, 0.5), WithinAbs(1., 0.03));
  const double width = 0.5 * (quantile(ratios, 0.84) - quantile(ratios, 0.16));
  CHECK(width > 0.1);
  CHECK(width < 0.3);
}
