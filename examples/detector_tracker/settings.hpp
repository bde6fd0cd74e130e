// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/display_file.hpp>
#include <common/pipeline_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detector_tracker {

using namespace trackplex;

/// Options of the program; those without a value have a default that depends on the detector.
struct Settings {
  std::string detector = "small";  ///< name, or table of modules
  std::string geometry;            ///< table of modules of a detector with a name
  std::optional<double> field;     ///< at the origin, T

  std::vector<std::string> input;  ///< files; none: generated
  std::optional<int> generate;     ///< number of events, or of muons of CMS
  std::string particles;           ///< file with those of generated events, or of ACTS' hits
  std::optional<int> tracks;       ///< particles of a generated event
  std::optional<double> min_pt,    ///< of generated particles, GeV
      max_pt;                      ///< of generated particles, GeV
  std::optional<double> noise,     ///< hits over all hits
      inefficiency;                ///< probability that a module gives no hit
  std::uint64_t seed = 1;          ///< of what is generated

  std::optional<double> max_chi2;                ///< of a hit
  double beam_x = 0., beam_y = 0., beam_z = 0.;  ///< centre of the collisions, cm
  std::optional<double> sigma_z;                 ///< of collisions along the beam, cm
  std::optional<double> above_pt,                ///< of particles that efficiencies are of, GeV
      max_vertex_r;                              ///< of particles that efficiencies are of, cm
  program::DisplayOptions display;
  std::string output;  ///< file of the tracks; empty: none
  program::PipelineRunOptions pipeline;
  int default_batch = 1;  ///< events in memory together

  Settings() {  // smaller batches of larger events than those of other programs
    pipeline.events_per_thread = pipeline.events_per_device = 1;
    pipeline.default_memory = std::uint64_t(1) << 30;
  }
  /// Events in memory together, the first of which tell the spread of collisions.
  std::size_t batch() const {
    return std::size_t(pipeline.events_per_batch > 0 ? pipeline.events_per_batch : default_batch);
  }
};

}  // namespace detector_tracker
