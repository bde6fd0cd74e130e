// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_results.hpp"
#include "modes.hpp"
#include "track_fits.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace detector_tracker {

namespace program = trackplex::program;
using program::Json;

namespace {

FitSettings fit_settings(const Settings& settings) {
  FitSettings fit{.input = settings.input, .max_chi2 = settings.max_chi2, .seed = settings.seed};
  fit.tracks = settings.generate.value_or(fit.tracks);
  fit.min_pt = settings.min_pt.value_or(fit.min_pt);
  fit.max_pt = settings.max_pt.value_or(fit.max_pt);
  fit.field = settings.field.value_or(fit.field);
  program::refuse_if(fit.min_pt < 0.5, "--min-pt", "muons of less than 0.5 GeV may turn back");
  if (!(fit.min_pt < fit.max_pt))
    throw trackplex::UsageError("--min-pt", "it is not below --max-pt",
                                fmt::format("{} and {} GeV", fit.min_pt, fit.max_pt));
  return fit;
}

Json description(const FitSettings& settings, std::size_t n_tracks) {
  Json json = {{"detector", "cms"},
               {"tracks", n_tracks},
               {"field_tesla", settings.field},
               {"max_chi2", settings.max_chi2 ? Json(*settings.max_chi2) : Json(nullptr)}};
  if (settings.input.empty()) {
    json.update({{"kind", "generated"},
                 {"seed", settings.seed},
                 {"min_pt_gev", settings.min_pt},
                 {"max_pt_gev", settings.max_pt}});
  } else {
    json.update({{"kind", "files"}, {"files", settings.input}});
  }
  return json;
}

std::string hash_of(const std::vector<FittedTrack>& tracks) {
  trackplex::Fingerprint hash;
  hash.add(std::uint64_t(tracks.size()));
  for (const auto& track : tracks) hash.add(track.fingerprint);
  return hash.hex();
}

}  // namespace

void run_fits(program::Program& p, const Settings& all_settings) {
  const auto settings = fit_settings(all_settings);
  trackplex::io::CmsswLeftOut left_out;
  const auto tracks = tracks_of(settings, left_out);
  if (left_out.tracks + left_out.hits > 0)
    p.warn("{} impossible tracks and {} impossible hits of others are left out", left_out.tracks,
           left_out.hits);
  p.input = description(settings, tracks.size());
  if (tracks.empty()) throw trackplex::UsageError("--input", "there are no tracks");
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    const auto fits =
        fit_tracks(r, tracks, settings, p.options.repeat, [&] { progress.advance(); });
    report.hash = hash_of(fits.tracks);
    report.time_us = fits.time_us;
    report.rate["fit_tracks_per_s"] = 1e6 / report.time("fit")->median;
    if (!p.is_first_run()) return;
    const auto results = fit_results(tracks, fits.tracks);
    if (results.empty) p.warn("no track was fitted up to its vertex");
    p.results = results.json;
    p.plots = results.plots;
    p.text = fmt::format("cms, {} T\n{}", settings.field, results.text);
  });
}

}  // namespace detector_tracker
