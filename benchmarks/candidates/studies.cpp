// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "studies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace trackplex::benchmarks {

namespace {

/// How many tracks a batch has at least, however small its events are.
constexpr int least_tracks = 10000;

void add_sharing(const TrackingCase& base, std::vector<TrackingCase>& cases) {
  for (const int seeds : {1, 8, 32, 64, 128}) {
    auto one = base;
    one.name = fmt::format("{} seeds a team", seeds);
    one.seeds_per_team = seeds;
    one.best_hit = one.fit = false;
    cases.push_back(one);
  }
}

void add_tracks(const TrackingCase& base, int max_tracks, std::vector<TrackingCase>& cases) {
  for (const int tracks : {10, 100, 1000, 10000, 50000, 200000}) {
    if (tracks > max_tracks) continue;
    auto one = base;
    one.name = fmt::format("{} tracks", tracks);
    one.tracks = tracks;
    one.events = one.batch = std::max(1, std::min(least_tracks, max_tracks) / tracks);
    one.standard = false;
    cases.push_back(one);
  }
}

void add_events(const TrackingCase& base, int max_tracks, std::vector<TrackingCase>& cases) {
  for (const int tracks : {100, 10000}) {
    if (tracks > max_tracks) continue;
    for (const int batch : {1, 2, 5, 10, 20}) {
      auto one = base;
      one.name = fmt::format("{} x {} tracks", batch, tracks);
      one.tracks = tracks;
      one.events = 20;
      one.batch = batch;
      one.standard = false;
      cases.push_back(one);
    }
  }
}

void add_bins(const TrackingCase& base, std::vector<TrackingCase>& cases) {
  for (const int azimuth : {128, 256, 512})
    for (const double length : {0.25, 0.5, 1.}) {
      auto one = base;
      one.name = fmt::format("{} x {:g} cm", azimuth, length);
      one.azimuth_bins = azimuth;
      one.bin_length = length;
      one.standard = one.fit = false;
      cases.push_back(one);
    }
}

void add_orders(const TrackingCase& base, std::vector<TrackingCase>& cases) {
  for (const auto order : {SeedOrder::particle, SeedOrder::azimuth, SeedOrder::bins}) {
    auto one = base;
    one.name = "by " + name_of(order);
    one.order = order;
    cases.push_back(one);
  }
}

}  // namespace

const std::vector<std::string>& study_names() {
  static const std::vector<std::string> names{"steps",  "sharing", "tracks",
                                              "events", "bins",    "order"};
  return names;
}

std::vector<TrackingCase> cases_of(const std::string& study, const TrackingCase& base,
                                   int max_tracks) {
  std::vector<TrackingCase> cases;
  if (study == "steps") {
    cases.push_back(base);
    cases.back().name = fmt::format("{} x {} tracks", base.events, base.tracks);
  }
  if (study == "sharing") add_sharing(base, cases);
  if (study == "tracks") add_tracks(base, max_tracks, cases);
  if (study == "events") add_events(base, max_tracks, cases);
  if (study == "bins") add_bins(base, cases);
  if (study == "order") add_orders(base, cases);
  for (auto& one : cases) one.study = study;
  return cases;
}

const std::vector<std::string>& seed_order_names() {
  static const std::vector<std::string> names{"azimuth", "particle", "bins"};
  return names;
}
SeedOrder seed_order(const std::string& name) {
  const auto& names = seed_order_names();
  return SeedOrder(std::find(names.begin(), names.end(), name) - names.begin());
}
const std::string& name_of(SeedOrder order) { return seed_order_names().at(std::size_t(order)); }

}  // namespace trackplex::benchmarks
