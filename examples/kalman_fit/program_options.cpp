// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

namespace kalman_fit {

namespace program = trackplex::program;

FitSettings ProgramOptions::settings() const {
  if (!(min_pt < max_pt))
    throw trackplex::UsageError("--min-pt", "it is not below --max-pt",
                                fmt::format("{} and {} GeV", min_pt, max_pt));
  FitSettings settings;
  settings.detector.layers = layers;
  settings.detector.min_pt = min_pt;
  settings.detector.max_pt = max_pt;
  settings.detector.material = material > 0.;
  settings.detector.layer.thickness = material;
  settings.detector.seed = common.seed;
  settings.field = field;
  settings.tracks = tracks;
  settings.options.max_chi2 = max_chi2;
  settings.repeat = common.repeat;
  return settings;
}

program::Json ProgramOptions::description() const {
  return {{"kind", "generated"},
          {"seed", common.seed},
          {"tracks", tracks},
          {"layers", layers},
          {"material_cm", material},
          {"min_pt_gev", min_pt},
          {"max_pt_gev", max_pt},
          {"field_tesla", field},
          {"max_chi2", std::isinf(max_chi2) ? program::Json(nullptr) : program::Json(max_chi2)}};
}

void add_options(CLI::App& app, ProgramOptions& options) {
  const std::string tracks = "Tracks";
  const auto add = [&](const std::string& group, const std::string& name, auto& value,
                       const std::string& type, double low, double high, const std::string& text) {
    return app.add_option(name, value, text)
        ->type_name(type)
        ->transform(program::number_of_type<std::decay_t<decltype(value)>>(low, high))
        ->group(group);
  };
  add(tracks, "--tracks", options.tracks, "N", 1, 10000000, "Tracks to generate")
      ->capture_default_str();
  add(tracks, "--layers", options.layers, "N", 2, max_layers,
      fmt::format("Cylinders, 4 cm apart, from 2 to {}", max_layers))
      ->capture_default_str();
  add(tracks, "--material", options.material, "CM", 0., 1.,
      "Silicon in each layer, at most 1; 0: no scattering, no energy loss")
      ->capture_default_str();
  add(tracks, "--min-pt", options.min_pt, "GEV", 0.05, 1e4, "Smallest transverse momentum")
      ->capture_default_str();
  add(tracks, "--max-pt", options.max_pt, "GEV", 0.05, 1e4, "Largest one; between, they are flat")
      ->capture_default_str();
  add(tracks, "--field", options.field, "T", -20., 20., "Magnetic field along z")
      ->capture_default_str();

  add("Fit", "--max-chi2", options.max_chi2, "X", 0., 1e30,
      "Leave out hits with a larger chi2 (default: none)");

  program::add_table_output(
      app, "--output", options.output,
      "Write the fits, and the smoothed states on all layers, as .csv or .h5", {"hits"});
  program::add_output(app, "--picture", options.picture, "Draw the pulls and the resolution as SVG",
                      {".svg"});

  program::add_common_options(app, options.common);
  program::add_examples(
      app, {{"kalman_fit --tracks 100000 --picture pulls.svg",
             "fits 100000 tracks on the default backend and draws their pulls"},
            {"kalman_fit --backend all --lanes all --json report.json",
             "every backend with every lane width; the states must be the same, bit for bit"},
            {"kalman_fit --tracks 1000 --output tracks.csv",
             "parameters, covariances and chi2 of the tracks; their layers in tracks_hits.csv"},
            {"kalman_fit --material 0 --precision double", "no material, double precision"}});
}

}  // namespace kalman_fit
