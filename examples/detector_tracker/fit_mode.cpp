// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_counts.hpp"
#include "fits.hpp"
#include "modes.hpp"
#include "runs.hpp"
#include "vertex_pulls.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace detector_tracker {

using program::Json;

namespace {

FitSettings fit_settings(const Settings& settings) {
  FitSettings fit{.input = settings.input,
                  .tracks = settings.generate.value_or(10000),
                  .field = settings.field.value_or(3.8157),
                  .max_chi2 = settings.max_chi2};
  fit.detector.seed = settings.seed;
  fit.detector.min_pt = settings.min_pt.value_or(1.);
  fit.detector.max_pt = settings.max_pt.value_or(10.);
  program::refuse_if(fit.detector.min_pt < 0.5, "--min-pt",
                     "muons of less than 0.5 GeV may turn back");
  check_pt(fit.detector.min_pt, fit.detector.max_pt);
  return fit;
}

Json description(const FitSettings& settings, std::size_t n_tracks) {
  Json json = {{"detector", "cms"},
               {"tracks", n_tracks},
               {"field_tesla", settings.field},
               {"max_chi2", settings.max_chi2 ? Json(*settings.max_chi2) : Json(nullptr)}};
  if (settings.input.empty())
    json.update({{"kind", "generated"},
                 {"seed", settings.detector.seed},
                 {"min_pt_gev", settings.detector.min_pt},
                 {"max_pt_gev", settings.detector.max_pt}});
  else
    json.update({{"kind", "files"}, {"files", settings.input}});
  return json;
}

/// Compares fits with the truth at the vertex.
void write_fits(program::Program& p, const std::vector<Track>& tracks,
                const std::vector<FittedTrack>& fits) {
  FitCounts counts;
  VertexPulls pulls;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto& fit = fits[i];
    if (!counts.add(fit.status, fit.reached)) continue;
    if (pulls.add(tracks[i].truth, fit.state))
      counts.add_fitted(fit.chi2, fit.measurements - parameters_on_plane, fit.outliers);
    else
      ++counts.failed;
  }
  const double chi2 = counts.chi2_per_degree_of_freedom();
  const bool empty = counts.fitted() == 0;
  p.results = counts.to_json();
  p.text += counts.text("at the vertex", empty ? "" : fmt::format("; chi2/ndf {:.3f}", chi2));
  if (empty) return p.warn("no track was fitted up to its vertex");
  p.results["chi2_per_degree_of_freedom"] = chi2;
  p.results["pulls"] = pulls.to_json(0, VertexPulls::of_momentum);
  p.results["impact_pulls"] = pulls.to_json(VertexPulls::of_momentum, 2);
  pulls.write(p);
}

}  // namespace

void check_pt(double min, double max) {
  if (!(min < max))
    throw UsageError("--min-pt", "it is not below --max-pt",
                     fmt::format("{} and {} GeV", min, max));
}

void run_fits(program::Program& p, const Settings& all_settings) {
  const auto settings = fit_settings(all_settings);
  io::CmsswLeftOut left_out;
  const auto tracks = tracks_of(settings, left_out);
  if (left_out.tracks + left_out.hits > 0)
    p.warn("{} impossible tracks and {} impossible hits of others are left out", left_out.tracks,
           left_out.hits);
  p.input = description(settings, tracks.size());
  p.text = fmt::format("cms, {} T\n", settings.field);
  if (tracks.empty()) throw UsageError("--input", "there are no tracks");
  for_each_run(
      p, {{"fit_tracks_per_s", "fit"}},
      [&](const auto& run, const auto& repetitions) {
        return fit_tracks(run, tracks, settings, repetitions);
      },
      [&](const auto&, const auto& found) { write_fits(p, tracks, found.items); });
}

}  // namespace detector_tracker
