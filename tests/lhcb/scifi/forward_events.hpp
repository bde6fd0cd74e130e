// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>
#include <trackplex/simulation/detail/scifi_curve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Small events for the search for long tracks: tracks that the polynomials of the search bend, and
/// noise. Only +, -, *, / and sqrt, so that they are the same on all machines.

namespace trackplex::test {

/// Track with VELO and UT parts, and its hits in the SciFi.
struct ForwardTrack {
  double x, y, tx, ty;                       ///< VELO line at z = 0
  double qop;                                ///< if the magnet points down, 1/MeV
  bool in_ut;                                ///< whether the UT has found it
  std::array<int, lhcb::scifi_layers> hits;  ///< as numbers of ForwardHit::truth, or -1
  double x_end, tx_end;                      ///< of the curve at scifi_end_z

  double ut_slope() const { return tx + lhcb::forward_ut_kick * qop; }
  double ut_x(double z) const {
    return x + tx * z + (z - lhcb::ut_z_kink) * lhcb::forward_ut_kick * qop;
  }
};

struct ForwardHit {
  double x, z;
  int zone, truth;
};

struct ForwardEvent {
  std::vector<ForwardTrack> tracks;
  std::vector<ForwardHit> hits;  ///< by zone, then by x
};

/// Random numbers that are the same everywhere.
class ForwardRandom {
 public:
  explicit ForwardRandom(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (double(engine_() >> 5) / double(1u << 27));
  }

 private:
  std::mt19937 engine_;
};

using HostMagnet = lhcb::ForwardMagnet<double, Kokkos::HostSpace>;

inline HostMagnet host_magnet() {
  return lhcb::forward_magnet<double>(HostExecutor(), lhcb::forward_tables());
}

/// The curve of a track.
inline simulation::detail::ScifiCurve forward_truth(const ForwardTrack& track,
                                                    const HostMagnet& magnet) {
  return simulation::detail::scifi_curve({track.x, track.y, track.tx, track.ty}, track.qop, magnet);
}

/// Event with n tracks of 2.5 GeV and more, a quarter of them not in the UT, and noise in each
/// zone. Hits are up to 0.1 mm off; a part of them is missing.
inline ForwardEvent forward_event(const HostMagnet& magnet, int n, int noise, unsigned seed) {
  ForwardRandom random(seed);
  ForwardEvent event;
  int truth = 0;
  for (int t = 0; t < n; ++t) {
    ForwardTrack track{};
    track.in_ut = t % 4 != 1;
    track.x = random.between(-1., 1.);
    track.y = random.between(-1., 1.);
    track.tx = random.between(-0.2, 0.2);
    track.ty = random.between(0.01, 0.15);
    if (random.between(0., 1.) < 0.5) track.ty = -track.ty;
    track.qop = random.between(2e-5, 4e-4);
    if (random.between(0., 1.) < 0.5) track.qop = -track.qop;
    const auto curve = forward_truth(track, magnet);
    track.x_end = curve.at(lhcb::scifi_end_z);
    track.tx_end = curve.slope_at(lhcb::scifi_end_z);
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const double z = lhcb::scifi_z[layer], x = curve.at(z);
      const double y = track.y + track.ty * z +
                       magnet.y_shift(layer, track.ut_slope(), track.ty, x - track.ut_x(z));
      const bool missing = random.between(0., 1.) < 0.03;
      track.hits[layer] = missing ? -1 : truth;
      const double off = random.between(-0.1, 0.1);
      if (!missing)
        event.hits.push_back({x - y * lhcb::scifi_dxdy[layer] + off, z,
                              2 * layer + (track.ty > 0. ? 1 : 0), truth++});
    }
    event.tracks.push_back(track);
  }
  for (int zone = 0; zone < lhcb::scifi_zones; ++zone)
    for (int i = 0; i < noise; ++i)
      event.hits.push_back({random.between(-3000., 3000.), lhcb::scifi_z[zone / 2], zone, -1});
  std::stable_sort(event.hits.begin(), event.hits.end(), [](const auto& a, const auto& b) {
    return a.zone != b.zone ? a.zone < b.zone : a.x < b.x;
  });
  return event;
}

