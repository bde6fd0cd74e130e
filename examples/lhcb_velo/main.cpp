// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb VELO tracks with Search by triplet, on one backend or all, and compares them
// with the truth.
#include "chain.hpp"
#include "results.hpp"

#include <common/event_runs.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/lhcb/velo_binary.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/io/lhcb/velo_tracks.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <span>

namespace {

using namespace lhcb_velo;
namespace io = trackplex::io;
namespace program = trackplex::program;
using program::Json;
using trackplex::lhcb::VeloEvent;
using trackplex::lhcb::VeloResult;
using Runs = program::EventRuns<VeloEvent, VeloResult>;

struct Options {
  std::vector<std::string> input;  ///< event files and folders of them
  std::size_t generate = 0;        ///< events to generate instead
  std::size_t events = 0;          ///< at most so many; 0: all
  int readers = 2;                 ///< threads that read event files
  std::string constants = "2023";
  int hits_per_slot = trackplex::lhcb::TripletParams{}.hits_per_slot;
  std::string output, write_input;
  std::optional<std::size_t> display;  ///< number of the event to draw
  program::PipelineRunOptions pipeline;

  trackplex::lhcb::TripletParams parameters() const {
    using enum trackplex::lhcb::VeloConstants;
    auto parameters = trackplex::lhcb::velo_params(constants == "2019"   ? y2019
                                                   : constants == "2020" ? y2020
                                                                         : y2023);
    parameters.hits_per_slot = hits_per_slot;
    return parameters;
  }

