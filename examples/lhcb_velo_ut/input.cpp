// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/io/bank_files.hpp>
#include <trackplex/io/lhcb_geometry.hpp>
#include <trackplex/io/mc_truth.hpp>
#include <trackplex/io/mdf.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace lhcb_velo_ut {

namespace fs = std::filesystem;
namespace io = trackplex::io;
namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;

namespace {

/// A folder of this name in the input's folder, or next to that; empty if there is none.
fs::path folder_of_input(const ProgramOptions& options, const char* name) {
  const fs::path input = fs::absolute(options.input).lexically_normal();
  const fs::path folder = fs::is_directory(input) ? input : input.parent_path();
  for (const auto& candidate : {folder / name, folder.parent_path() / name})
    if (fs::is_directory(candidate)) return candidate;
  return {};
}

fs::path geometry_folder(const ProgramOptions& options) {
  if (!options.geometry.empty()) return options.geometry;
  const auto folder = folder_of_input(options, "geometry");
  if (folder.empty())
    throw trackplex::UsageError("--geometry", "the input has no folder geometry with it", {},
                                "say where the detector's description is");
  return folder;
}

/// RUN_NUMBER, the name of an event's files.
std::string file_name(const lhcb::RawEvent& event) {
  return fmt::format("{}_{}", event.run, event.number);
}

/// Reads the truth of events by the names of their files. In the folder that stands with the input,
/// it may lack for some events; in one that the options name, it may not.
class Truth {
 public:
  explicit Truth(const ProgramOptions& options) {
    if (options.truth.empty()) {
      folder_ = folder_of_input(options, "MC_info");
      is_named_ = false;
      return;
    }
    folder_ = options.truth;
    if (fs::is_directory(folder_ / "MC_info")) folder_ /= "MC_info";
    if (!fs::is_directory(folder_ / "tracks"))
      throw trackplex::InputError({folder_.string()}, "there is no folder tracks in it",
                                  "of the truth of the events");
  }

  std::optional<lhcb::McEvent> read(const std::string& name) const {
    const auto tracks = folder_ / "tracks" / (name + ".bin");
    if (folder_.empty() || (!is_named_ && !fs::exists(tracks))) return {};
    return lhcb::McEvent{name, io::read_mc_particles(tracks).particles,
                         io::read_mc_vertices(folder_ / "PVs" / (name + ".bin"))};
  }

 private:
  fs::path folder_;
  bool is_named_ = true;  ///< by the options
};

/// Adds the next event, or skips it if it is damaged and that is allowed.
template <class Read>
void add_event(const ProgramOptions& options, Input& input, const Read& read) {
  try {
    read();
  } catch (const trackplex::InputError& error) {
    if (!options.skip_bad_events) throw;
    ++input.bad_events;
    fmt::print(stderr, "lhcb_velo_ut: warning: skipped an event: {}\n", error.what());
  }
}

bool wants_more(const ProgramOptions& options, const Input& input) {
  return options.events == 0 || input.events.size() < options.events;
}

void add(Input& input, lhcb::RawEvent event, std::optional<lhcb::McEvent> truth) {
  input.events.push_back(std::move(event));
  input.truth.push_back(std::move(truth));
}

/// Throws if an event has clusters of the readout in the place of the VELO's pixels: they are not
/// read, and without VELO there are no tracks.
void check_velo_banks(const io::MdfEvent& event) {
  constexpr int clusters = 73;  // type of bank
  if (event.raw.vp.size() == 0 && event.other_banks.contains(clusters))
    throw trackplex::InputError({event.raw.name}, "its VELO banks hold clusters, not pixels",
                                "type 73 instead of 63", "this program makes the clusters itself");
}

void read_mdf(const ProgramOptions& options, Input& input) {
  const Truth truth(options);
  auto reader = io::open_mdf(options.input);
  program::ProgressBar progress("reading events", options.events, options.common);
  for (bool more = true; more && wants_more(options, input);) {
    add_event(options, input, [&] {
      auto event = reader.next();
      if (!(more = event.has_value())) return;
      check_velo_banks(*event);
      if (!event->truth) event->truth = truth.read(file_name(event->raw));
      add(input, std::move(event->raw), std::move(event->truth));
    });
    progress.advance();
  }
}

void read_folder(const ProgramOptions& options, const std::vector<std::string>& names,
                 Input& input) {
  const Truth truth(options);
  program::ProgressBar progress("reading events", names.size(), options.common);
  for (const auto& name : names) {
    if (!wants_more(options, input)) break;
    add_event(options, input, [&] {
      auto event = io::read_raw_event(options.input, name);
      add(input, std::move(event), truth.read(name));
    });
    progress.advance();
  }
}

void generate(const ProgramOptions& options, Input& input) {
  const auto n = options.events > 0 ? std::min(options.events, options.generate) : options.generate;
  program::ProgressBar progress("generating events", n, options.common);
  const trackplex::simulation::RawEventGenerator generator(input.detector, {}, options.common.seed);
  for (std::size_t i = 0; i < n; ++i) {
    auto event = generator(i);
    add(input, std::move(event.raw), std::move(event.truth));
    progress.advance();
  }
}

/// Throws if an event is not one that bank files hold.
void check_bank_files(const Input& input) {
  const io::BankFileVersions versions;
  std::set<std::string> names;
  for (const auto& event : input.events) {
    if (!names.insert(file_name(event)).second)
      throw trackplex::UsageError("--write-input", "two events have the name " + file_name(event),
                                  "run and number");
    for (const auto& [kind, banks, version] :
         {std::tuple("VP", &event.vp, versions.vp), std::tuple("UT", &event.ut, versions.ut)})
      if (banks->size() > 0 && banks->version != version)
        throw trackplex::UsageError(
            "--write-input",
            fmt::format("the {} banks of {} are of version {}", kind, event.name, banks->version),
            fmt::format("bank files are read as version {}", version));
  }
}

}  // namespace