/// What the search reads, of many events.
template <class T, class Memory>
struct ForwardArrays {
  lhcb::VeloHits<T, Memory> velo_hits;
  lhcb::VeloTracks<Memory> velo_tracks;
  lhcb::LineStates<T, Memory> at_beam;
  lhcb::VeloStatesAtEnd<T, Memory> at_end;
  lhcb::UtTracks<T, Memory> ut_tracks;
  lhcb::ScifiHits<T, Memory> scifi_hits;
};

/// On the host. Tracks that are not in the UT are those of the VELO only.
template <class T>
ForwardArrays<T, Kokkos::HostSpace> forward_arrays(const std::vector<ForwardEvent>& events) {
  ForwardArrays<T, Kokkos::HostSpace> a;
  const GrowingMemory<HostExecutor> memory{HostExecutor()};
  const int n_events = int(events.size());
  std::vector<std::uint32_t> velo_offsets{0}, scifi_offsets{0};
  for (const auto& event : events) {
    velo_offsets.push_back(velo_offsets.back() + std::uint32_t(3 * event.tracks.size()));
    scifi_offsets.push_back(scifi_offsets.back() + std::uint32_t(event.hits.size()));
    a.velo_hits.max_event_hits = std::max(a.velo_hits.max_event_hits, int(3 * event.tracks.size()));
    a.scifi_hits.max_event_hits = std::max(a.scifi_hits.max_event_hits, int(event.hits.size()));
  }
  a.velo_hits.n_events = a.velo_tracks.n_events = a.ut_tracks.n_events = a.scifi_hits.n_events =
      n_events;
  a.velo_hits.n_hits = int(velo_offsets.back());
  a.scifi_hits.n_hits = int(scifi_offsets.back());
  const auto slots = lhcb::first_slot(velo_offsets.back(), n_events, a.velo_tracks.hits_per_slot);
  a.velo_tracks.slots = a.at_beam.slots = a.at_end.slots = a.ut_tracks.slots = slots;
  allocate_arrays(memory, a.velo_hits);
  allocate_arrays(memory, a.velo_tracks);
  allocate_arrays(memory, a.at_beam);
  allocate_arrays(memory, a.at_end);
  allocate_arrays(memory, a.ut_tracks);
  allocate_arrays(memory, a.scifi_hits);
  for (int e = 0; e <= n_events; ++e) {
    a.velo_hits.event_offsets(e) = velo_offsets[e];
    a.scifi_hits.event_offsets(e) = scifi_offsets[e];
  }
  for (int e = 0; e < n_events; ++e) {
    const auto slot = lhcb::first_slot(velo_offsets[e], e, a.velo_tracks.hits_per_slot);
    const auto& tracks = events[e].tracks;
    std::uint32_t n_ut = 0;
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      const auto set_state = [&](const auto& states, double z) {
        const auto& track = tracks[t];
        states.x(slot + t) = T(track.x + z * track.tx);
        states.y(slot + t) = T(track.y + z * track.ty);
        states.z(slot + t) = T(z);
        states.tx(slot + t) = T(track.tx);
        states.ty(slot + t) = T(track.ty);
        states.backward(slot + t) = 0;
      };
      set_state(a.at_beam, 10.);
      set_state(a.at_end, lhcb::velo_end_z);
      if (!tracks[t].in_ut) continue;
      a.ut_tracks.track(slot + n_ut) = std::uint16_t(t);
      a.ut_tracks.qop(slot + n_ut) = T(tracks[t].qop);
      a.ut_tracks.x(slot + n_ut) = T(tracks[t].ut_x(lhcb::ut_z_middle));
      a.ut_tracks.slope(slot + n_ut) = T(tracks[t].ut_slope());
      ++n_ut;
    }
    a.velo_tracks.count(e) = std::uint32_t(tracks.size());
    a.ut_tracks.count(e) = n_ut;
    const auto first = scifi_offsets[e];
    const auto* const hits = events[e].hits.data();
    for (std::size_t i = 0; i < events[e].hits.size(); ++i) {
      a.scifi_hits.x(first + i) = T(hits[i].x);
      a.scifi_hits.z(first + i) = T(hits[i].z);
      a.scifi_hits.id(first + i) = std::uint32_t(hits[i].truth);
    }
    for (int zone = 0; zone <= lhcb::scifi_zones; ++zone)
      a.scifi_hits.zone_offsets(e * (lhcb::scifi_zones + 1) + zone) =
          std::partition_point(hits, hits + events[e].hits.size(),
                               [&](const auto& hit) { return hit.zone < zone; }) -
          hits;
  }
  return a;
}

