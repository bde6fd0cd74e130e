// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detector_tracker {

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
  std::optional<int> batch;                      ///< events that are worked on together
  std::optional<double> above_pt,                ///< of particles that efficiencies are of, GeV
      max_vertex_r;                              ///< of particles that efficiencies are of, cm
  std::optional<std::size_t> display;            ///< number of the event to draw
  std::string output;                            ///< file of the tracks; empty: none
  std::string fingerprints;  ///< file of the bits of hits and tracks; empty: none
};

}  // namespace detector_tracker
