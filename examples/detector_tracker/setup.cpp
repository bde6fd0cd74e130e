// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "setup.hpp"

#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/simulation/small_detector.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace detector_tracker {

using detector::ColliderFinderParams;

namespace {

constexpr const char* trackml_table = "trackml/detectors.csv.gz";

void add_finder(Setup& setup, const Settings& settings, const ColliderFinderParams& params) {
  geometry::LayerGraphParams rays;
  rays.max_curvature =
      constants::momentum_per_tesla_metre / 100. * std::abs(setup.field.tesla()) / params.min_pt;
  rays.x = setup.beam_spot.x = settings.beam_x;
  rays.y = setup.beam_spot.y = settings.beam_y;
  rays.z = setup.beam_spot.z = settings.beam_z;
  setup.graph = geometry::find_layer_graph(setup.detector, rays);
  setup.collider = params;
  setup.collider.x = rays.x;
  setup.collider.y = rays.y;
  setup.collider.z = rays.z;
  set_sigma_z(setup, settings, settings.sigma_z.value_or(params.sigma_z0));
}

Setup trackml(const Settings& settings) {
  const auto table =
      settings.geometry.empty() ? data_file(trackml_table, "--geometry") : settings.geometry;
  Setup setup{.name = "trackml", .detector = io::read_trackml_detector(table)};
  simulation::set_trackml_material(setup.detector);
  setup.generator = simulation::trackml_generator_params();
  setup.field = MagneticField(2., true);
  add_finder(setup, settings, {});
  return setup;
}

/// Muons of more than 0.6 GeV in TrackML's detector.
Setup acts(const Settings& settings) {
  const auto table = settings.geometry.empty()
                         ? data_file("acts-trackml/trackml-detector.csv.gz", "--geometry")
                         : settings.geometry;
  Setup setup{.name = "acts", .detector = io::read_acts_detector(table)};
  if (std::ranges::any_of(setup.detector.modules, [](const auto& m) { return m.pitch_u <= 0.; }))
    io::copy_pitches(io::read_trackml_detector(data_file(trackml_table, "--detector")),
                     setup.detector);
  simulation::set_trackml_material(setup.detector);
  setup.generator.passive_layers = simulation::trackml_passive_layers();
  setup.field = MagneticField(settings.field.value_or(2.));
  setup.mass = setup.generator.particle_mass = constants::muon_mass;
  add_finder(setup, settings, {.min_pt = 0.5, .max_d0 = 0.2, .mass = setup.mass});
  return setup;
}

Setup small(const Settings& settings) {
  Setup setup{.name = "small", .detector = simulation::small_detector()};
  setup.field = MagneticField(settings.field.value_or(2.));
  add_finder(setup, settings, {.min_pt = 0.3, .max_d0 = 0.2});
  return setup;
}

/// A table of modules: of silicon, as thick as it says.
Setup from_table(const Settings& settings) {
  Setup setup{.name = settings.detector, .detector = io::read_trackml_detector(settings.detector)};
  for (auto& module : setup.detector.modules)
    module.radiation_lengths = module.thickness / kalman::silicon.radiation_length;
  setup.field = MagneticField(settings.field.value_or(2.));
  add_finder(setup, settings, {});
  return setup;
}

}  // namespace

std::string data_file(const std::string& path, const std::string& option) {
  const char* folder = std::getenv("TRACKPLEX_DATA");
  const auto file = std::filesystem::path(folder ? folder : "../shared/data") / path;
  if (!std::filesystem::exists(file))
    throw UsageError(option, "there is no " + file.string(),
                     folder ? "TRACKPLEX_DATA names the folder" : "TRACKPLEX_DATA is not set",
                     "name the file, or use --detector small, which needs none");
  return file.string();
}

Setup setup_of(const Settings& settings) {
  if (settings.detector == "trackml") return trackml(settings);
  if (settings.detector == "acts") return acts(settings);
  if (settings.detector == "small") return small(settings);
  return from_table(settings);
}

void set_sigma_z(Setup& setup, const Settings& settings, double sigma_z) {
  setup.collider.sigma_z0 = setup.beam_spot.sigma_z = sigma_z;
  setup.finder = detector::collider_finder_params(setup.detector, setup.graph, setup.collider);
  if (settings.max_chi2)
    for (auto& pass : setup.finder.passes) pass.building.max_chi2 = *settings.max_chi2;
}

}  // namespace detector_tracker
