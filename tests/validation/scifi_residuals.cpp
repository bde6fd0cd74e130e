// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/validation/scifi_residuals.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace trackplex;
using validation::ScifiResiduals;

/// An event with one long track whose hits are on a curve, up to `off` (mm) in each layer.
struct CurvedTrack {
  std::vector<double> x, z;
  std::vector<std::uint8_t> sizes;
  std::vector<std::uint32_t> ids;
  std::vector<lhcb::LongTrack> tracks{1};

  explicit CurvedTrack(const std::vector<double>& off, const std::vector<int>& modules) {
    const double a = 700., b = 0.2, c = 1.5e-6, e = -300., f = -0.04;
    auto& track = tracks[0];
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const auto l = std::size_t(layer);
      const double z0 = lhcb::scifi_z[l];
      double at = z0, y = 0.;
      for (int i = 0; i < 10; ++i) {  // where the line meets the leaning plane
        y = e + f * (at - 8520.);
        at = z0 + lhcb::scifi_dzdy * y;
      }
      const double dz = at - 8520.;
      x.push_back(a + b * dz + c * dz * dz * (1. - 2.8e-4 * dz) - lhcb::scifi_dxdy[l] * y + off[l]);
      z.push_back(z0);
      sizes.push_back(4);
      const std::uint32_t station = 1 + std::uint32_t(layer) / 4, quarter = 1;
      ids.push_back(0xAu << 28 | station << 18 | (std::uint32_t(layer) % 4) << 16 | quarter << 14 |
                    std::uint32_t(modules[l]) << 11);
      track.hits[l] = layer;
    }
    track.y = e + f * (lhcb::scifi_end_z - 8520.);
    track.ty = f;
  }

  lhcb::TracksResult result() const {
    lhcb::TracksResult event;
    event.scifi_hits.x = x;
    event.scifi_hits.z = z;
    event.scifi_hits.cluster_size = sizes;
    event.scifi_hits.ids = ids;
    event.long_tracks = tracks;
    return event;
  }
};

const std::vector<int> one_module(12, 1), two_modules = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
const std::vector<double> on_curve(12, 0.);

/// Hits of module 2 are `shift` (mm) too far out.
std::vector<double> shifted(double shift) {
  auto off = on_curve;
  for (std::size_t l = 7; l < off.size(); ++l) off[l] = shift;
  return off;
}

}  // namespace

TEST_CASE("Hits on a curve have no residuals", "[validation]") {
  ScifiResiduals residuals;
  residuals.add(CurvedTrack(on_curve, one_module).result());
  residuals.add(CurvedTrack(on_curve, two_modules).result());
  CHECK((residuals.all().tracks == 2 && residuals.all().hits == 24));
  CHECK((residuals.crossing().tracks == 1 && residuals.crossing().hits == 12));
  CHECK(residuals.all().mean() < 1e-5);  // y is taken at the hit's z at y = 0
  CHECK_FALSE(residuals.suspicious());
  CHECK(ScifiResiduals().all().mean() == 0.);
}

TEST_CASE("Residuals are those of a least-squares fit", "[validation]") {
  // What a fit of 5 parameters to 12 hits leaves of any errors is orthogonal to the derivatives:
  // the same for all hits moved sideways, or rotated.
  std::vector<double> off = {0.1, -0.2, 0.05, 0.1, -0.3, 0.2, 0., 0.15, -0.1, 0.1, 0.2, -0.05};
  ScifiResiduals before, after;
  before.add(CurvedTrack(off, one_module).result());
  for (std::size_t l = 0; l < off.size(); ++l) off[l] += 3. + 1e-3 * (lhcb::scifi_z[l] - 8520.);
  after.add(CurvedTrack(off, one_module).result());
  CHECK(before.all().mean() > 0.05);
  CHECK(before.all().mean() < 0.15);
  CHECK(after.all().mean() == Catch::Approx(before.all().mean()).epsilon(0.02));
}

TEST_CASE("Tracks with fewer than 9 hits do not count", "[validation]") {
  CurvedTrack event(on_curve, two_modules);
  for (const std::size_t layer : {0u, 3u, 5u}) event.tracks[0].hits[layer] = -1;
  ScifiResiduals residuals;
  residuals.add(event.result());
  CHECK(residuals.all().hits == 9);
  event.tracks[0].hits[8] = -1;
  residuals.add(event.result());
  CHECK(residuals.all().tracks == 1);
}

TEST_CASE("Modules that are not at their places make the geometry suspicious", "[validation]") {
  const auto suspicious = [](double shift, const std::vector<int>& modules, std::uint64_t tracks) {
    ScifiResiduals residuals;
    const CurvedTrack event(shifted(shift), modules);
    for (std::uint64_t i = 0; i < tracks; ++i) residuals.add(event.result());
    return residuals.suspicious();
  };
  CHECK(suspicious(1., two_modules, ScifiResiduals::min_tracks));
  CHECK_FALSE(suspicious(1., two_modules, ScifiResiduals::min_tracks - 1));
  CHECK_FALSE(suspicious(1., one_module, 2 * ScifiResiduals::min_tracks));
  CHECK_FALSE(suspicious(0.2, two_modules, 2 * ScifiResiduals::min_tracks));
}
