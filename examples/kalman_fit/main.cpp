// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits and smooths tracks in a detector of cylinders, on one backend or all, and compares them with
// the truth.
#include "fit.hpp"
#include "results.hpp"

#include <common/program.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/track_state_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace kalman_fit;
namespace io = trackplex::io;
namespace program = trackplex::program;
using program::Json;

void add_options(program::Program& p, FitSettings& settings, std::string& output) {
  auto& detector = settings.detector;
  auto tracks = p.group("Tracks");
  tracks.number("--generate", settings.tracks, "N", 1, 1e7, "Tracks to generate");
  tracks.number("--layers", detector.layers, "N", 2, max_layers,
                fmt::format("Cylinders, 4 cm apart, from 2 to {}", max_layers));
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
void write_tracks(const std::string& path, const program::Program& p,
                  const std::vector<FittedTrack>& tracks) {
  using enum io::ColumnType;
  const auto real = io::real_type(p.options.first_precision());
  io::Table fits{"tracks",
                 {{"track", "", int64},
                  {"complete", "", int64},
                  {"chi2", "", real},
                  {"ndf", "", int64},
                  {"n_hits", "", int64},
                  {"n_outliers", "", int64}}};
  io::add_state_columns(fits.columns, real);
  io::Table hits{"hits",
                 {{"track", "", int64},
                  {"layer", "", int64},
                  {"residual_r_phi", "cm", real},
                  {"residual_z", "cm", real},
                  {"residual_cov_r_phi_r_phi", "cm^2", real},
                  {"residual_cov_z_r_phi", "cm^2", real},
                  {"residual_cov_z_z", "cm^2", real}}};
  io::add_state_columns(hits.columns, real);
  io::TableFile file(path, p.metadata(), {fits, hits});
  for (std::size_t n = 0; n < tracks.size(); ++n) {
    const auto& track = tracks[n];
    auto state = io::state_values(track.fitted);
    if (!track.complete) std::ranges::fill(state, std::numeric_limits<double>::quiet_NaN());
    file[0].add_row(n, track.complete, track.chi2, track.measurements, track.measurements / 2,
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

/// The fingerprint of all tracks, to the last bit.
std::string hash_of(const std::vector<FittedTrack>& tracks) {
  trackplex::Fingerprint hash;
  hash.add(std::uint64_t(tracks.size()));
  for (const auto& track : tracks) hash.add(track.fingerprint);
  return hash.hex();
}

void run(program::Program& p, FitSettings settings, const std::string& output) {
  auto& detector = settings.detector;
  if (!(detector.min_pt < detector.max_pt))
    throw trackplex::UsageError("--min-pt", "it is not below --max-pt",
                                fmt::format("{} and {} GeV", detector.min_pt, detector.max_pt));
  detector.material = detector.layer.thickness > 0.;
  detector.seed = p.options.seed;
  p.input = description(settings);
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    const auto found = fit_and_smooth(r, settings, p.options.repeat, [&] { progress.advance(); });
    report.hash = hash_of(found.tracks);
    report.time_us = found.time_us;
    for (const std::string step : {"fit", "smooth"})
      report.rate[step + "_tracks_per_s"] = 1e6 / report.time(step)->median;
    if (!p.is_first_run()) return;
    const auto results = results_of(found.tracks, settings);
    if (results.empty)
      p.warn("no track was fitted on all layers; raise --min-pt, or lower --layers or --material");
    p.results = results.json;
    p.plots = results.plots;
    p.text = fmt::format("{} layers, {} cm of silicon each, {} T\n{}", detector.layers,
                         detector.layer.thickness, settings.field, results.text);
    if (!output.empty()) write_tracks(output, p, found.tracks);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p("kalman_fit", "Fits and smooths generated tracks in a detector of cylinders.",
                     "track");
  FitSettings settings;
  std::string output;
  add_options(p, settings, output);
  return p.main(argc, argv, [&] { run(p, settings, output); });
}
