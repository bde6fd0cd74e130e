// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/detector.hpp>
#include <trackplex/lhcb/ut_decoding.hpp>
#include <trackplex/lhcb/ut_track_list.hpp>
#include <trackplex/lhcb/ut_tracklets.hpp>
#include <trackplex/lhcb/ut_windows.hpp>
#include <trackplex/lhcb/velo_end_states.hpp>
#include <trackplex/lhcb/velo_tracking.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <span>
#include <vector>

namespace trackplex::lhcb {

struct VeloUtParameters {
  seeding::TripletParameters velo;
  VeloFilterParameters end_of_velo;
  CompassParameters ut;
};

/// VELO hits of one event, as they were decoded.
struct VeloHitList {
  std::vector<double> x, y, z;
  std::vector<std::uint8_t> modules;
  std::vector<std::uint32_t> ids;
  std::uint32_t invalid = 0;  ///< super-pixels that were left out

  std::size_t size() const { return ids.size(); }

  friend bool operator==(const VeloHitList&, const VeloHitList&) = default;
};

/// From raw banks to VELO tracks and their hits in the UT, with momentum, for batches of events:
/// clustering of the VELO's pixels, Search by triplet, decoding of the UT, Compass. The object
/// keeps all memory between batches; each step enqueues kernels on the instance and returns.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloUtTracking {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// @throws UsageError where a parameter or a table of the detector is not as it should be
  VeloUtTracking(const ExecutionSpace& exec, const Detector& detector,
                 const VeloUtParameters& parameters, int team_size = 0)
      : exec_(exec),
        parameters_(parameters),
        polarity_(detector.polarity),
        team_size_(team_size),
        pixels_(velo_pixel_tables<Real>(exec, detector.velo)),
        strips_(ut_decoding_table<Real>(exec, detector.ut_boards, detector.ut,
                                        ut_sector_groups(detector.ut))),
        ut_tables_(ut_search_tables<Real>(exec, detector.ut)),
        magnet_(ut_magnet<Real>(exec, detector.magnet)),
        velo_(exec, parameters.velo, team_size) {
    check(parameters.ut);
  }

  /// Takes in a batch of events. Waits until the device has them.
  /// @throws InputError where a bank is damaged
  void load(std::span<const RawEvent> events) {
    load_raw_banks(exec_, events, &RawEvent::vp, vp_banks_, vp_staging_);
    load_raw_banks(exec_, events, &RawEvent::ut, ut_banks_, ut_staging_);
    reserve_vp_clusters(exec_, events, velo_.hits(), clusters_, clusters_staging_);
    reserve_ut_hits(exec_, events, strips_.groups, ut_hits_, ut_hits_staging_);
  }

  void cluster() {
    cluster_vp<Width>(exec_, vp_banks_, pixels_, velo_.hits(), clusters_, team_size_);
  }

  /// VELO tracks, and their states at the beam or at the end of the VELO, as the parameters say.
  void find_velo_tracks() {
    velo_.with_kernel(
        [&](const auto& velo) { launch("Trackplex::Lhcb::velo_tracks", velo, states_kernel()); });
  }

  void decode_ut() { lhcb::decode_ut<Width>(exec_, ut_banks_, strips_, ut_hits_, team_size_); }

  void find_windows() { launch("Trackplex::Lhcb::ut_windows", windows_kernel()); }

  void find_ut_tracks() { launch("Trackplex::Lhcb::ut_tracks", tracks_kernel()); }