void write_input(const std::string& folder, const Input& input) {
  if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)))
    throw trackplex::UsageError("--write-input", folder + " is there already", {},
                                "name a new or empty folder");
  check_bank_files(input);
  io::write_detector(fs::path(folder) / "geometry", input.detector);
  for (std::size_t e = 0; e < input.events.size(); ++e) {
    const auto name = file_name(input.events[e]);
    io::write_raw_event(folder, name, input.events[e]);
    if (input.truth[e]) io::write_mc_event(folder, name, *input.truth[e]);
  }
}

Input read_input(const ProgramOptions& options) {
  const bool read = !options.input.empty(), generated = options.generate > 0;
  if (read == generated)
    throw trackplex::UsageError("", "events come from either --input or --generate",
                                read ? "both were given" : "neither was given", "see --help");
  if (generated && !options.truth.empty())
    throw trackplex::UsageError("--truth", "generated events have their own");
  Input input;
  if (generated) {
    input.detector = options.geometry.empty() ? trackplex::simulation::ideal_detector()
                                              : io::read_detector(options.geometry);
    generate(options, input);
    return input;
  }
  if (!fs::exists(options.input))
    throw trackplex::InputError({options.input}, "there is no such file or folder");
  const bool is_folder = fs::is_directory(options.input);
  const auto names = is_folder ? io::raw_event_names(options.input) : std::vector<std::string>();
  input.detector = io::read_detector(geometry_folder(options));
  is_folder ? read_folder(options, names, input) : read_mdf(options, input);
  if (input.events.empty())
    throw trackplex::InputError({options.input}, "no event can be reconstructed",
                                fmt::format("{} are damaged", input.bad_events));
  return input;
}

program::Json describe(const ProgramOptions& options, const Input& input) {
  program::Json json;
  if (options.input.empty()) {
    json = {{"kind", "generated"}, {"seed", options.common.seed}};
  } else {
    json = {{"kind", fs::is_directory(options.input) ? "bank files" : "mdf"},
            {"path", options.input}};
  }
  json["events"] = input.events.size();
  json["bad_events"] = input.bad_events;
  const auto tracking = options.tracking();
  json["parameters"] = options.parameters;
  json["velo_constants"] = options.velo_year();
  json["sectors"] = tracking.ut.sector_groups;
  json["candidates"] = tracking.ut.candidates;
  return json;
}

}  // namespace lhcb_velo_ut
