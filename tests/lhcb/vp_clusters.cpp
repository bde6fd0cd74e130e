// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <random>

#include "support/spaces.hpp"
#include "vp_clusters_check.hpp"

using namespace trackplex;
using test::Pixel;

namespace {

constexpr int columns = lhcb::velo_pixel_columns, rows = lhcb::velo_pixel_rows;

/// Sensors that stand askew at different places, with wide columns where chips meet.
const lhcb::VeloPixelGeometry& geometry() {
  static const auto result = [] {
    lhcb::VeloPixelGeometry g;
    double x = 0.;
    for (int c = 0; c < columns; ++c) {
      g.column_x[c] = float(x += 0.055);
      g.column_pitch[c] = c % 256 == 255 ? 0.1375f : 0.055f;
    }
    std::mt19937 random(1);
    for (auto& transform : g.transforms)
      for (auto& t : transform) t = float(random() / 4294967296. * 2. - 1.);
    return g;
  }();
  return result;
}

struct Random {
  std::mt19937 engine;
  int below(int n) { return int(engine() % unsigned(n)); }
  bool chance(double p) { return engine() < p * 4294967296.; }
};

/// Every pixel of a field of the sensor with this probability.
std::set<Pixel> noise(Random& random, double density, int first_column = 0, int n_columns = columns,
                      int n_rows = rows) {
  std::set<Pixel> pixels;
  for (int c = first_column; c < first_column + n_columns; ++c)
    for (int r = 0; r < n_rows; ++r)
      if (random.chance(density)) pixels.insert({c, r});
  return pixels;
}

/// Walks of `steps` pixels that touch one after the other.
std::set<Pixel> walks(Random& random, int n, int steps) {
  std::set<Pixel> pixels;
  for (int walk = 0; walk < n; ++walk) {
    int c = random.below(columns), r = random.below(rows);
    for (int step = 0; step < steps; ++step) {
      pixels.insert({c, r});
      c = std::clamp(c + random.below(3) - 1, 0, columns - 1);
      r = std::clamp(r + random.below(3) - 1, 0, rows - 1);
    }
  }
  return pixels;
}

/// One line of pixels to and fro over the sensor, along its columns or rows, with a free one
/// between any two, but for the turns.
std::set<Pixel> serpentine(bool along_columns) {
  std::set<Pixel> pixels;
  const int lines = along_columns ? columns : rows, length = along_columns ? rows : columns;
  for (int line = 0; line < lines; ++line)
    for (int i = 0; i < length; ++i)
      if (line % 2 == 0 || i == (line % 4 == 1 ? length - 1 : 0))
        pixels.insert(along_columns ? Pixel{line, i} : Pixel{i, line});
  return pixels;
}

void add_sensor(lhcb::RawEvent& event, int sensor, const std::set<Pixel>& pixels) {
  test::add_vp_bank(event.vp, sensor, test::super_pixels_of(pixels));
}

lhcb::RawEvent named(const std::string& name) {
  lhcb::RawEvent event;
  event.name = name;
  event.vp.version = 2;
  return event;
}

/// Banks as the detector sends them.
std::vector<lhcb::RawEvent> ordered_events() {
  Random random{std::mt19937(7)};
  std::vector<lhcb::RawEvent> events{named("nothing"), named("empty banks")};
  for (int s = 0; s < lhcb::velo_sensor_count; ++s) add_sensor(events.back(), s, {});
  events.push_back(named("sparse"));
  for (int s = 0; s < lhcb::velo_sensor_count; ++s)
    add_sensor(events.back(), s, noise(random, s % 7 * 1e-5));
  events.push_back(named("corners"));
  add_sensor(events.back(), 0, {{0, 0}, {0, rows - 1}, {columns - 1, 0}, {columns - 1, rows - 1}});
  add_sensor(events.back(), 207,
             {{0, 255}, {1, 255}, {2, 0}, {3, 0}, {2, 254}, {766, 3}, {767, 4}});
  events.push_back(named("noise"));
  int sensor = 3;
  for (const double density : {0.001, 0.01, 0.03, 0.1, 0.2, 0.3})
    add_sensor(events.back(), sensor += 5, noise(random, density, 200, 120, 120));
  for (const double density : {0.4, 0.5, 0.7, 0.95})
    add_sensor(events.back(), sensor += 5, noise(random, density, 480, 120, rows));
  events.push_back(named("walks"));
  for (int s = 40; s < 80; ++s) add_sensor(events.back(), s, walks(random, 15, 1 + 3 * (s - 40)));
  events.push_back(named("large clusters"));
  add_sensor(events.back(), 20, walks(random, 3, 20000));
  add_sensor(events.back(), 21, serpentine(true));
  events.push_back(named("serpentine of two components in a super-pixel"));
  add_sensor(events.back(), 22, serpentine(false));
  events.push_back(named("every pixel"));
  add_sensor(events.back(), 23, noise(random, 1.));
  return events;
}

/// The super-pixels of an event in banks that no detector sends.
lhcb::RawEvent disordered(const lhcb::RawEvent& event, Random& random) {
  std::vector<std::pair<int, std::vector<std::uint32_t>>> banks;
  for (std::size_t b = 0; b < event.vp.size(); ++b) {
    const auto payload = event.vp.payload(b);
    const int sensor = event.vp.sources[b];
    std::vector<std::uint32_t> words(payload.begin() + 1, payload.end());
    const auto n = words.size();
    for (std::size_t i = 0; i < n; ++i)
      if (random.chance(0.1)) words.push_back((words[i] & ~0xffu) | unsigned(random.below(256)));
    for (auto& word : words) word ^= std::uint32_t(random.chance(0.5)) << 31;
    std::shuffle(words.begin(), words.end(), random.engine);
    const auto half = words.begin() + int(words.size()) / 3;
    banks.push_back({sensor, {words.begin(), half}});  // a sensor may have two banks
    banks.push_back({sensor, {half, words.end()}});
  }
  std::shuffle(banks.begin(), banks.end(), random.engine);
  auto result = named("disordered " + event.name);
  for (const auto& [sensor, words] : banks) test::add_vp_bank(result.vp, sensor, words);
  return result;
}

/// Banks in disorder, with super-pixels more than once, without pixels and outside the sensor.
std::vector<lhcb::RawEvent> disordered_events(std::vector<int>& invalid) {
  Random random{std::mt19937(11)};
  std::vector<lhcb::RawEvent> events;
  for (const auto& event : ordered_events()) {
    if (event.name == "every pixel" || event.name == "large clusters") continue;  // takes long
    events.push_back(disordered(event, random));
    invalid.push_back(0);
  }
  for (const bool ordered : {true, false}) {
    events.push_back(named("outside"));
    invalid.push_back(0);
    for (int s = 0; s < 30; ++s) {
      auto words = test::super_pixels_of(noise(random, 0.02, 700, 68, 60));
      for (int i = 0; i < s; ++i) {
        words.push_back(std::uint32_t(384 + i) << 14 | unsigned(random.below(64)) << 8 |
                        unsigned(random.below(256)));
        ++invalid.back();
      }
      if (!ordered) std::shuffle(words.begin(), words.end(), random.engine);
      for (std::size_t i = 0; i < words.size(); i += 9) words[i] &= ~0xffu;  // dark super-pixels
      test::add_vp_bank(events.back().vp, s, words);
    }
  }
  return events;
}

struct Expected {
  std::vector<lhcb::RawEvent> events;
  std::vector<std::vector<test::ReferenceCluster>> clusters;
  std::vector<int> invalid;
};

Expected with_clusters(std::vector<lhcb::RawEvent> events, std::vector<int> invalid) {
  Expected expected{std::move(events), {}, std::move(invalid)};
  expected.invalid.resize(expected.events.size());
  for (const auto& event : expected.events)
    expected.clusters.push_back(test::reference_clusters(event.vp, geometry()));
  return expected;
}

const std::vector<Expected>& all_expected() {
  static const auto result = [] {
    std::vector<int> invalid;
    auto events = disordered_events(invalid);
    return std::vector{with_clusters(ordered_events(), {}), with_clusters(events, invalid)};
  }();
  return result;
}

template <class Real>
std::vector<Real> positions(const test::FoundClusters<Real>& found) {
  std::vector<Real> all;
  for (int e = 0; e < found.hits.n_events; ++e)
    for (auto i = found.hits.event_offsets(e);
         i < found.hits.event_offsets(e) + found.hits.event_sizes(e); ++i)
      all.insert(all.end(), {found.hits.x(i), found.hits.y(i), found.hits.z(i)});
  return all;
}

/// What one thread finds with one lane.
template <class Real>
const std::vector<Real>& plain_positions(std::size_t i) {
  static const auto all = [] {
    std::vector<std::vector<Real>> result;
    for (const auto& expected : all_expected())
      result.push_back(
          positions(test::find_clusters<Real, 1, HostExecutor>(expected.events, geometry(), 1)));
    return result;
  }();
  return all[i];
}

/// All clusters are right, with the bits of one thread and one lane.
template <class Real, int Width, class Space>
void check_clusters(int team_size = 0) {
  CAPTURE(sizeof(Real), Width, team_size);
  for (std::size_t i = 0; i < all_expected().size(); ++i) {
    const auto& expected = all_expected()[i];
    const auto found =
        test::find_clusters<Real, Width, Space>(expected.events, geometry(), team_size);
    for (int e = 0; e < int(expected.events.size()); ++e) {
      CAPTURE(expected.events[e].name);
      test::require_same_clusters(found, e, expected.clusters[e],
                                  std::is_same_v<Real, float> ? 2e-5 : 1e-12);
      REQUIRE(int(found.invalid(e)) == expected.invalid[e]);
    }
    REQUIRE(positions(found) == plain_positions<Real>(i));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("clusters of pixels that touch, of any size and shape", "[lhcb]",
                        test::EnabledSpaces) {
  check_clusters<float, 1, TestType>();
  check_clusters<double, 1, TestType>();
  if constexpr (is_host_space<TestType>) {
    check_clusters<float, 8, TestType>();
    check_clusters<double, 4, TestType>();
    const int threads = int(TestType().concurrency());
    check_clusters<float, 1, TestType>(threads);
    check_clusters<float, 8, TestType>(threads);
    check_clusters<double, 4, TestType>(threads);
  }
}
