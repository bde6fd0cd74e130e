// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks.hpp>

#include "lhcb/scifi/forward_events.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Long tracks that the transport of the fit itself moves, with its noise, and their hits. Only
/// +, -, *, / and sqrt, so that they are the same on all machines.

namespace trackplex::test {

/// Parameters of a simple detector, not those of LHCb: all terms differ from 0.
inline lhcb::KalmanTables kalman_tables() {
  lhcb::KalmanTables t;
  t.velo = {{{8e-6, 230., 1.2e-7, 1.5, 0.69, 0.78}, {7e-6, 250., 1.1e-7, 1.4, 0.63, -0.72}}};
  t.to_ut.ty_bend = 3.5;
  t.to_ut.y_fraction = 0.9;
  t.to_ut.kick = -27.;
  t.to_ut.kick_z = 0.006;
  t.to_ut.kick_ty2 = 190.;
  t.to_ut.magnet_z = 1570.;
  t.to_ut.magnet_z_z = -0.004;
  t.to_ut.magnet_z_z2 = 2.6e-4;
  t.to_ut.magnet_z_ty2 = -3200.;
  t.to_ut.noise = {4.2, 4.1, 5.4, 5.3, 0.9, 0.9};
  for (int i = 0; i < t.ut_steps; ++i)
    t.ut[std::size_t(i)] = {
        0.55, 0.6, 0.04 + 0.01 * i, 2000., -9e-8, 2. * (i + 1), {0.9, 0.9, 1.2, 1.15, 0.77, 0.8}};
  t.to_scifi = {5e-4,
                15.,
                -3000.,
                -5e4,
                5e9,
                -25.,
                -1.2,
                -55.,
                2.9e6,
                -0.01,
                {9900., 8900., 2.9, 2.5, 0.85, 0.83}};
  t.to_plane = {0.09, -7800., 0.5, -18.};
  for (int i = 0; i < t.scifi_steps; ++i)
    t.scifi[std::size_t(i)] = {0.5,
                               0.49,
                               0.09 - 0.002 * i,
                               80000.,
                               -1.5e-8,
                               -4.3 + 0.1 * i,
                               {0.9, 0.9, 1.3, 1.2, 0.87, 0.86}};
  t.ut_z = {2327.5, 2372.5, 2597.5, 2642.5};
  t.scifi_z = lhcb::scifi_z;
  t.scifi_dzdy.fill(lhcb::scifi_dzdy);
  t.grid = {2642.5, 7826., 1500., 29.5, 35., -310., 140., 0.3, 0.25, 0.005, 6, 5};
  // begin and size of each polynomial of a cell, its first coefficient and ratio of the next ones
  struct Polynomial {
    int size;
    double first, ratio;
  };
  const Polynomial polynomials[12] = {{9, 2600., -0.1}, {9, 0.85, -0.08}, {7, 5., 0.3},
                                      {7, 3., -0.3},    {7, 4e-3, 0.2},   {7, -2e-3, 0.3},
                                      {7, 30., 0.4},    {7, 8e-3, 0.3},   {5, 6., -0.2},
                                      {5, -3., 0.2},    {5, 2e-3, 0.3},   {5, 1e-3, -0.2}};
  for (int x = 0; x < t.grid.nx; ++x)
    for (int y = 0; y < t.grid.ny; ++y)
      for (const auto& p : polynomials) {
        const double of_cell = 1. + 0.01 * (x - 2) * (x - 3) + 0.02 * (y - 2) * (y - 2);
        double value = p.first * of_cell;
        for (int n = 0; n < p.size; ++n, value *= p.ratio) t.cells.push_back(value);
      }
  return t;
}

/// Uncertainties that the generated tracks have.
inline lhcb::LongFitParams params_of_fit_events() {
  lhcb::LongFitParams params;
  params.noise = 1.;
  params.beam_noise = 0.;
  return params;
}

struct LongFitHit {
  double x, y, z;  ///< x: at y = 0 for strips and fibres
  int size;        ///< pseudo size of a hit of the SciFi
};

/// A track, its state at its first hit in the VELO, and its hits; those of layers are absent where
/// `has` is not set.
struct LongFitTrack {
  lhcb::KalmanState<double> truth;
  double found_qop;                     ///< of the search
  lhcb::KalmanState<double> found_end;  ///< of the search, after the SciFi; of tracks in a field
  std::vector<LongFitHit> velo;         ///< upstream first
  bool in_ut;
  std::array<LongFitHit, lhcb::ut_layers> ut;
  std::array<bool, lhcb::ut_layers> has_ut;
  std::array<LongFitHit, lhcb::scifi_layers> scifi;
  std::array<bool, lhcb::scifi_layers> has_scifi;

