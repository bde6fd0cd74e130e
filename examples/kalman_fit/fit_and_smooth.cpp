// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "fit_and_smooth.hpp"

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>

#include <iterator>
#include <type_traits>
#include <utility>

namespace kalman_fit {

namespace kalman = trackplex::kalman;
namespace simulation = trackplex::simulation;

namespace {

/// Standard deviations of what a fit starts from: cm, 1/GeV, rad.
constexpr Kokkos::Array<double, kalman::Parameter::count> start_sigma{0.1,  0.1,  1.,
                                                                      0.05, 0.02, 0.02};

/// The tracks of a run in the memory of its backend.
template <class Real, class ExecutionSpace>
class Tracks {
 public:
  Tracks(const ExecutionSpace& exec, const FitSettings& settings)
      : exec_(exec), settings_(settings), field_{settings.field} {
    simulation::generate_cylinder_tracks<width>(exec_, settings.detector, settings.tracks, field_,
                                                generated_);
  }

  /// Goes back to what fits start from: the truth, off by what the covariance says.
  void restart() {
    const auto seed = ~settings_.detector.seed;  // random numbers of their own
    simulation::start_near<width>(exec_, generated_.start, start_sigma, seed, states_);
  }

  template <int Width>
  void fit() {
    kalman::fit_tracks<Width>(exec_, states_, field_, hits(), settings_.options, results_);
  }
  template <int Width>
  void smooth() {
    kalman::smooth_tracks<Width, max_layers>(exec_, states_, field_, hits(),
                                             settings_.detector.layers, settings_.options, results_,
                                             smoothed_);
  }

  std::vector<std::uint64_t> fingerprints_of_fits() { return fingerprints(fits_on_host()); }

  std::vector<std::uint64_t> fingerprints_of_smoothed_tracks() {
    const auto fits = fits_on_host();
    const auto smoothed = smoothed_on_host();
    auto result = fingerprints(fits);
    for (int track = 0; track < settings_.tracks; ++track) {
      if (!fits.complete(track)) continue;
      trackplex::Fingerprint hash;
      hash.add(result[std::size_t(track)]);
      for (int layer = 0; layer < settings_.detector.layers; ++layer) {
        const auto& there = smoothed[item(layer, track)];
        add_state(hash, there.state);
        for (const double element : there.residual.elements) hash.add(Real(element));
        for (const double element : there.residual_covariance.elements) hash.add(Real(element));
      }
      result[std::size_t(track)] = hash.value();
    }
    return result;
  }

  void visit() {
    const auto fits = fits_on_host();
    const auto smoothed = smoothed_on_host();
    for (int track = 0; track < settings_.tracks; ++track) {
      FittedTrack fitted;
      fitted.complete = fits.complete(track);
      fitted.chi2 = double(fits.results.chi2(track));
      fitted.measurements = fits.results.measurements(track);
      fitted.outliers = fits.results.outliers(track);
      fitted.fitted = fits.states[std::size_t(track)];
      for (int layer = 0; fitted.complete && layer < settings_.detector.layers; ++layer)
        fitted.layers.push_back(smoothed[item(layer, track)]);
      settings_.visit(fitted);
    }
  }

 private:
  static constexpr int width = trackplex::default_lane_width<ExecutionSpace, Real>;
  using Memory = trackplex::MemoryOf<ExecutionSpace>;

  struct HostFits {
    std::vector<kalman::TrackState<double>> states;
    kalman::FitResults<Real, Kokkos::HostSpace> results;
    Kokkos::View<std::uint8_t*, Kokkos::HostSpace> generated;

    bool complete(int track) const { return results.reached(track) && generated(track); }
  };
  HostFits fits_on_host() {
    const auto copy = [&](const auto& array) { return trackplex::to_host(exec_, array); };
    return {kalman::states_on_host(exec_, states_),
            {copy(results_.chi2), copy(results_.measurements), copy(results_.outliers),
             copy(results_.reached)},
            copy(generated_.complete)};
  }