  /// All steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct() {
    velo_.with_kernel([&](const auto& velo) {
      const auto clusters =
          vp_clusters_kernel<Width>(exec_, vp_banks_, pixels_, velo_.hits(), clusters_);
      const auto states = states_kernel();
      const auto strips = ut_decoding_kernel<Width>(exec_, ut_banks_, strips_, ut_hits_);
      const auto windows = windows_kernel();
      launch("Trackplex::Lhcb::velo_ut_tracks", clusters, velo, states, strips, windows,
             tracks_kernel());
    });
  }

  // What was found in each event. These wait for the device.

  std::vector<VeloTrackList> velo_tracks() const { return velo_.tracks(); }
  /// Seeds of VELO tracks that found no slot (see TripletParameters::hits_per_slot).
  std::vector<std::uint32_t> velo_overflow() const { return velo_.overflow(); }
  std::vector<VeloHitList> velo_hits() const;
  std::vector<UtHitList> ut_hits() const;
  std::vector<std::vector<UtTrackWindows>> ut_windows() const;
  std::vector<std::vector<UtTrack>> ut_tracks() const;

 private:
  const auto& states() const {
    return parameters_.ut.end_of_velo_states ? end_states_ : velo_.device_lines();
  }
  auto states_kernel() {
    return only_if(
        parameters_.ut.end_of_velo_states,
        velo_end_states_kernel<Width>(exec_, velo_.device_hits(), velo_.device_tracks(),
                                      velo_.device_lines(), parameters_.end_of_velo, end_states_));
  }
  CompassInput<Real, MemorySpace> compass_input() const {
    return {velo_.device_hits(), velo_.device_tracks(), states(), ut_hits_, ut_tables_, magnet_,
            polarity_,           parameters_.ut};
  }
  auto windows_kernel() { return ut_windows_kernel<Width>(exec_, compass_input(), windows_); }
  auto tracks_kernel() {
    return ut_tracks_kernel<Width>(exec_, compass_input(), windows_, tracks_);
  }

  template <class... Kernels>
  void launch(const char* label, const Kernels&... kernels) {
    for_each_team(exec_, label, velo_.device_hits().n_events, fused(kernels...), team_size_);
  }

  std::size_t n_events() const { return std::size_t(ut_hits_.n_events); }
  std::size_t first_slot(std::uint32_t offset, std::size_t event) const {
    return seeding::first_slot(offset, int(event), velo_.device_tracks().hits_per_slot);
  }

  ExecutionSpace exec_;
  VeloUtParameters parameters_;
  double polarity_;
  int team_size_;
  VeloPixelTables<Real, MemorySpace> pixels_;
  UtDecodingTable<Real, MemorySpace> strips_;
  UtSearchTables<Real, MemorySpace> ut_tables_;
  UtMagnet<Real, MemorySpace> magnet_;

  RawBankBatch<MemorySpace> vp_banks_, ut_banks_;
  RawBankBatch<Kokkos::HostSpace> vp_staging_, ut_staging_;
  detail::VpClustersStaging clusters_staging_;
  detail::UtHitsStaging ut_hits_staging_;

  VpClusters<MemorySpace> clusters_;
  VeloTracking<Real, ExecutionSpace, Width> velo_;
  seeding::LineStates<Real, MemorySpace> end_states_;
  UtHits<Real, MemorySpace> ut_hits_;
  UtWindows<MemorySpace> windows_;
  UtTracks<Real, MemorySpace> tracks_;
};

template <class Real, class ExecutionSpace, int Width>
std::vector<VeloHitList> VeloUtTracking<Real, ExecutionSpace, Width>::velo_hits() const {
  const auto& device = velo_.device_hits();
  const std::size_t n = device.n_hits;
  const auto offsets = on_host(exec_, device.event_offsets, n_events() + 1);
  const auto sizes = on_host(exec_, device.event_sizes, n_events());
  const auto x = on_host(exec_, device.x, n), y = on_host(exec_, device.y, n),
             z = on_host(exec_, device.z, n);
  const auto modules = on_host(exec_, device.module, n);
  const auto ids = on_host(exec_, clusters_.ids, n);
  const auto invalid = on_host(exec_, clusters_.invalid, n_events());
  std::vector<VeloHitList> lists(n_events());
  for (std::size_t e = 0; e < lists.size(); ++e) {
    const auto copy = [&](const auto& from, auto& to) {
      const auto* const first = from.data() + offsets(e);
      to.assign(first, first + sizes(e));
    };
    copy(x, lists[e].x);
    copy(y, lists[e].y);
    copy(z, lists[e].z);
    copy(modules, lists[e].modules);
    copy(ids, lists[e].ids);
    lists[e].invalid = invalid(e);
  }
  return lists;
}

