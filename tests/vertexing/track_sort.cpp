// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <limits>
#include <numeric>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lanes.hpp>
#include <trackplex/core/team.hpp>
#include <trackplex/vertexing/detail/track_sort.hpp>
#include <trackplex/vertexing/tracks_at_beam.hpp>
#include <vector>

#include "vertexing/one_thread.hpp"

using namespace trackplex;
using vertexing::TrackAtBeam;
namespace finding = vertexing::detail;

namespace {

/// Tracks at z, whose x is their number; those at unusable_z have no weight.
constexpr double unusable_z = 7.5;
std::vector<TrackAtBeam<double>> tracks_at(const std::vector<double>& zs) {
  std::vector<TrackAtBeam<double>> tracks;
  for (const double z : zs) {
    const double weight = z == unusable_z ? 0. : 100.;
    tracks.push_back({double(tracks.size()), 1., z, 0.1, 0.2, weight, 3., weight});
  }
  return tracks;
}

/// The numbers of sorted tracks, and their z.
template <class Real>
std::vector<std::vector<double>> sorted(const std::vector<double>& zs) {
  const auto tracks =
      vertexing::tracks_to_device<double>(HostExecutor(), {tracks_at({1.}), tracks_at(zs)});
  const finding::VertexCuts<double> cuts({});
  const auto scratch_in = [&](ScratchCarver& carver) {
    return finding::VertexScratch<double>(carver, cuts, tracks.max_event_tracks, 1, 0);
  };
  ScratchCarver sizes;
  scratch_in(sizes);
  std::vector<char> memory(sizes.bytes());
  ScratchCarver carver(memory.data());
  const auto scratch = scratch_in(carver);
  const test::OneThread thread;
  const TeamLanes<Real, test::OneThread> team(thread);
  const int n = int(zs.size());
  finding::TrackSort<Real, decltype(tracks)>(tracks, cuts, scratch)(team, tracks.first(1), n);
  const auto quantity = [&](int q) {
    const double* const begin = scratch.sorted + q * tracks.max_event_tracks;
    return std::vector<double>(begin, begin + n);
  };
  return {quantity(finding::track_x), quantity(finding::track_z), quantity(finding::track_wyy)};
}

}  // namespace

TEST_CASE("Tracks are sorted by z, then by their number, unusable ones last", "[vertexing]") {
  std::vector<double> zs;
  for (int i = 0; i < 70; ++i) zs.push_back(300. - 37. * (i % 17) + 0.001 * (i % 5));
  zs.insert(zs.end(), {unusable_z, 1e30, -1e30, std::numeric_limits<double>::infinity(), 0.});
  const auto key = [&](std::size_t i) {
    return zs[i] == unusable_z || zs[i] > 1e300 ? std::numeric_limits<double>::max() : zs[i];
  };
  std::vector<double> order(zs.size()), in_order;
  std::iota(order.begin(), order.end(), 0.);
  std::stable_sort(order.begin(), order.end(),
                   [&](double a, double b) { return key(std::size_t(a)) < key(std::size_t(b)); });
  for (const double i : order) in_order.push_back(key(std::size_t(i)));
  const auto by_one = sorted<double>(zs);
  CHECK(by_one[0] == order);
  CHECK(by_one[1] == in_order);
  CHECK(by_one[2][0] == 100.);
  CHECK(by_one[2][zs.size() - 2] == 0.);
  CHECK(sorted<Lanes<double, 4>>(zs) == by_one);
}
