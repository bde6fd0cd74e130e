// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <trackplex/lhcb/velo/velo_end_states.hpp>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "velo_filter_reference.hpp"

using namespace trackplex;

namespace {

/// Tracks of an event: hits from the most downstream one on, slopes at the beam, and the truth.
struct Track {
  std::vector<test::FilterHit> hits;
  double tx, ty, chi2;
  bool backward;
  test::FilterState truth;
};
using Event = std::vector<Track>;

/// Straight tracks of 3 to 26 hits in different planes. `smear` is that of the hits and, much
/// more, of the slopes at the beam.
std::vector<Event> random_events(const std::vector<int>& tracks, double smear) {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::normal_distribution<double> gauss;
  std::vector<Event> events;
  for (const int n : tracks) {
    Event& event = events.emplace_back();
    for (int t = 0; t < n; ++t) {
      const double x0 = uniform(-2., 2.), y0 = uniform(-2., 2.), tx = uniform(-0.3, 0.3),
                   ty = uniform(-0.3, 0.3);
      const int n_hits = std::uniform_int_distribution<int>(3, lhcb::max_track_hits)(random);
      Track track{{},
                  tx + 0.1 * smear * gauss(random),
                  ty + 0.1 * smear * gauss(random),
                  uniform(0., 10.),
                  uniform(0., 1.) < 0.3,
                  {x0 + tx * 770., y0 + ty * 770., tx, ty}};
      double z = uniform(600., 750.);
      for (int h = 0; h < n_hits; ++h) {
        track.hits.push_back(
            {x0 + tx * z + smear * gauss(random), y0 + ty * z + smear * gauss(random), z});
        z -= uniform(10., 40.);
      }
      event.push_back(track);
    }
  }
  return events;
}

/// The events on the device, as VELO tracking leaves them.
template <class Real, class Space>
struct Input {
  using Memory = typename Space::memory_space;
  lhcb::VeloHits<Real, Memory> hits;
  lhcb::VeloTracks<Memory> tracks;
  lhcb::LineStates<Real, Memory> at_beam;
  std::vector<std::size_t> first_slots;

  explicit Input(const std::vector<Event>& events) {
    std::vector<std::uint32_t> offsets{0}, counts;
    std::vector<Real> x, y, z;
    for (const auto& event : events) {
      // Hits in the order of the tracks' last ones, so that indices are no simple sequence
      for (auto track = event.rbegin(); track != event.rend(); ++track)
        for (const auto& hit : track->hits) {
          x.push_back(Real(hit.x));
          y.push_back(Real(hit.y));
          z.push_back(Real(hit.z));
        }
      first_slots.push_back(
          lhcb::first_slot(offsets.back(), int(counts.size()), tracks.hits_per_slot));
      offsets.push_back(std::uint32_t(x.size()));
      counts.push_back(std::uint32_t(event.size()));
    }
    tracks.slots = lhcb::first_slot(offsets.back(), int(events.size()), tracks.hits_per_slot);
    std::vector<std::uint8_t> length(tracks.slots), backward(tracks.slots);
    std::vector<std::uint16_t> indices(tracks.slots * lhcb::max_track_hits);
    std::vector<Real> tx(tracks.slots), ty(tracks.slots), chi2(tracks.slots);
    for (std::size_t e = 0; e < events.size(); ++e) {
      std::size_t end = offsets[e + 1] - offsets[e];
      for (std::size_t t = 0; t < events[e].size(); ++t) {
        const auto& track = events[e][t];
        const std::size_t slot = first_slots[e] + t;
        end -= track.hits.size();
        for (std::size_t h = 0; h < track.hits.size(); ++h)
          indices[h * tracks.slots + slot] = std::uint16_t(end + h);
        length[slot] = std::uint8_t(track.hits.size());
        backward[slot] = track.backward;
        tx[slot] = Real(track.tx);
        ty[slot] = Real(track.ty);
        chi2[slot] = Real(track.chi2);
      }
    }
    hits.n_events = int(events.size());
    hits.n_hits = int(x.size());
    upload(hits.x, x);
    upload(hits.y, y);
    upload(hits.z, z);
    upload(hits.event_offsets, offsets);
    upload(tracks.count, counts);
    upload(tracks.length, length);
    upload(tracks.hits, indices);
    upload(at_beam.tx, tx);
    upload(at_beam.ty, ty);
    upload(at_beam.chi2, chi2);
    upload(at_beam.backward, backward);
  }

