// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "fit.hpp"

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>

namespace kalman_fit {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
namespace simulation = trackplex::simulation;
using trackplex::Fingerprint;
using trackplex::to_host;

/// Standard deviations of the states that fits start from: cm, 1/GeV, rad.
constexpr Kokkos::Array<double, 6> start_sigma{0.1, 0.1, 1., 0.05, 0.02, 0.02};

/// The tracks of a run in the memory of its backend.
template <class Real, class ExecutionSpace>
class Tracks {
 public:
  Tracks(const ExecutionSpace& exec, const FitSettings& settings)
      : exec_(exec), settings_(settings), field_{settings.field} {
    if (settings.max_chi2) options_.max_chi2 = *settings.max_chi2;
    simulation::generate_cylinder_tracks<width>(exec_, settings.detector, settings.tracks, field_,
                                                generated_);
  }

  /// Back to the states that fits start from: the truth, off by random errors.
  void restart() {
    const auto seed = ~settings_.detector.seed;  // other random numbers than the generator's
    simulation::start_near<width>(exec_, generated_.start, start_sigma, seed, states_);
  }

  template <int Width>
  void fit() {
    kalman::fit_tracks<Width>(exec_, states_, field_, hits(), options_, results_);
  }
  template <int Width>
  void smooth() {
    kalman::smooth_tracks<Width>(exec_, states_, field_, hits(), settings_.detector.layers,
                                 options_, results_, smoothed_, steps_);
  }

  std::vector<FittedTrack> fits_on_host() {
    const auto states = kalman::states_on_host(exec_, states_);
    const auto chi2 = to_host(exec_, results_.chi2);
    const auto measurements = to_host(exec_, results_.measurements);
    const auto outliers = to_host(exec_, results_.outliers);
    const auto reached = to_host(exec_, results_.reached);
    const auto status = to_host(exec_, results_.status);
    const auto generated = to_host(exec_, generated_.complete);
    std::vector<FittedTrack> tracks;
    for (std::size_t i = 0; i < states.size(); ++i) {
      Fingerprint hash;
      hash.add(std::uint8_t(measurements(i)))
          .add(std::uint8_t(outliers(i)))
          .add(reached(i))
          .add(generated(i))
          .add(chi2(i));
      add_state(hash, states[i]);
      tracks.push_back({reached(i) && generated(i),
                        kalman::FitStatus(status(i)),
                        double(chi2(i)),
                        measurements(i),
                        outliers(i),
                        states[i],
                        {},
                        hash.value()});
    }
    return tracks;
  }

  void add_layers_on_host(std::vector<FittedTrack>& tracks) {
    const auto states = kalman::states_on_host(exec_, smoothed_.states);
    const auto residual = to_host(exec_, smoothed_.residual);
    const auto covariance = to_host(exec_, smoothed_.residual_covariance);
    const auto truth = to_host(exec_, generated_.on_layers);
    const auto copy = [](const auto& from, int i, auto& to) {
      for (int e = 0; e < int(std::size(to.elements)); ++e)
        to.elements[e] = double(from.const_view().element(i, e));
    };
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      if (!tracks[t].complete) continue;
      Fingerprint hash;
      hash.add(tracks[t].fingerprint);
      for (int layer = 0; layer < settings_.detector.layers; ++layer) {
        const int i = layer * generated_.hits.stride() + int(t);
        auto& there = tracks[t].layers.emplace_back();
        there.state = states[std::size_t(i)];
        copy(truth, i, there.truth);
        copy(residual, i, there.residual);
        copy(covariance, i, there.residual_covariance);
        add_state(hash, there.state);
        for (const double element : there.residual.elements) hash.add(Real(element));
        for (const double element : there.residual_covariance.elements) hash.add(Real(element));
      }
      tracks[t].fingerprint = hash.value();
    }
  }

 private:
  static constexpr int width =
      trackplex::default_lane_width<ExecutionSpace, Real, trackplex::KernelKind::track_states>;
  using Memory = trackplex::MemoryOf<ExecutionSpace>;

  /// Layers of no thickness stand for no material, at the price of some: the kernels need not be
  /// compiled twice.
  auto hits() const {
    const auto hits = generated_.hits.view();
    return kalman::HitsInMaterial<std::decay_t<decltype(hits)>>{hits, settings_.detector.layer};
  }

  /// With the bits of the number type that it was fitted in.
  static void add_state(Fingerprint& hash, const kalman::TrackState<double>& state) {
    for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
    for (const double element : state.covariance.elements) hash.add(Real(element));
    hash.add(Real(state.charge));
  }

  ExecutionSpace exec_;
  const FitSettings& settings_;
  kalman::UniformField field_;
  kalman::FitOptions options_;
  simulation::CylinderTracks<Real, Memory> generated_;
  kalman::TrackStates<Real, Memory> states_;
  kalman::FitResults<Real, Memory> results_;
  kalman::SmoothedTracks<Real, Memory> smoothed_;
  kalman::SmootherSteps<Real, Memory> steps_{max_layers, {}};
};

/// Of the same number of tracks, if any.
static void check_same(const std::vector<FittedTrack>& a, const std::vector<FittedTrack>& b,
                       const std::string& run, const std::string& problem) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i].fingerprint != b[i].fingerprint)
      throw trackplex::Error(run, problem, "the first one is track " + std::to_string(i));
}

template <class Real, class ExecutionSpace>
Fits fit_and_smooth(const program::Run<Real, ExecutionSpace>& run, const FitSettings& settings,
                    int repeat, const std::function<void()>& after_repetition) {
  Fits result;
  run.with_lanes([&](auto lanes) {
    Tracks<Real, ExecutionSpace> tracks(run.exec, settings);
    std::vector<FittedTrack> fits;
    const auto one_pass = [&](auto& timer) {
      tracks.restart();
      timer.time("fit", [&] { tracks.template fit<lanes()>(); });
      fits = tracks.fits_on_host();
      tracks.restart();
      timer.time("smooth", [&] { tracks.template smooth<lanes()>(); });
    };
    const auto after_each = [&] {
      const auto name = run.description().backend;
      auto smoothed = tracks.fits_on_host();
      check_same(fits, smoothed, name, "fit and smoother gave different fits");
      tracks.add_layers_on_host(smoothed);
      check_same(result.tracks, smoothed, name, "two repetitions gave different states");
      result.tracks = std::move(smoothed);
      after_repetition();
    };
    result.time_us =
        program::measure(run.exec, repeat, one_pass, after_each).times(double(settings.tracks));
  });
  return result;
}

template Fits fit_and_smooth(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                             const FitSettings&, int, const std::function<void()>&);

}  // namespace kalman_fit