  /// Number of measured coordinates.
  int measurements() const {
    int n = 2 * int(velo.size());
    for (const bool has : has_ut) n += in_ut && has;
    for (const bool has : has_scifi) n += has;
    return n;
  }
};
using LongFitEvent = std::vector<LongFitTrack>;
using HostKalmanTransport = lhcb::KalmanTransport<double, Kokkos::HostSpace>;

/// Makes tracks of 2.5 to 50 GeV.
class LongFitGenerator {
 public:
  LongFitGenerator(unsigned seed, double polarity = -1.)
      : transport_(lhcb::kalman_transport<double>(HostExecutor(), kalman_tables(), polarity)),
        params_(params_of_fit_events()),
        random_(seed) {}

  LongFitEvent event(int n) {
    LongFitEvent event;
    for (int i = 0; i < n; ++i) event.push_back(track(i % 4 != 1));
    return event;
  }

 private:
  /// Nearly normal.
  double normal() {
    double sum = -6.;
    for (int i = 0; i < 12; ++i) sum += random_.between(0., 1.);
    return sum;
  }
  /// Adds noise with the covariance of a step to a pair.
  void add_noise(double& x, double& t, double xx, double xt, double tt) {
    if (!(xx > 0.)) {
      t += std::sqrt(tt) * normal();
      return;
    }
    const double u = normal();
    x += std::sqrt(xx) * u;
    t += xt / std::sqrt(xx) * u + std::sqrt(tt - xt * xt / xx) * normal();
  }
  lhcb::KalmanState<double> after(const lhcb::KalmanStep<double>& step) {
    auto s = step.state;
    add_noise(s.x, s.tx, step.noise_xx, step.noise_xtx, step.noise_txtx);
    add_noise(s.y, s.ty, step.noise_yy, step.noise_yty, step.noise_tyty);
    return s;
  }
  LongFitHit strip(const lhcb::KalmanState<double>& s, double dxdy, double sigma, int size) {
    const double across = std::sqrt(1. + dxdy * dxdy);
    return {s.x - s.y * dxdy + sigma * across * normal(), 0., s.z, size};
  }

  LongFitTrack track(bool in_ut) {
    LongFitTrack t{};
    t.in_ut = in_ut;
    auto& s = t.truth;
    s.tx = random_.between(-0.12, 0.12);
    s.ty = random_.between(0.02, 0.12);
    if (random_.between(0., 1.) < 0.5) s.ty = -s.ty;
    s.qop = random_.between(2e-5, 4e-4);
    if (random_.between(0., 1.) < 0.5) s.qop = -s.qop;
    s.z = random_.between(0., 100.);
    s.x = s.tx * s.z + random_.between(-0.1, 0.1);
    s.y = s.ty * s.z + random_.between(-0.1, 0.1);
    t.found_qop = s.qop * (1. + 0.01 * normal());
    auto state = s;
    const int n = 3 + int(random_.between(0., 9.));
    for (int h = 0; h < n; ++h) {
      if (h > 0) state = after(transport_.in_velo(state, state.z + random_.between(25., 75.)));
      t.velo.push_back({state.x + params_.velo_sigma * normal(),
                        state.y + params_.velo_sigma * normal(), state.z, 0});
    }
    state = downstream(t, state);
    return t;
  }

  lhcb::KalmanState<double> downstream(LongFitTrack& t, lhcb::KalmanState<double> s) {
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      const double z = transport_.ut_z[layer];
      s = after(layer == 0 ? transport_.to_ut(s, z) : transport_.in_ut(s, layer, z));
      const auto i = std::size_t(layer);
      t.has_ut[i] = random_.between(0., 1.) < 0.9;
      t.ut[i] = strip(s, lhcb::ut_dxdy[i], ut_sigma, 0);
    }
    s = after(transport_.to_scifi(s, s.qop));
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const auto i = std::size_t(layer);
      const double z =
          transport_.plane_z(s, transport_.scifi_z[layer], transport_.scifi_dzdy[layer]);
      s = after(layer == 0 ? transport_.to_plane(s, z) : transport_.in_scifi(s, layer, z));
      t.has_scifi[i] = random_.between(0., 1.) < 0.95;
      const int size = 4 + int(random_.between(0., 5.));
      t.scifi[i] = strip(s, lhcb::scifi_dxdy[i], params_.scifi_sigma[std::size_t(size)], size);
      t.scifi[i].z = transport_.scifi_z[layer];
    }
    return s;
  }

 public:
  static constexpr double ut_sigma = 0.05;  ///< mm

 private:
  HostKalmanTransport transport_;
  lhcb::LongFitParams params_;
  ForwardRandom random_;
};

