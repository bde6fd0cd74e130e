// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"


namespace lhcb_velo {

namespace program = trackplex::program;

trackplex::seeding::TripletParams ProgramOptions::parameters() const {
  using trackplex::lhcb::VeloConstants;
  auto parameters = trackplex::lhcb::velo_params(constants == "2019"   ? VeloConstants::y2019
                                                 : constants == "2020" ? VeloConstants::y2020
                                                                       : VeloConstants::y2023);
  parameters.hits_per_slot = hits_per_slot;
  return parameters;
}

void add_options(CLI::App& app, ProgramOptions& options) {
  const std::string events = "Events";
  app.add_option("--input", options.input,
                 "Event files (JSON, or .velo as --write-input writes), or folders of them")
      ->type_name("DIR|FILE...")
      ->group(events);
  app.add_option("--generate", options.generate, "Generate N events with truth instead")
      ->type_name("N")
      ->transform(program::whole_number(1, 1'000'000))
      ->group(events);
  app.add_option("--events", options.events, "Take the first N events only")
      ->type_name("N")
      ->transform(program::whole_number(1, program::max_count))
      ->group(events);
  app.add_option("--readers", options.readers, "Threads that read event files")
      ->type_name("N")
      ->transform(program::whole_number(1, 256))
      ->capture_default_str()
      ->group(events);

  const std::string tracking = "Tracking";
  app.add_option("--constants", options.constants, "Cuts of LHCb's code of 2019, 2020 or 2023")
      ->type_name("YEAR")
      ->check(program::one_of({"2019", "2020", "2023"}))
      ->capture_default_str()
      ->group(tracking);
  app.add_option("--hits-per-slot", options.hits_per_slot,
                 "Capacity: room for one track per N hits; lower it if tracks overflow")
      ->type_name("N")
      ->transform(program::whole_number(1, 1000))
      ->capture_default_str()
      ->group(tracking);

  const std::string output = "Output";
  program::add_table_output(app, "--tracks", options.tracks,
                            "Write the tracks and their hits, as .json, .csv or .h5",
                            {"hits", "events"}, {".json"});
  program::add_output_folder(app, "--write-input", options.write_input,
                             "Write the events to a new folder as binary files, which are read "
                             "many times faster than JSON");
  program::add_output(app, "--display", options.display, "Draw one event as SVG", {".svg"});
  app.add_option("--display-event", options.display_event, "Which one, from 0")
      ->type_name("I")
      ->transform(program::whole_number(0, program::max_count))
      ->capture_default_str()
      ->group(output);

  program::add_pipeline_options(app, options.pipeline);
  program::add_common_options(app, options.common);
  program::add_examples(
      app,
      {{"lhcb_velo --generate 100", "reconstructs 100 generated events on the default backend"},
       {"lhcb_velo --input minibias/ --backend all --repeat 20 --json report.json",
        "all events of a folder on every backend; the tracks must be the same, bit for bit"},
       {"lhcb_velo --input event.json --tracks tracks.csv --display event.svg",
        "the tracks of one event as a table and as a picture"},
       {"lhcb_velo --input minibias/ --slots 2 --repeat 1 --tracks tracks.csv --trace trace.svg",
        "reads, reconstructs and writes at the same time, and draws what ran when"},
       {"lhcb_velo --input minibias/ --repeat 1 --write-input minibias-binary/",
        "makes binary files of events in JSON; the tracks of these are the same, bit for bit"},
       {"lhcb_velo --generate 1000 --slots 2 --scan --scan-figure scan.svg",
        "events/s against slots and against events per batch"}});
}

}  // namespace lhcb_velo
