// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/display_file.hpp>
#include <common/pipeline_options.hpp>
#include <common/program.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

using namespace trackplex;

struct Options {
  std::vector<std::string> files;     ///< of the VELO: event files and folders
  std::vector<std::string> inputs;    ///< an MDF file, or folders of bank files
  std::vector<std::string> geometry;  ///< folders; empty: those of the input
  std::string truth;         ///< folder, or "none"; empty: that of the input, if it has one
  std::size_t generate = 0;  ///< events to generate instead
  std::size_t events = 0;    ///< at most so many; 0: all
  int readers = 2;           ///< threads that read event files
  bool skip_bad_events = false;
  std::string parameters = "best";
  std::string constants;    ///< of the VELO; empty: those that belong to `parameters`
  std::string velo_states;  ///< from which the UT is searched; empty: as `parameters`
  std::optional<int> sectors, candidates;  ///< instead of what `parameters` says
  bool vertices = false;                   ///< find primary vertices
  bool long_tracks = false;                ///< find long tracks
  bool all_tracks = false;                 ///< long tracks where the geometry has a SciFi
  std::string kalman_parameters;  ///< folder, or "none"; empty: that in the geometry, if it exists
  std::shared_ptr<const lhcb::KalmanTables> fit_tables{};  ///< read from there
  std::string field_map;                                   ///< file; empty: none
  std::shared_ptr<const geometry::FieldGrid> field{};      ///< read from there
  double max_track_chi2 = 0.;  ///< of the fits of long tracks, over ndf; 0: any
  bool long_with_ut = false;   ///< extend only tracks with hits in the UT to long ones
  std::string long_search;     ///< forward, matching or both; empty: both, or forward with the UT
  int hits_per_slot = lhcb::TripletParams{}.hits_per_slot;
  std::string output, details, write_input;
  program::DisplayOptions display;
  program::PipelineRunOptions pipeline;

  /// Whether long tracks are fitted.
  bool fits_long_tracks() const { return fit_tables != nullptr || field != nullptr; }
  /// The search for long tracks.
  std::string long_method() const;
  /// The year of the VELO constants.
  std::string velo_year() const;
  lhcb::TracksParams tracking() const;
};

/// Adds the options of lhcb_velo, or of lhcb_velo_ut.
void add_options(program::Program& program, Options& options, bool is_velo);

}  // namespace lhcb_velo_ut