 private:
  template <class View, class T>
  static void upload(View& view, const std::vector<T>& values) {
    view = View("test", values.size());
    const auto host = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
    if (host.data() != view.data()) Kokkos::deep_copy(view, host);
  }
};

template <class Real>
struct EndState {
  Real x, y, z, tx, ty, chi2;
  bool backward;

  friend bool operator==(const EndState&, const EndState&) = default;
};

/// The end states of all tracks, one event after the other.
template <class Real, int Width, class Space>
std::vector<EndState<Real>> end_states(const std::vector<Event>& events, int team_size = 0,
                                       const lhcb::VeloFilterParams& parameters = {}) {
  const Space exec;
  const Input<Real, Space> input(events);
  lhcb::VeloStatesAtEnd<Real, typename Space::memory_space> found;
  run_algorithm(exec, lhcb::VeloEndStates<Real, Space, Width>{parameters, true, team_size},
                input.hits, input.tracks, input.at_beam, found);
  exec.fence();
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto x = host(found.x), y = host(found.y), z = host(found.z), tx = host(found.tx),
             ty = host(found.ty), chi2 = host(found.chi2);
  const auto backward = host(found.backward);
  std::vector<EndState<Real>> states;
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t t = 0; t < events[e].size(); ++t) {
      const auto s = input.first_slots[e] + t;
      states.push_back({x(s), y(s), z(s), tx(s), ty(s), chi2(s), backward(s) != 0});
    }
  return states;
}

std::vector<Event> events_of_all_sizes() { return random_events({37, 0, 1, 20, 8, 64}, 0.0125); }

template <class Real>
void check_against_reference(double x_tolerance, double slope_tolerance,
                             const lhcb::VeloFilterParams& parameters) {
  using Space = Kokkos::DefaultExecutionSpace;
  const auto events = events_of_all_sizes();
  const auto found =
      end_states<Real, default_lane_width<Space, Real>, Space>(events, 0, parameters);
  std::size_t i = 0;
  for (const auto& event : events)
    for (const auto& track : event) {
      const auto expected = test::filtered_end_state(track.hits, track.tx, track.ty, parameters);
      const auto& s = found[i++];
      REQUIRE(std::abs(double(s.x) - expected.x) < x_tolerance);
      REQUIRE(std::abs(double(s.y) - expected.y) < x_tolerance);
      REQUIRE(s.z == Real(770));
      REQUIRE(std::abs(double(s.tx) - expected.tx) < slope_tolerance);
      REQUIRE(std::abs(double(s.ty) - expected.ty) < slope_tolerance);
      REQUIRE(s.chi2 == Real(track.chi2));
      REQUIRE(s.backward == track.backward);
    }
  REQUIRE(i == found.size());
}

}  // namespace

TEST_CASE("End states are those of a plain Kalman filter", "[lhcb]") {
  check_against_reference<double>(1e-10, 1e-13, {});
  check_against_reference<float>(3e-4, 2e-6, {});
  lhcb::VeloFilterParams other;  // far from the default, so that each of them counts
  other.inverse_variance = 100.;
  other.noise = 1e-5;
  other.noise_per_slope2 = 1e-3;
  other.initial_slope_variance = 1e-4;
  check_against_reference<double>(1e-10, 1e-13, other);
}

TEST_CASE("End states of hits without noise are the truth", "[lhcb]") {
  using Space = Kokkos::DefaultExecutionSpace;
  const auto events = random_events({100}, 0.);
  const auto found = end_states<double, default_lane_width<Space, double>, Space>(events);
  for (std::size_t t = 0; t < events[0].size(); ++t) {
    const auto& truth = events[0][t].truth;
    REQUIRE(std::abs(found[t].x - truth.x) < 1e-10);
    REQUIRE(std::abs(found[t].y - truth.y) < 1e-10);
    REQUIRE(std::abs(found[t].tx - truth.tx) < 1e-12);
    REQUIRE(std::abs(found[t].ty - truth.ty) < 1e-12);
  }
}

TEMPLATE_LIST_TEST_CASE("End states are the same at all widths and team sizes", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = events_of_all_sizes();
  const auto check = [&](auto real) {
    using Real = decltype(real);
    constexpr int lanes = default_lane_width<TestType, Real>;
    const auto expected = end_states<Real, test::reference_lanes<lanes>, TestType>(events);
    CHECK(end_states<Real, lanes, TestType>(
              events, is_host_space<TestType> ? int(TestType().concurrency()) : 64) == expected);
    CHECK(end_states<Real, lanes, TestType>(events) == expected);
  };
  check(float());
  check(double());
}

TEST_CASE("No events have no end states", "[lhcb]") {
  CHECK(end_states<float, default_lane_width<HostExecutor, float>, HostExecutor>({}).empty());
}
