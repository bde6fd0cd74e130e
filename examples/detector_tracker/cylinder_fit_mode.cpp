// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits and smooths tracks in a detector of cylinders, on one backend or all, and compares them with
// the truth.
#include "fits.hpp"
#include "modes.hpp"
#include "runs.hpp"
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace detector_tracker {

using program::Json;

namespace {

void add_fit_options(program::Program& p, FitSettings& settings, std::string& output) {
  auto& detector = settings.detector;
  auto tracks = p.group("Tracks");
  tracks.number("--generate", settings.tracks, "N", 1, 1e7, "Tracks to generate");
  tracks.number("--layers", detector.layers, "N", 2, max_fit_layers,
                fmt::format("Cylinders, 4 cm apart, from 2 to {}", max_fit_layers));
  tracks.number("--material", detector.layer.thickness, "CM", 0., 1.,
                "Silicon in each layer, at most 1; 0: no scattering, no energy loss", "cm");
  tracks.number("--min-pt", detector.min_pt, "GEV", 0.05, 1e4, "Min transverse momentum", "GeV");
  tracks.number("--max-pt", detector.max_pt, "GEV", 0.05, 1e4,
                "Max transverse momentum; the distribution is flat", "GeV");
  tracks.number("--field", settings.field, "T", -20., 20., "Magnetic field along z", "T");
  p.group("Fit").number("--max-chi2", settings.max_chi2, "X", 0., 1e30,
                        "Skip hits with a larger chi2 (default: none)");
  p.group("Output").table(
      "--output", output,
      "Write the fits, and the smoothed states on all layers, as .csv, .h5 or .sdds", {"hits"});
  p.example("kalman_fit --generate 100000 --json report.json",
            "fits 100000 tracks on the default backend; scripts/plot report.json draws the pulls");
  p.example("kalman_fit --backend all --lanes all --threads 1,2",
            "every backend with every lane width; the states must be the same, bit for bit");
  p.example("kalman_fit --generate 1000 --output tracks.csv",
            "parameters, covariances and chi2 of the tracks; their layers in tracks_hits.csv");
  p.example("kalman_fit --material 0 --precision double", "no material, double precision");
  p.add_common_options();
}

Json description(const FitSettings& settings) {
  const auto& detector = settings.detector;
  return {{"kind", "generated"},
          {"seed", detector.seed},
          {"tracks", settings.tracks},
          {"layers", detector.layers},
          {"material_cm", detector.layer.thickness},
          {"min_pt_gev", detector.min_pt},
          {"max_pt_gev", detector.max_pt},
          {"field_tesla", settings.field},
          {"max_chi2", settings.max_chi2 ? Json(*settings.max_chi2) : Json(nullptr)}};
}

/// The tables `tracks`, with the fit of each track at the last layer, and `hits`, with the smoothed
/// states on each layer of those that are complete.
void write_fitted_tracks(const std::string& path, const program::Program& p,
                         const std::vector<FittedTrack>& tracks) {
  const auto real = io::real_type(p.options.first_precision());
  auto fits = make_table("tracks", "track complete chi2:real ndf n_hits n_outliers", real);
  auto hits = make_table("hits",
                         "track layer residual_r_phi:real[cm] residual_z:real[cm] "
                         "residual_cov_r_phi_r_phi:real[cm^2] residual_cov_z_r_phi:real[cm^2] "
                         "residual_cov_z_z:real[cm^2]",
                         real);
  for (auto* table : {&fits, &hits}) io::add_state_columns(table->columns, real);
  io::TableFile file(path, p.metadata(), {fits, hits});
  for (std::size_t n = 0; n < tracks.size(); ++n) {
    const auto& track = tracks[n];
    auto state = io::state_values(track.state);
    if (!track.reached) std::ranges::fill(state, std::numeric_limits<double>::quiet_NaN());
    file[0].add_row(n, track.reached, track.chi2, track.measurements, track.measurements / 2,
                    track.outliers, state);
    for (std::size_t i = 0; i < track.layers.size(); ++i) {
      const auto& layer = track.layers[i];
      const auto& covariance = layer.residual_covariance;
      file[1].add_row(n, i, layer.residual(0), layer.residual(1), covariance(0, 0),
                      covariance(1, 0), covariance(1, 1), io::state_values(layer.state));
    }
    file.flush();
  }
  file.finish();
}

void run_cylinder_fits(program::Program& p, FitSettings settings, const std::string& output) {
  auto& detector = settings.detector;
  check_pt(detector.min_pt, detector.max_pt);
  detector.material = detector.layer.thickness > 0.;
  detector.seed = p.options.seed;
  p.input = description(settings);
  p.text = fmt::format("{} layers, {} cm of silicon each, {} T\n", detector.layers,
                       detector.layer.thickness, settings.field);
  for_each_run(
      p, {{"fit_tracks_per_s", "fit"}, {"smooth_tracks_per_s", "smooth"}},
      [&](const auto& run, const auto& repetitions) {
        return fit_and_smooth(run, settings, repetitions);
      },
      [&](const auto&, const auto& found) {
        write_cylinder_fits(p, found.items, settings);
        if (!output.empty()) write_fitted_tracks(output, p, found.items);
      });
}

}  // namespace

int kalman_fit(int argc, char* argv[]) {
  program::Program p(
      "kalman_fit",
      "Fits and smooths generated tracks in a detector of cylinders.\n" + is_a_mode("kalman_fit"),
      "track");
  FitSettings settings;
  std::string output;
  add_fit_options(p, settings, output);
  return p.main(argc, argv, [&] { run_cylinder_fits(p, settings, output); });
}

}  // namespace detector_tracker