/// What the fit reads, of many events.
template <class T, class Memory>
struct LongFitArrays {
  lhcb::VeloHits<T, Memory> velo_hits;
  lhcb::VeloTracks<Memory> velo_tracks;
  lhcb::UtHits<T, Memory> ut_hits;
  lhcb::UtTracks<T, Memory> ut_tracks;
  lhcb::ScifiHits<T, Memory> scifi_hits;
  lhcb::LongTracks<T, Memory> tracks;
};

/// On the host. VELO track i of an event is its track n - 1 - i.
template <class T>
class LongFitArraysOnHost {
 public:
  explicit LongFitArraysOnHost(const std::vector<LongFitEvent>& events) {
    allocate(events);
    for (int e = 0; e < int(events.size()); ++e) fill(events[std::size_t(e)], e);
  }
  const LongFitArrays<T, Kokkos::HostSpace>& arrays() const { return a_; }

 private:
  void allocate(const std::vector<LongFitEvent>& events) {
    std::vector<std::uint32_t> velo{0}, ut{0}, scifi{0};
    for (const auto& event : events) {
      std::uint32_t n = 0;
      for (const auto& track : event) n += std::uint32_t(track.velo.size());
      velo.push_back(velo.back() + n);
      ut.push_back(ut.back() + std::uint32_t(lhcb::ut_layers * event.size()));
      scifi.push_back(scifi.back() + std::uint32_t(lhcb::scifi_layers * event.size()));
      a_.velo_hits.max_event_hits = std::max(a_.velo_hits.max_event_hits, int(n));
    }
    const int n_events = int(events.size());
    a_.velo_hits.n_events = a_.velo_tracks.n_events = a_.ut_hits.n_events = a_.ut_tracks.n_events =
        a_.scifi_hits.n_events = a_.tracks.n_events = n_events;
    a_.velo_hits.n_hits = int(velo.back());
    a_.ut_hits.n_hits = int(ut.back());
    a_.scifi_hits.n_hits = int(scifi.back());
    a_.velo_tracks.slots = a_.ut_tracks.slots = a_.tracks.slots =
        lhcb::first_slot(velo.back(), n_events, a_.velo_tracks.hits_per_slot);
    const GrowingMemory<HostExecutor> memory{HostExecutor()};
    allocate_arrays(memory, a_.velo_hits);
    allocate_arrays(memory, a_.velo_tracks);
    allocate_arrays(memory, a_.ut_hits);
    allocate_arrays(memory, a_.ut_tracks);
    allocate_arrays(memory, a_.scifi_hits);
    allocate_arrays(memory, a_.tracks);
    for (int e = 0; e <= n_events; ++e) {
      a_.velo_hits.event_offsets(e) = velo[std::size_t(e)];
      a_.ut_hits.event_offsets(e) = ut[std::size_t(e)];
      a_.scifi_hits.event_offsets(e) = scifi[std::size_t(e)];
    }
  }

  void fill(const LongFitEvent& event, int e) {
    const std::size_t slot =
        lhcb::first_slot(a_.velo_hits.event_offsets(e), e, a_.velo_tracks.hits_per_slot);
    const std::size_t n = event.size();
    std::uint16_t n_velo = 0, n_ut_tracks = 0;
    a_.velo_tracks.count(e) = a_.tracks.count(e) = std::uint32_t(n);
    for (std::size_t t = 0; t < n; ++t) {
      const auto& track = event[t];
      const std::size_t velo = slot + n - 1 - t;
      a_.velo_tracks.length(velo) = std::uint8_t(track.velo.size());
      for (std::size_t h = 0; h < track.velo.size(); ++h, ++n_velo) {
        const auto& hit = track.velo[track.velo.size() - 1 - h];
        const auto at = a_.velo_hits.event_offsets(e) + n_velo;
        a_.velo_hits.x(at) = T(hit.x);
        a_.velo_hits.y(at) = T(hit.y);
        a_.velo_hits.z(at) = T(hit.z);
        a_.velo_tracks.hits(h * a_.velo_tracks.slots + velo) = n_velo;
      }
      a_.tracks.velo_track(slot + t) = std::uint16_t(n - 1 - t);
      a_.tracks.qop(slot + t) = T(track.found_qop);
      a_.tracks.x(slot + t) = T(track.found_end.x);
      a_.tracks.y(slot + t) = T(track.found_end.y);
      a_.tracks.tx(slot + t) = T(track.found_end.tx);
      a_.tracks.ty(slot + t) = T(track.found_end.ty);
      a_.tracks.ut_track(slot + t) = a_.tracks.no_ut_track;
      if (track.in_ut) {
        a_.tracks.ut_track(slot + t) = n_ut_tracks;
        fill_ut(track, e, t, slot + n_ut_tracks++);
      }
      fill_scifi(track, e, t, slot + t);
    }
    a_.ut_tracks.count(e) = n_ut_tracks;
  }

