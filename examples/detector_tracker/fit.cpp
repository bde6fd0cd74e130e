// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "fits_on_host.hpp"

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace detector_tracker {

using P = kalman::Parameter;

/// The density effect of silicon in its asymptotic form, by which CMS' xi are meant: without the
/// power, and from the momentum on at which the correction begins.
static kalman::Material material_of_cms() {
  auto material = kalman::silicon;
  auto& effect = material.density_effect;
  effect.a = 0.;
  effect.x0 = effect.x1 = effect.c / (2. * std::numbers::ln10);
  return material;
}

/// Start at the last hit: the circle through three hits, and the slope in z between the outermost
/// two that measure z.
static kalman::TrackState<double> start_of(const std::vector<Hit>& hits, double field) {
  const auto& a = hits.front().on_module.point;
  const auto& b = hits[hits.size() / 2].on_module.point;
  const auto& c = hits.back().on_module.point;
  const double bx = b(0) - a(0), by = b(1) - a(1), cx = c(0) - a(0), cy = c(1) - a(1);
  const double chord = trackplex::hypot(cx, cy);
  const double curvature = 2. * (bx * cy - cx * by) /
                           (trackplex::hypot(bx, by) * chord * trackplex::hypot(cx - bx, cy - by));
  const double half = trackplex::asin(std::clamp(0.5 * curvature * chord, -1., 1.));
  const double straight = 1e-9;  // 1/cm: 10^6 GeV
  const double length = std::abs(curvature) < straight ? chord : 2. * half / curvature;
  const auto measures_z = [](const Hit& hit) { return !hit.is_strip(); };
  const auto& first = std::ranges::find_if(hits, measures_z)->on_module.point;
  const auto& last = std::find_if(hits.rbegin(), hits.rend(), measures_z)->on_module.point;
  const double slope =
      (last(2) - first(2)) / trackplex::hypot(last(0) - first(0), last(1) - first(1));
  const double way = length - trackplex::hypot(first(0) - a(0), first(1) - a(1));
  const double per_pt = kalman::curvature_per_inverse_pt(1., field);
  const double inverse_pt = std::max(std::abs(curvature / per_pt), 1e-6);
  kalman::TrackState<double> state{{{c(0), c(1), std::fma(slope, way, first(2)), inverse_pt,
                                     trackplex::atan2(cy, cx) + half, trackplex::atan2(1., slope)}},
                                   {},
                                   std::signbit(curvature) == std::signbit(per_pt) ? 1. : -1.};
  const double sigma[6] = {1., 1., 3., 0.02 + 0.3 * inverse_pt, 0.05, 0.05};
  for (double& element : state.covariance.elements) element = 0.;
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = sigma[i] * sigma[i];
  return state;
}

/// The tracks of a run in the memory of its backend.
template <class Real, class ExecutionSpace>
class TracksOfRun {
 public:
  TracksOfRun(const ExecutionSpace& exec, const std::vector<Track>& tracks,
              const FitSettings& settings)
      : exec_(exec), field_{.c1 = settings.field}, hits_(hits_of(exec, tracks)) {
    if (settings.max_chi2) options_.max_chi2 = *settings.max_chi2;
    copy_starts(tracks, settings.field);
  }

  void restart() {
    states_.allocate(exec_, start_.size());
    copy_arrays(exec_, states_, start_);
  }

  template <int Width>
  void fit() {
    kalman::fit_tracks<Width>(exec_, states_, field_, hits_.view(), options_, results_);
  }

  std::vector<FittedTrack> fits() {
    auto fits = fits_on_host(exec_, states_, results_);
    for (auto& fit : fits) {
      Fingerprint hash;
      hash.add(fit.measurements).add(fit.outliers).add(int(fit.reached)).add(Real(fit.chi2));
      add_state<Real>(hash, fit.state);
      fit.fingerprint = hash.value();
    }
    return fits;
  }

 private:
  using Memory = MemoryOf<ExecutionSpace>;

  /// Layer 0 is the last hit of each track, the layer after its first one the plane of the vertex.
  static auto hits_of(const ExecutionSpace& exec, const std::vector<Track>& tracks) {
    std::size_t most = 0;
    for (const auto& track : tracks) most = std::max(most, track.hits.size());
    kalman::HostModuleMeasurements<Real, Memory> hits(int(most) + 1, int(tracks.size()), true);
    hits.material_properties = material_of_cms();
    for (int t = 0; t < int(tracks.size()); ++t) {
      const auto& track = tracks[std::size_t(t)];
      int layer = 0;
      for (auto hit = track.hits.rbegin(); hit != track.hits.rend(); ++hit)
        hits.set(layer++, t, hit->on_module, hit->radiation_lengths, hit->xi);
      const auto& at = track.truth.parameters;
      const auto normal = normal_of(track.truth);
      hits.set(layer, t,
               {{{at(0), at(1), at(2)}}, {{-normal(1), normal(0), 0.}}, {{0., 0., 1.}}, {}, 0});
    }
    return to_device(exec, hits);
  }

  void copy_starts(const std::vector<Track>& tracks, double field) {
    start_.allocate(exec_, int(tracks.size()));
    for (int t = 0; t < int(tracks.size()); ++t) {
      const auto state = start_of(tracks[std::size_t(t)].hits, field);
      for (int p = 0; p < 6; ++p) start_.parameters.view()(t, p) = Real(state.parameters(p));
      for (int p = 0; p < 6; ++p)
        for (int q = 0; q <= p; ++q)
          start_.covariance.view()(t, p, q) = Real(state.covariance(p, q));
      start_.charge(std::size_t(t)) = Real(state.charge);
    }
  }

  ExecutionSpace exec_;
  kalman::SolenoidField field_;
  kalman::FitOptions options_{.steps = 4, .mass = constants::muon_mass, .along = false};
  kalman::ModuleMeasurements<Real, Memory> hits_;
  kalman::HostTrackStates<Real, Memory> start_;
  kalman::TrackStates<Real, Memory> states_;
  kalman::FitResults<Real, Memory> results_;
};

template <class Real, class ExecutionSpace>
Found<FittedTrack> fit_tracks(const program::Run<Real, ExecutionSpace>& run,
                              const std::vector<Track>& tracks, const FitSettings& settings,
                              const Repetitions& repetitions) {
  Found<FittedTrack> found;
  run.with_lanes([&](auto lanes) {
    TracksOfRun<Real, ExecutionSpace> of_run(run.exec, tracks, settings);
    const auto one_pass = [&](auto& timer) {
      of_run.restart();
      timer.time("fit", [&] { of_run.template fit<lanes()>(); });
    };
    found = repeat<FittedTrack>(
        run, repetitions, one_pass, [&] { return of_run.fits(); }, hash_of_fits);
  });
  return found;
}

template Found<FittedTrack> fit_tracks(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                       const std::vector<Track>&, const FitSettings&,
                                       const Repetitions&);

}  // namespace detector_tracker
