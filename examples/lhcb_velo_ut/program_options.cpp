// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"


namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;

namespace {

lhcb::VeloConstants velo_constants(const std::string& year) {
  return year == "2019"   ? lhcb::VeloConstants::y2019
         : year == "2020" ? lhcb::VeloConstants::y2020
                          : lhcb::VeloConstants::y2023;
}

lhcb::CompassParams compass_params(const std::string& name) {
  using enum lhcb::CompassConstants;
  if (name == "best") return {};
  return lhcb::compass_params(name == "2019"   ? y2019
                              : name == "2020" ? y2020
                              : name == "2023" ? y2023
                                               : paper);
}

void add_event_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Events";
  app.add_option("--input", options.input,
                 "Events: an MDF file, or a folder with banks/VP and banks/UT")
      ->type_name("FILE|DIR")
      ->group(group);
  app.add_option(
         "--geometry", options.geometry,
         "Folder of the detector's description (default: geometry/ in the input's folder or "
         "next to it)")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--truth", options.truth,
                 "Folder of the truth, with tracks/ and PVs/, or none to read none (default: "
                 "MC_info/ likewise, if it is there)")
      ->type_name("DIR|none")
      ->group(group);
  app.add_option("--readers", options.readers, "Threads that read bank files")
      ->type_name("N")
      ->transform(program::whole_number(1, 256))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--skip-bad-events", options.skip_bad_events,
               "Go on after damaged events, which are counted")
      ->group(group);
  app.add_option("--generate", options.generate, "Generate N events with truth instead")
      ->type_name("N")
      ->transform(program::whole_number(1, 1'000'000))
      ->group(group);
  app.add_option("--events", options.events, "Take the first N events only")
      ->type_name("N")
      ->transform(program::whole_number(1, program::max_count))
      ->group(group);
}

void add_tracking_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Tracking";
  app.add_option(
         "--parameters", options.parameters,
         "Cuts of Compass: best (this program's own), those of LHCb's code of 2019, 2020 or "
         "2023, or of the paper")
      ->type_name("NAME")
      ->check(program::one_of({"best", "2019", "2020", "2023", "paper"}))
      ->capture_default_str()
      ->group(group);
  app.add_option(
         "--constants", options.velo_constants,
         "Cuts of the VELO tracking: 2019, 2020 or 2023 (default: the year of --parameters, "
         "else 2023)")
      ->type_name("YEAR")
      ->check(program::one_of({"2019", "2020", "2023"}))
      ->group(group);
  app.add_option("--sectors", options.sectors,
                 "Sector groups to search around a track: 1, 3 or 5 (default: as --parameters)")
      ->type_name("N")
      ->check(program::one_of({"1", "3", "5"}))
      ->group(group);
  app.add_option("--candidates", options.candidates,
                 "Pairs of hits to try for a track, 1 to 16 (default: as --parameters)")
      ->type_name("N")
      ->transform(program::whole_number(1, lhcb::max_pair_candidates))
      ->group(group);
  app.add_option("--hits-per-slot", options.hits_per_slot,
                 "Capacity: room for one VELO track per N hits; lower it if tracks overflow")
      ->type_name("N")
      ->transform(program::whole_number(1, 1000))
      ->capture_default_str()
      ->group(group);
}

void add_output_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Output";
  program::add_table_output(app, "--tracks", options.tracks,
                            "Write the tracks and their hits, as .json, .csv or .h5",
                            {"hits", "events"}, {".json"});
  program::add_output(app, "--details", options.details,
                      "Write all clusters, UT hits, windows and tracks as JSON");
  program::add_output_folder(
      app, "--write-input", options.write_input,
      "Write the events, with truth and geometry, as bank files to a new folder");
  program::add_output(app, "--display", options.display, "Draw one event as SVG", {".svg"});
  app.add_option("--display-event", options.display_event, "Which one, from 0")
      ->type_name("I")
      ->transform(program::whole_number(0, program::max_count))
      ->capture_default_str()
      ->group(group);
}

}  // namespace

program::PipelineRunOptions pipeline_defaults() {
  program::PipelineRunOptions defaults;
  defaults.scans = {"cuts", "pipeline"};
  return defaults;
}

std::string ProgramOptions::velo_year() const {
  if (!velo_constants.empty()) return velo_constants;
  return parameters == "2019" || parameters == "2020" ? parameters : "2023";
}

lhcb::VeloUtParams ProgramOptions::tracking() const {
  lhcb::VeloUtParams result;
  result.velo = lhcb::velo_params(lhcb_velo_ut::velo_constants(velo_year()));
  result.velo.hits_per_slot = hits_per_slot;
  result.ut = compass_params(parameters);
  if (sectors) result.ut.sector_groups = *sectors;
  if (candidates) result.ut.candidates = *candidates;
  return result;
}

void add_options(CLI::App& app, ProgramOptions& options) {
  add_event_options(app, options);
  add_tracking_options(app, options);
  add_output_options(app, options);
  program::add_pipeline_options(app, options.pipeline);
  app.get_option("--scan")->description(
      "cuts (without NAME): 1, 3 and 5 sector groups with 1 to 16 candidates, beside the published "
      "numbers; pipeline: events/s against slots and against events per batch");
  program::add_common_options(app, options.common);
  program::add_examples(
      app,
      {{"lhcb_velo_ut --generate 100", "reconstructs 100 generated events on the default backend"},
       {"lhcb_velo_ut --input events.mdf --geometry geometry/ --skip-bad-events --json report.json",
        "all events of an MDF file but the damaged ones"},
       {"lhcb_velo_ut --input events.mdf --slots 2 --repeat 1 --tracks tracks.csv --trace "
        "trace.svg",
        "reads, reconstructs and writes at the same time, and draws what ran when"},
       {"lhcb_velo_ut --input lhcb-raw/ --parameters paper --scan",
        "efficiencies over sector groups and candidates, with the truth in lhcb-raw/MC_info"},
       {"lhcb_velo_ut --input lhcb-raw/ --backend all --tracks tracks.csv --display event.svg",
        "every backend, which must give the same bits; the tracks as a table, and a picture"},
       {"lhcb_velo_ut --generate 10 --seed 5 --write-input events/",
        "keeps the generated events, to be read with --input events/"}});
}

}  // namespace lhcb_velo_ut
