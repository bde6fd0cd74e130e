// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <fmt/format.h>

namespace lhcb_velo_ut {

std::string Options::velo_year() const {
  if (!constants.empty()) return constants;
  return parameters == "2019" || parameters == "2020" ? parameters : "2023";
}

std::string Options::long_method() const {
  if (!long_search.empty()) return long_search;
  return long_with_ut ? "forward" : "both";
}

lhcb::TracksParams Options::tracking() const {
  lhcb::TracksParams params;
  auto& result = params.velo_ut;
  using enum lhcb::VeloConstants;
  const auto year = velo_year();
  result.velo = lhcb::velo_params(year == "2019" ? y2019 : year == "2020" ? y2020 : y2023);
  result.velo.hits_per_slot = hits_per_slot;
  using Compass = lhcb::CompassConstants;
  if (parameters != "best")
    result.ut = lhcb::compass_params(parameters == "2019"   ? Compass::y2019
                                     : parameters == "2020" ? Compass::y2020
                                     : parameters == "2023" ? Compass::y2023
                                                            : Compass::paper);
  if (sectors) result.ut.sector_groups = *sectors;
  if (candidates) result.ut.candidates = *candidates;
  if (!velo_states.empty()) result.ut.end_of_velo_states = velo_states == "end";
  params.find_long_tracks = long_tracks;
  using enum lhcb::LongTrackMethod;
  const auto method = long_method();
  params.method = method == "forward" ? forward : method == "matching" ? matching : both;
  params.long_tracks.without_ut = method == "forward" && !long_with_ut;
  params.fit_tables = fit_tables;
  params.field_map = field;
  params.fit.max_chi2_per_ndf = max_track_chi2;
  return params;
}

namespace {

void add_event_options(program::OptionGroup events, Options& options, bool is_velo) {
  if (is_velo) {
    events.input("--input", options.files, "DIR|FILE...",
                 "Event files (JSON, or .velo as --write-input writes), or folders of them");
  } else {
    events.input("--input", options.inputs, "FILE|DIR...",
                 "Events: an MDF file, or a folder with banks/VP, banks/UT and, if there are any, "
                 "banks/FTCluster; folders may complete each other, the last one prevails");
    events.input("--geometry", options.geometry, "DIR...",
                 "Detector description (default: geometry/ in the input's folder or next to it)");
    events.input(
        "--truth", options.truth, "DIR|none",
        "Truth, with tracks/ and PVs/, or none (default: MC_info/ likewise, if it exists)");
    events.flag("--skip-bad-events", options.skip_bad_events,
                "Continue after damaged events, which are counted");
  }
  events.number("--readers", options.readers, "N", 1, 256, "Threads that read event files");
  events.count("--generate", options.generate,
               fmt::format("Generate N events with truth instead (default without --input: {})",
                           is_velo ? 100 : 20),
               1'000'000);
  events.count("--events", options.events, "Use only the first N events");
}

void add_tracking_options(program::OptionGroup tracking, Options& options, bool is_velo) {
  const std::vector<std::string> years = {"2019", "2020", "2023"};
  const std::string velo = "Cuts of the VELO tracking: LHCb's code of 2019, 2020 or 2023";
  if (is_velo) {
    tracking.word("--constants", options.constants = "2023", years, velo, "YEAR");
  } else {
    tracking.word(
        "--parameters", options.parameters, {"best", "2019", "2020", "2023", "paper"},
        "Cuts of Compass: best (this library), 2019, 2020 or 2023 (LHCb's code), or paper");
    tracking.word("--constants", options.constants, years,
                  velo + " (default: as --parameters, or 2023)", "YEAR");
    tracking.word("--velo-states", options.velo_states, {"beam", "end"},
                  "Search the UT from states at the beam, or at the end of the VELO (default: as "
                  "--parameters)");
    tracking
        .number("--sectors", options.sectors, "N", 1, 5,
                "Sector groups to search around a track: 1, 3 or 5 (default: as --parameters)")
        .allow({"1", "3", "5"});
    tracking.number("--candidates", options.candidates, "N", 1, lhcb::max_pair_candidates,
                    "Pairs of hits to try per track, 1 to 16 (default: as --parameters)");
    tracking.flag("--vertices", options.vertices,
                  "Find primary vertices (default: if the geometry has a SciFi, whose banks are "
                  "decoded, too)");
    tracking.flag("--long", options.long_tracks,
                  "Find long tracks, through the SciFi, which the geometry must have");
    tracking.flag("--long-with-ut", options.long_with_ut,
                  "Find only long tracks with hits in the UT, in less time");
    tracking.word("--long-search", options.long_search, {"forward", "matching", "both"},
                  "Search for long tracks: forward from the VELO, matching of tracks in the SciFi "
                  "with those of the VELO, or both (default: both; forward with --long-with-ut)");
    tracking.input(
        "--kalman-parameters", options.kalman_parameters, "DIR|none",
        "Fit long tracks with the parameters of this folder, or not (default: kalman/ in "
        "the detector description, if it exists)");
    tracking.input("--field-map", options.field_map, "FILE",
                   "Fit long tracks in this map of the magnet (x, y, z, Bx, By, Bz) instead");
    tracking.number("--max-track-chi2", options.max_track_chi2, "X", 0., 1e6,
                    "Drop long tracks whose fit has a larger chi2/ndf; 0: none");
  }
  tracking.number("--hits-per-slot", options.hits_per_slot, "N", 1, 1000,
                  "Capacity: one VELO track slot per N hits; lower it if tracks overflow");
}

void add_output_options(program::OptionGroup output, Options& options, bool is_velo) {
  std::vector<std::string> beside = {"hits", "events"};
  if (!is_velo) beside.insert(beside.end(), {"vertices", "long_tracks", "long_hits", "long_fits"});
  output.table(
      "--output", options.output,
      is_velo
          ? "Write the tracks and their hits, as .json, .csv, .h5 or .sdds"
          : "Write the tracks, their hits, vertices and long tracks, as .json, .csv, .h5 or .sdds",
      beside, {".json"});
  if (!is_velo)
    output.output("--details", options.details,
                  "Write all clusters, UT hits, windows and tracks as JSON");
  output.output_folder(
      "--write-input", options.write_input,
      is_velo ? "Write the events to a new folder as binary files, which load many times faster "
                "than JSON"
              : "Write the events, with truth and geometry, as bank files to a new folder");
  program::add_display_options(output, options.display);
}

void add_examples(program::Program& p, bool is_velo) {
  const auto add = [&](const char* arguments, const char* purpose) {
    p.example(fmt::format(fmt::runtime(arguments), fmt::arg("program", p.name()),
                          fmt::arg("input", is_velo ? "minibias/" : "events.mdf")),
              purpose);
  };
  add("{program} --generate 100", "100 generated events on the default backend");
  if (is_velo)
    add("{program} --input {input} --repeat 1 --write-input binary/",
        "converts JSON events to binary files, which give the same tracks, bit for bit");
  else
    add("{program} --input {input} --geometry geometry/ --skip-bad-events",
        "all undamaged events of an MDF file");
  add("{program} --input {input} --backend all --threads 1,2 --display 0 --json report.json",
      "every backend, which must give the same bits; scripts/plot report.json draws event 0");
  add("{program} --input {input} --slots 2 --output tracks.csv --trace trace.json",
      "reads, reconstructs and writes concurrently; scripts/plot trace.json draws the timeline");
  add("{program} --generate 10 --seed 5 --write-input events/",
      "keeps the generated events, for --input events/");
  add("mpirun -n 4 {program} --input {input} --repeat 1 --journal run.journal",
      "four ranks share the events; if the run is killed, the same command line continues");
}

}  // namespace

void add_options(program::Program& p, Options& options, bool is_velo) {
  add_event_options(p.group("Events"), options, is_velo);
  add_tracking_options(p.group("Tracking"), options, is_velo);
  add_output_options(p.group("Output"), options, is_velo);
  program::add_pipeline_options(p.group("Pipeline"), options.pipeline);
  add_examples(p, is_velo);
  p.add_common_options();
}

}  // namespace lhcb_velo_ut