  /// At `item(layer, track)`.
  std::vector<SmoothedLayer> smoothed_on_host() {
    const auto states = kalman::states_on_host(exec_, smoothed_.states);
    const auto residual = trackplex::to_host(exec_, smoothed_.residual);
    const auto covariance = trackplex::to_host(exec_, smoothed_.residual_covariance);
    const auto truth = trackplex::to_host(exec_, generated_.on_layers);
    std::vector<SmoothedLayer> layers(states.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto copy = [&](const auto& from, auto& to) {
        for (int e = 0; e < int(std::size(to.elements)); ++e)
          to.elements[e] = double(from.const_view().element(int(i), e));
      };
      layers[i].state = states[i];
      copy(truth, layers[i].truth);
      copy(residual, layers[i].residual);
      copy(covariance, layers[i].residual_covariance);
    }
    return layers;
  }

  /// With the bits of the number type that it was fitted in.
  static void add_state(trackplex::Fingerprint& hash, const kalman::TrackState<double>& state) {
    for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
    for (const double element : state.covariance.elements) hash.add(Real(element));
    hash.add(Real(state.charge));
  }
  std::vector<std::uint64_t> fingerprints(const HostFits& fits) {
    const auto& results = fits.results;
    std::vector<std::uint64_t> list;
    for (int track = 0; track < settings_.tracks; ++track) {
      trackplex::Fingerprint hash;
      for (const auto& counts :
           {results.measurements, results.outliers, results.reached, fits.generated})
        hash.add(counts(track));
      hash.add(results.chi2(track));
      add_state(hash, fits.states[std::size_t(track)]);
      list.push_back(hash.value());
    }
    return list;
  }

  /// A layer of no thickness is no layer, at the price of one: the kernels need not be compiled
  /// twice.
  auto hits() const {
    const auto hits = generated_.hits.view();
    return kalman::HitsInMaterial<std::decay_t<decltype(hits)>>{hits, settings_.detector.layer};
  }
  std::size_t item(int layer, int track) const {
    return std::size_t(layer * generated_.hits.stride() + track);
  }

  ExecutionSpace exec_;
  const FitSettings& settings_;
  kalman::UniformField field_;
  simulation::CylinderTracks<Real, Memory> generated_;
  kalman::TrackStates<Real, Memory> states_;
  kalman::FitResults<Real, Memory> results_;
  kalman::SmoothedTracks<Real, Memory> smoothed_;
};

}  // namespace

template <class Real, class ExecutionSpace>
Fits fit_and_smooth(const trackplex::program::Run<Real, ExecutionSpace>& run,
                    const FitSettings& settings) {
  Fits result;
  run.with_lanes([&](auto lanes) {
    Tracks<Real, ExecutionSpace> tracks(run.exec, settings);
    std::vector<std::uint64_t> fits;
    const auto one_pass = [&](auto& timer) {
      tracks.restart();
      timer.time("fit", [&] { tracks.template fit<lanes()>(); });
      fits = tracks.fingerprints_of_fits();
      tracks.restart();
      timer.time("smooth", [&] { tracks.template smooth<lanes()>(); });
    };
    const auto after_each = [&] {
      const auto name = run.description().backend;
      if (tracks.fingerprints_of_fits() != fits)
        throw trackplex::Error(name, "fit and smoother went different ways");
      auto smoothed = tracks.fingerprints_of_smoothed_tracks();
      if (!result.fingerprints.empty() && smoothed != result.fingerprints)
        throw trackplex::Error(name, "two repetitions gave different states");
      result.fingerprints = std::move(smoothed);
      settings.after_repetition();
    };
    const auto timer = trackplex::program::measure(run.exec, settings.repeat, one_pass, after_each);
    for (const char* step : {"fit", "smooth"})
      result.time_us[step] = timer.spread(step) / double(settings.tracks);
    if (settings.visit) tracks.visit();
  });
  return result;
}

template Fits fit_and_smooth(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                             const FitSettings&);

}  // namespace kalman_fit
