// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "fit_and_smooth.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/on_host.hpp>
#include <trackplex/kalman/fit_tracks.hpp>

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
template <class Real, class Space>
class Tracks {
 public:
  Tracks(const Space& exec, const FitSettings& settings)
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
      if (!is_complete(fits, track)) continue;
      trackplex::Fingerprint hash;
      hash.add(result[std::size_t(track)]);
      for (int layer = 0; layer < settings_.detector.layers; ++layer)
        smoothed.add_to(hash, item(layer, track));
      result[std::size_t(track)] = hash.value();
    }
    return result;
  }

  void visit() {
    const auto fits = fits_on_host();
    const auto smoothed = smoothed_on_host();
    const auto on_layers = trackplex::on_host(exec_, generated_.on_layers);
    const auto truth = on_layers.const_view();
    for (int track = 0; track < settings_.tracks; ++track) {
      FittedTrack fitted;
      fitted.complete = is_complete(fits, track);
      fitted.chi2 = double(fits.chi2(track));
      fitted.measurements = fits.measurements(track);
      fitted.outliers = fits.outliers(track);
      fitted.fitted = fits.states.get(track);
      for (int layer = 0; fitted.complete && layer < settings_.detector.layers; ++layer) {
        fitted.layers.push_back(smoothed.get(item(layer, track)));
        for (int i = 0; i < kalman::Parameter::count; ++i)
          fitted.layers.back().truth(i) = double(truth(item(layer, track), i));
      }
      settings_.visit(fitted);
    }
  }

 private:
  static constexpr int width = trackplex::default_lane_width<Space, Real>;

  template <class Parameters, class Covariances, class Charges>
  struct HostStates {
    Parameters parameters;
    Covariances covariance;
    Charges charge;

    void add_to(trackplex::Fingerprint& hash, int i) const {
      for (int p = 0; p < kalman::Parameter::count; ++p) hash.add(parameters.const_view()(i, p));
      for (int e = 0; e < kalman::Covariance<Real>::size; ++e)
        hash.add(covariance.const_view().element(i, e));
      hash.add(charge(i));
    }
    kalman::TrackState<double> get(int i) const {
      kalman::TrackState<double> state;
      for (int p = 0; p < kalman::Parameter::count; ++p)
        state.parameters(p) = double(parameters.const_view()(i, p));
      for (int e = 0; e < kalman::Covariance<double>::size; ++e)
        state.covariance.elements[e] = double(covariance.const_view().element(i, e));
      state.charge = double(charge(i));
      return state;
    }
  };
  auto states_on_host(const kalman::TrackStates<Real, trackplex::MemoryOf<Space>>& states) {
    auto parameters = trackplex::on_host(exec_, states.parameters);
    auto covariance = trackplex::on_host(exec_, states.covariance);
    auto charge = trackplex::on_host(exec_, states.charge);
    return HostStates<decltype(parameters), decltype(covariance), decltype(charge)>{
        parameters, covariance, charge};
  }

  template <class States, class Numbers, class Flags>
  struct HostFits {
    States states;
    Numbers chi2;
    Flags measurements, outliers, reached, generated;
  };
  auto fits_on_host() {
    auto states = states_on_host(states_);
    auto chi2 = trackplex::on_host(exec_, results_.chi2);
    auto measurements = trackplex::on_host(exec_, results_.measurements);
    HostFits<decltype(states), decltype(chi2), decltype(measurements)> fits{
        states,
        chi2,
        measurements,
        trackplex::on_host(exec_, results_.outliers),
        trackplex::on_host(exec_, results_.reached),
        trackplex::on_host(exec_, generated_.complete)};
    return fits;
  }
  template <class HostFits>
  static bool is_complete(const HostFits& fits, int track) {
    return fits.reached(track) && fits.generated(track);
  }
  template <class HostFits>
  std::vector<std::uint64_t> fingerprints(const HostFits& fits) {
    std::vector<std::uint64_t> result;
    for (int track = 0; track < settings_.tracks; ++track) {
      trackplex::Fingerprint hash;
      for (const auto& counts : {fits.measurements, fits.outliers, fits.reached, fits.generated})
        hash.add(counts(track));
      hash.add(fits.chi2(track));
      fits.states.add_to(hash, track);
      result.push_back(hash.value());
    }
    return result;
  }

  template <class States, class Residuals, class Covariances>
  struct HostSmoothed {
    States states;
    Residuals residual;
    Covariances covariance;

    void add_to(trackplex::Fingerprint& hash, int i) const {
      states.add_to(hash, i);
      for (int e = 0; e < 2; ++e) hash.add(residual.const_view()(i, e));
      for (int e = 0; e < 3; ++e) hash.add(covariance.const_view().element(i, e));
    }
    SmoothedLayer get(int i) const {
      SmoothedLayer layer;
      layer.state = states.get(i);
      for (int e = 0; e < 2; ++e) layer.residual(e) = double(residual.const_view()(i, e));
      for (int e = 0; e < 3; ++e)
        layer.residual_covariance.elements[e] = double(covariance.const_view().element(i, e));
      return layer;
    }
  };
  auto smoothed_on_host() {
    auto states = states_on_host(smoothed_.states);
    auto residual = trackplex::on_host(exec_, smoothed_.residual);
    auto covariance = trackplex::on_host(exec_, smoothed_.residual_covariance);
    return HostSmoothed<decltype(states), decltype(residual), decltype(covariance)>{
        states, residual, covariance};
  }

  /// A layer of no thickness is no layer, at the price of one: the kernels need not be compiled
  /// twice.
  auto hits() const {
    const auto hits = generated_.hits.view();
    return kalman::HitsInMaterial<std::decay_t<decltype(hits)>>{hits, settings_.detector.layer};
  }
  int item(int layer, int track) const { return layer * generated_.hits.stride() + track; }

  Space exec_;
  const FitSettings& settings_;
  kalman::UniformField field_;
  simulation::CylinderTracks<Real, trackplex::MemoryOf<Space>> generated_;
  kalman::TrackStates<Real, trackplex::MemoryOf<Space>> states_;
  kalman::FitResults<Real, trackplex::MemoryOf<Space>> results_;
  kalman::SmoothedTracks<Real, trackplex::MemoryOf<Space>> smoothed_;
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