  void fill_ut(const LongFitTrack& track, int e, std::size_t t, std::size_t slot) {
    for (std::size_t layer = 0; layer < lhcb::ut_layers; ++layer) {
      const auto hit = std::uint16_t(lhcb::ut_layers * t + layer);
      const auto at = a_.ut_hits.event_offsets(e) + hit;
      a_.ut_hits.x(at) = T(track.ut[layer].x);
      a_.ut_hits.z(at) = T(track.ut[layer].z);
      a_.ut_hits.weight(at) = T(1. / (LongFitGenerator::ut_sigma * LongFitGenerator::ut_sigma));
      a_.ut_tracks.hits(layer * a_.ut_tracks.slots + slot) =
          track.has_ut[layer] ? hit : a_.ut_tracks.no_hit;
    }
  }
  void fill_scifi(const LongFitTrack& track, int e, std::size_t t, std::size_t slot) {
    for (std::size_t layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const auto hit = std::uint16_t(lhcb::scifi_layers * t + layer);
      const auto at = a_.scifi_hits.event_offsets(e) + hit;
      a_.scifi_hits.x(at) = T(track.scifi[layer].x);
      a_.scifi_hits.z(at) = T(track.scifi[layer].z);
      a_.scifi_hits.cluster_size(at) = std::uint8_t(track.scifi[layer].size);
      a_.tracks.hits(layer * a_.tracks.slots + slot) =
          track.has_scifi[layer] ? hit : a_.tracks.no_hit;
    }
  }

  LongFitArrays<T, Kokkos::HostSpace> a_;
};

/// A fit on the host.
struct LongFitOnHost {
  lhcb::KalmanState<double> state;
  lhcb::KalmanCovariance<double> covariance;
  double chi2;
  int ndf;
  bool good;
};
using LongFitsOnHost = std::vector<std::vector<LongFitOnHost>>;

/// Fits of generated events on a space by an algorithm.
template <class T, class Space, class Fit>
LongFitsOnHost long_fits_by(const Space& exec, const Fit& fit,
                            const std::vector<LongFitEvent>& events) {
  using Memory = typename Space::memory_space;
  const LongFitArraysOnHost<T> host(events);
  const auto& a = host.arrays();
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<T, Memory>>(exec, a.velo_hits);
  const auto velo_tracks = enqueue_copy<lhcb::VeloTracks<Memory>>(exec, a.velo_tracks);
  const auto ut_hits = enqueue_copy<lhcb::UtHits<T, Memory>>(exec, a.ut_hits);
  const auto ut_tracks = enqueue_copy<lhcb::UtTracks<T, Memory>>(exec, a.ut_tracks);
  const auto scifi_hits = enqueue_copy<lhcb::ScifiHits<T, Memory>>(exec, a.scifi_hits);
  const auto tracks = enqueue_copy<lhcb::LongTracks<T, Memory>>(exec, a.tracks);
  lhcb::LongFits<T, Memory> fits;
  run_algorithm(exec, fit, velo_hits, velo_tracks, ut_hits, ut_tracks, scifi_hits, tracks, fits);
  const auto found = enqueue_copy<lhcb::LongFits<T, Kokkos::HostSpace>>(exec, fits);
  exec.fence();
  LongFitsOnHost result(events.size());
  for (int e = 0; e < int(events.size()); ++e) {
    const auto slot =
        lhcb::first_slot(a.velo_hits.event_offsets(e), e, a.velo_tracks.hits_per_slot);
    for (auto s = slot; s < slot + events[std::size_t(e)].size(); ++s) {
      LongFitOnHost one{
          {found.x(s), found.y(s), found.z(s), found.tx(s), found.ty(s), found.qop(s)},
          {},
          found.chi2(s),
          int(found.ndf(s)),
          found.good(s) == 1};
      for (int k = 0; k < found.entries; ++k)
        one.covariance.c[k] = found.covariance(std::size_t(k) * found.slots + s);
      result[std::size_t(e)].push_back(one);
    }
  }
  return result;
}

/// Fits of generated events on a space, by the parametrised transport.
template <class T, int Width, class Space>
LongFitsOnHost long_fits_on(const std::vector<LongFitEvent>& events, double polarity = -1.,
                            int team_size = 0) {
  const Space exec;
  const lhcb::FitLongTracks<T, Space, Width> fit{
      lhcb::long_fit_setup<T>(exec, kalman_tables(), polarity, params_of_fit_events()), true,
      team_size};
  return long_fits_by<T>(exec, fit, events);
}

}  // namespace trackplex::test
