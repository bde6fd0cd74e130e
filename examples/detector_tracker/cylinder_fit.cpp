// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "fits_on_host.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace detector_tracker {

/// Standard deviations of the states that fits start from: cm, 1/GeV, rad.
constexpr Kokkos::Array<double, 6> start_sigma{0.1, 0.1, 1., 0.05, 0.02, 0.02};

/// The tracks of a run in the memory of its backend.
template <class Real, class ExecutionSpace>
class CylinderTracksOfRun {
 public:
  CylinderTracksOfRun(const ExecutionSpace& exec, const FitSettings& settings)
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

  std::vector<FittedTrack> fits() {
    auto fits = fits_on_host(exec_, states_, results_);
    const auto generated = to_host(exec_, generated_.complete);
    for (std::size_t i = 0; i < fits.size(); ++i) {
      auto& fit = fits[i];
      Fingerprint hash;
      hash.add(std::uint8_t(fit.measurements)).add(std::uint8_t(fit.outliers));
      hash.add(std::uint8_t(fit.reached)).add(generated(i)).add(Real(fit.chi2));
      add_with_charge(hash, fit.state);
      fit.reached = fit.reached && generated(i);
      fit.fingerprint = hash.value();
    }
    return fits;
  }

  void add_layers(std::vector<FittedTrack>& tracks) {
    const auto states = kalman::states_on_host(exec_, smoothed_.states);
    const auto residual = to_host(exec_, smoothed_.residual);
    const auto covariance = to_host(exec_, smoothed_.residual_covariance);
    const auto truth = to_host(exec_, generated_.on_layers);
    const auto copy = [](const auto& from, int i, auto& to) {
      for (int e = 0; e < int(std::size(to.elements)); ++e)
        to.elements[e] = double(from.const_view().element(i, e));
    };
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      if (!tracks[t].reached) continue;
      Fingerprint hash;
      hash.add(tracks[t].fingerprint);
      for (int layer = 0; layer < settings_.detector.layers; ++layer) {
        const int i = layer * generated_.hits.stride() + int(t);
        auto& there = tracks[t].layers.emplace_back();
        there.state = states[std::size_t(i)];
        copy(truth, i, there.truth);
        copy(residual, i, there.residual);
        copy(covariance, i, there.residual_covariance);
        add_with_charge(hash, there.state);
        for (const double element : there.residual.elements) hash.add(Real(element));
        for (const double element : there.residual_covariance.elements) hash.add(Real(element));
      }
      tracks[t].fingerprint = hash.value();
    }
  }

 private:
  static constexpr int width = default_lane_width<ExecutionSpace, Real, KernelKind::track_states>;
  using Memory = MemoryOf<ExecutionSpace>;

  /// Layers of no thickness stand for no material, at the price of some: the kernels need not be
  /// compiled twice.
  auto hits() const {
    const auto hits = generated_.hits.view();
    return kalman::HitsInMaterial<std::decay_t<decltype(hits)>>{hits, settings_.detector.layer};
  }

  static void add_with_charge(Fingerprint& hash, const State& state) {
    add_state<Real>(hash, state);
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
  kalman::SmootherSteps<Real, Memory> steps_{max_fit_layers, {}};
};

template <class Real, class ExecutionSpace>
Found<FittedTrack> fit_and_smooth(const program::Run<Real, ExecutionSpace>& run,
                                  const FitSettings& settings, const Repetitions& repetitions) {
  Found<FittedTrack> found;
  run.with_lanes([&](auto lanes) {
    CylinderTracksOfRun<Real, ExecutionSpace> tracks(run.exec, settings);
    std::vector<FittedTrack> fits;
    const auto one_pass = [&](auto& timer) {
      tracks.restart();
      timer.time("fit", [&] { tracks.template fit<lanes()>(); });
      fits = tracks.fits();
      tracks.restart();
      timer.time("smooth", [&] { tracks.template smooth<lanes()>(); });
    };
    const auto smoothed = [&] {
      auto list = tracks.fits();
      if (const auto place = first_difference(fits, list); !place.empty())
        throw Error(run.description().backend, "fit and smoother gave different fits", place);
      tracks.add_layers(list);
      return list;
    };
    found = repeat<FittedTrack>(run, repetitions, one_pass, smoothed, hash_of_fits);
  });
  return found;
}

template Found<FittedTrack> fit_and_smooth(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                           const FitSettings&, const Repetitions&);

}  // namespace detector_tracker