template <class Real, class ExecutionSpace, int Width>
std::vector<UtHitList> VeloUtTracking<Real, ExecutionSpace, Width>::ut_hits() const {
  const std::size_t n = ut_hits_.n_hits, groups = ut_hits_.groups + 1;
  const auto offsets = on_host(exec_, ut_hits_.event_offsets, n_events() + 1);
  const auto group_offsets = on_host(exec_, ut_hits_.group_offsets, n_events() * groups);
  const auto y_begin = on_host(exec_, ut_hits_.y_begin, n),
             y_end = on_host(exec_, ut_hits_.y_end, n);
  const auto x = on_host(exec_, ut_hits_.x, n), z = on_host(exec_, ut_hits_.z, n);
  const auto ids = on_host(exec_, ut_hits_.id, n);
  const auto unmapped = on_host(exec_, ut_hits_.unmapped, n_events());
  std::vector<UtHitList> lists(n_events());
  for (std::size_t e = 0; e < lists.size(); ++e) {
    for (int layer = 0; layer <= ut_layers; ++layer)
      lists[e].layer_offsets[layer] =
          std::uint32_t(group_offsets(e * groups + ut_tables_.layer_offset[layer]));
    const auto copy = [&](const auto& from, auto& to) {
      const auto* const first = from.data() + offsets(e);
      to.assign(first, first + lists[e].layer_offsets[ut_layers]);
    };
    copy(y_begin, lists[e].y_begin);
    copy(y_end, lists[e].y_end);
    copy(x, lists[e].x);
    copy(z, lists[e].z);
    copy(ids, lists[e].ids);
    lists[e].unmapped = unmapped(e);
  }
  return lists;
}

template <class Real, class ExecutionSpace, int Width>
std::vector<std::vector<UtTrackWindows>> VeloUtTracking<Real, ExecutionSpace, Width>::ut_windows()
    const {
  const std::size_t groups = ut_hits_.groups + 1;
  const std::size_t entries = windows_.slots * ut_layers * windows_.groups;
  const auto offsets = on_host(exec_, velo_.device_hits().event_offsets, n_events() + 1);
  const auto group_offsets = on_host(exec_, ut_hits_.group_offsets, n_events() * groups);
  const auto count = on_host(exec_, windows_.count, n_events());
  const auto track = on_host(exec_, windows_.track, windows_.slots);
  const auto first = on_host(exec_, windows_.first, entries),
             size = on_host(exec_, windows_.size, entries);
  std::vector<std::vector<UtTrackWindows>> events(n_events());
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t begin = first_slot(offsets(e), e);
    for (std::size_t slot = begin; slot < begin + count(e); ++slot) {
      auto& windows = events[e].emplace_back();
      windows.velo_track = track(slot);
      for (int layer = 0; layer < ut_layers; ++layer) {
        const auto layer_first =
            std::uint32_t(group_offsets(e * groups + ut_tables_.layer_offset[layer]));
        for (int g = 0; g < windows_.groups; ++g) {
          const std::size_t entry = windows_.entry(g, layer) + slot;
          windows.layers[layer].push_back({layer_first + first(entry), size(entry)});
        }
      }
    }
  }
  return events;
}

template <class Real, class ExecutionSpace, int Width>
std::vector<std::vector<UtTrack>> VeloUtTracking<Real, ExecutionSpace, Width>::ut_tracks() const {
  const std::size_t slots = tracks_.slots;
  const auto offsets = on_host(exec_, velo_.device_hits().event_offsets, n_events() + 1);
  const auto count = on_host(exec_, tracks_.count, n_events());
  const auto track = on_host(exec_, tracks_.track, slots),
             hits = on_host(exec_, tracks_.hits, ut_layers * slots);
  const auto qop = on_host(exec_, tracks_.qop, slots), chi2 = on_host(exec_, tracks_.chi2, slots);
  const auto x = on_host(exec_, tracks_.x, slots), slope = on_host(exec_, tracks_.slope, slots);
  std::vector<std::vector<UtTrack>> events(n_events());
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t begin = first_slot(offsets(e), e);
    for (std::size_t slot = begin; slot < begin + count(e); ++slot) {
      UtTrack found{.velo_track = track(slot),
                    .qop = double(qop(slot)),
                    .chi2 = double(chi2(slot)),
                    .x = double(x(slot)),
                    .slope = double(slope(slot))};
      for (int layer = 0; layer < ut_layers; ++layer)
        if (const auto hit = hits(layer * slots + slot); hit != tracks_.no_hit)
          found.hits[layer] = hit;
      events[e].push_back(found);
    }
  }
  return events;
}

}  // namespace trackplex::lhcb