/// A long track on the host.
struct LongTrackOnHost {
  int velo_track = 0, ut_track = -1, length = 0;
  std::array<int, lhcb::scifi_layers> hits{};  ///< index in the event, or -1
  double qop = 0., quality = 0., x = 0., y = 0., tx = 0., ty = 0.;

  friend bool operator==(const LongTrackOnHost&, const LongTrackOnHost&) = default;
};
using LongTracksOnHost = std::vector<std::vector<LongTrackOnHost>>;

template <class Space, class T>
LongTracksOnHost long_tracks_to_host(
    const Space& exec, const lhcb::VeloHits<T, Kokkos::HostSpace>& velo_hits, int hits_per_slot,
    const lhcb::LongTracks<T, typename Space::memory_space>& found) {
  const auto tracks = enqueue_copy<lhcb::LongTracks<T, Kokkos::HostSpace>>(exec, found);
  exec.fence();
  LongTracksOnHost events(std::size_t(tracks.n_events));
  for (int e = 0; e < tracks.n_events; ++e) {
    const auto first = lhcb::first_slot(velo_hits.event_offsets(e), e, hits_per_slot);
    for (auto s = first; s < first + tracks.count(e); ++s) {
      LongTrackOnHost track;
      track.velo_track = tracks.velo_track(s);
      if (tracks.ut_track(s) != tracks.no_ut_track) track.ut_track = tracks.ut_track(s);
      track.length = tracks.length(s);
      track.qop = tracks.qop(s);
      track.quality = tracks.quality(s);
      track.x = tracks.x(s);
      track.y = tracks.y(s);
      track.tx = tracks.tx(s);
      track.ty = tracks.ty(s);
      for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
        const int hit = tracks.hits(layer * tracks.slots + s);
        track.hits[layer] = hit == tracks.no_hit ? -1 : hit;
      }
      events[e].push_back(track);
    }
  }
  return events;
}

/// Long tracks of small events on a space.
template <class T, int Width, class Space>
LongTracksOnHost find_long_tracks_on(const std::vector<ForwardEvent>& events,
                                     const lhcb::ForwardParams& params, double polarity = -1.,
                                     int team_size = 0) {
  using Memory = typename Space::memory_space;
  const Space exec;
  const auto host = forward_arrays<T>(events);
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<T, Memory>>(exec, host.velo_hits);
  const auto velo_tracks = enqueue_copy<lhcb::VeloTracks<Memory>>(exec, host.velo_tracks);
  const auto at_beam = enqueue_copy<lhcb::LineStates<T, Memory>>(exec, host.at_beam);
  const auto at_end = enqueue_copy<lhcb::VeloStatesAtEnd<T, Memory>>(exec, host.at_end);
  const auto ut_tracks = enqueue_copy<lhcb::UtTracks<T, Memory>>(exec, host.ut_tracks);
  const auto scifi_hits = enqueue_copy<lhcb::ScifiHits<T, Memory>>(exec, host.scifi_hits);
  lhcb::ForwardTracks<T, Memory> found;
  run_algorithm(exec,
                lhcb::FindLongTracks<T, Space, Width>{
                    lhcb::forward_setup<T>(exec, params, polarity), true, team_size},
                velo_hits, velo_tracks, at_beam, at_end, ut_tracks, scifi_hits, found);
  return long_tracks_to_host(exec, host.velo_hits, host.velo_tracks.hits_per_slot, found);
}

}  // namespace trackplex::test