  Json description(std::uint64_t seed) const {
    Json json = input.empty() ? Json{{"kind", "generated"}, {"seed", seed}}
                              : Json{{"kind", "files"}, {"paths", input}};
    json["constants"] = constants;
    return json;
  }
};

void add_options(program::Program& p, Options& options) {
  auto events = p.group("Events");
  events.text("--input", options.input, "DIR|FILE...",
              "Event files (JSON, or .velo as --write-input writes), or folders of them");
  events.count("--generate", options.generate,
               "Generate N events with truth instead (default without --input: 100)", 1'000'000);
  events.count("--events", options.events, "Use only the first N events");
  events.number("--readers", options.readers, "N", 1, 256, "Threads that read event files");
  auto tracking = p.group("Tracking");
  tracking.word("--constants", options.constants, {"2019", "2020", "2023"},
                "Cuts of LHCb's code of 2019, 2020 or 2023", "YEAR");
  tracking.number("--hits-per-slot", options.hits_per_slot, "N", 1, 1000,
                  "Capacity: one track slot per N hits; lower it if tracks overflow");
  auto output = p.group("Output");
  output.table("--output", options.output,
               "Write the tracks and their hits, as .json, .csv, .h5 or .sdds", {"hits", "events"},
               {".json"});
  output.output_folder("--write-input", options.write_input,
                       "Write the events to a new folder as binary files, which load many "
                       "times faster than JSON");
  output.number("--display", options.display, "I", 0, program::max_count,
                "Add a plot of event I, from 0, to the report");
  program::add_pipeline_options(p.group("Pipeline"), options.pipeline);
  p.example("lhcb_velo --generate 100", "100 generated events on the default backend");
  p.example("lhcb_velo --input minibias/ --backend all --threads 1,2 --json report.json",
            "all events of a folder on every backend; the tracks must be the same, bit for bit");
  p.example("lhcb_velo --input event.json --output tracks.csv --display 0 --json report.json",
            "the tracks of one event as a table; scripts/plot report.json draws it");
  p.example("lhcb_velo --input minibias/ --slots 2 --repeat 1 --output tracks.csv --trace t.json",
            "reads, reconstructs and writes concurrently; scripts/plot t.json draws the timeline");
  p.example("lhcb_velo --input minibias/ --repeat 1 --write-input minibias-binary/",
            "converts JSON events to binary files, which give the same tracks, bit for bit");
  p.example("mpirun -n 4 lhcb_velo --input minibias/ --repeat 1 --journal run.journal",
            "four ranks share the events; if the run is killed, the same command line continues");
  p.example("lhcb_velo --slots 2 --scan --json scan.json",
            "events/s against slots and against events per batch");
  p.add_common_options();
}

program::EventSource<VeloEvent> source_of(const Options& options, std::uint64_t seed) {
  program::check_one_input(!options.input.empty(), options.generate > 0);
  if (options.input.empty())
    return program::limited(
        program::made_in_memory<VeloEvent>(options.generate > 0 ? options.generate : 100,
                                           trackplex::simulation::VeloGenerator({}, seed)),
        options.events);
  const auto files = io::velo_event_files({options.input.begin(), options.input.end()});
  return program::limited(program::read_by_threads<VeloEvent>(
                              files.size(), options.readers,
                              [files](std::size_t i) { return io::read_velo_event(files[i]); }),
                          options.events);
}

/// The fingerprint of all hits and all bits of all states.
std::string hash_of(std::span<const VeloResult> events) {
  trackplex::Fingerprint hash;
  for (const auto& event : events) trackplex::lhcb::add_tracks(hash, event.tracks);
  return hash.hex();
}

void write_input(const std::string& folder, const Runs::Events& events) {
  trackplex::make_folder(folder);
  for (std::size_t e = 0; e < events.size(); ++e)
    io::write_velo_binary(std::filesystem::path(folder) / fmt::format("velo_event_{}.velo", e),
                          *events[e]);
}

void warn(const program::Program& p, const Results& results, const Options& options) {
  if (results.overflow > 0)
    p.warn("{} seeds in {} events found no slot and are lost; lower --hits-per-slot (now {})",
           results.overflow, results.overflowing_events, options.hits_per_slot);
  // Tracks that all are ghosts are those of other events than the truth is of.
  constexpr std::size_t many = 10;
  if (results.truth.tracks >= many && results.truth.ghosts == results.truth.tracks)
    p.warn("none of {} tracks matches a particle; does the truth belong to these events?",
           results.truth.tracks);
}

const std::vector<program::StepGroup> timed = {
    {"load", {"stage_velo_hits", "copy_velo_hits"}},
    {"sort", {"sort_by_phi"}},
    {"search", {"search_by_triplet"}},
    {"fit", {"fit_lines"}},
    {"copy_back", {"fetch_velo_tracks", "collect_velo_tracks"}},
    {"total", {"sort_by_phi", "search_by_triplet", "fit_lines"}}};

void run(program::Program& p, const Options& options) {
  if (options.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(
        p, [](const auto& r) { return calls_of(r, {}).listing; });
  p.input = options.description(p.options.seed);
  Runs runs(p, options.pipeline, source_of(options, p.options.seed), hash_of);
  std::optional<io::VeloTrackFile> file;
  if (!options.output.empty()) {
    file.emplace(options.output, p.metadata(), io::real_type(p.options.first_precision()));
    runs.write = [&](const VeloEvent& event, const VeloResult& result) {
      file->add(event.name, result.tracks);
    };
  }
  Runs::Found first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    const auto calls = calls_of(r, options.parameters());
    auto found = std::move(runs.take(calls, {{.groups = timed}}, report).front());
    report.hash = found.hash;
    std::size_t lost = 0;
    for (const auto& result : found.results) lost += result.overflow;
    report.compared = fmt::format("{} seeds lost", lost);
    if (p.is_first_run()) first = std::move(found);
    runs.scan(calls, first.events);
  });
  if (!p.is_first_rank()) return;
  if (file) file->finish();
  if (!options.write_input.empty()) write_input(options.write_input, first.events);

  const Results results(first.events, first.results);
  warn(p, results, options);
  p.input["events"] = results.events;
  p.results = results.to_json();
  p.text = fmt::format("{} events, {} hits; constants of {}\n{}", results.events, results.hits,
                       options.constants, results.text()) +
           p.text;
  if (const auto i = runs.displayed(options.display, first.events))
    p.plots.push_back(event_display(*first.events[*i], first.results[*i].tracks));
  runs.finish();
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p(
      "lhcb_velo", "Reconstructs the tracks of LHCb VELO events with Search by triplet.", "event");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
