// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/io/bank_files.hpp>
#include <trackplex/io/lhcb_geometry.hpp>
#include <trackplex/io/mc_truth.hpp>
#include <trackplex/io/mdf.hpp>
#include <trackplex/pipeline/read_ahead.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
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
    if (options.truth == "none") {
      is_named_ = false;
      return;
    }
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

/// Throws if an event has clusters of the readout in the place of the VELO's pixels: they are not
/// read, and without VELO there are no tracks.
void check_velo_banks(const io::MdfEvent& event) {
  constexpr int clusters = 73;  // type of bank
  if (event.raw.vp.size() == 0 && event.other_banks.contains(clusters))
    throw trackplex::InputError({event.raw.name}, "its VELO banks hold clusters, not pixels",
                                "type 73 instead of 63", "this program makes the clusters itself");
}

EventSource::Next open_mdf(const ProgramOptions& options) {
  const auto reads_truth = options.truth == "none" ? io::MdfTruth::ignore : io::MdfTruth::read;
  const auto reader = std::make_shared<io::MdfReader>(io::open_mdf(options.input, reads_truth));
  return [reader, truth = Truth(options)]() -> std::optional<InputEvent> {
    auto event = reader->next();
    if (!event) return {};
    check_velo_banks(*event);
    if (!event->truth) event->truth = truth.read(file_name(event->raw));
    return InputEvent{std::move(event->raw), std::move(event->truth)};
  };
}

EventSource::Next open_folder(const ProgramOptions& options) {
  const auto names = io::raw_event_names(options.input);
  const auto read = [input = options.input, names, truth = Truth(options)](std::size_t i) {
    return InputEvent{io::read_raw_event(input, names[i]), truth.read(names[i])};
  };
  using Reader = trackplex::pipeline::ReadAhead<InputEvent>;
  const auto reader = std::make_shared<Reader>(names.size(), options.readers, read);
  return [reader] { return (*reader)(); };
}

EventSource::Next open_generator(const ProgramOptions& options, const lhcb::Detector& detector) {
  const auto generator = std::make_shared<trackplex::simulation::RawEventGenerator>(
      detector, trackplex::simulation::RawEventParams{}, options.common.seed);
  return
      [generator, n = options.generate, i = std::size_t(0)]() mutable -> std::optional<InputEvent> {
        if (i == n) return {};
        auto event = (*generator)(i++);
        return InputEvent{std::move(event.raw), std::move(event.truth)};
      };
}

/// Ends after so many events that are not damaged; 0: never.
EventSource::Next limited(EventSource::Next next, std::size_t events) {
  if (events == 0) return next;
  return [next = std::move(next), left = events]() mutable -> std::optional<InputEvent> {
    if (left == 0) return {};
    auto event = next();
    --left;
    return event;
  };
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
  check_bank_files(input);
  io::write_detector(fs::path(folder) / "geometry", input.detector);
  for (std::size_t e = 0; e < input.events.size(); ++e) {
    const auto name = file_name(input.events[e]);
    io::write_raw_event(folder, name, input.events[e]);
    if (input.truth[e]) io::write_mc_event(folder, name, *input.truth[e]);
  }
}

EventSource event_source(const ProgramOptions& options) {
  const bool read = !options.input.empty(), generated = options.generate > 0;
  if (read == generated)
    throw trackplex::UsageError("", "events come from either --input or --generate",
                                read ? "both were given" : "neither was given", "see --help");
  if (generated && !options.truth.empty())
    throw trackplex::UsageError("--truth", "generated events have their own");
  const auto at_most = [&](std::size_t n) {
    return options.events > 0 ? std::min(options.events, n) : n;
  };
  if (generated) {
    auto detector = options.geometry.empty() ? trackplex::simulation::ideal_detector()
                                             : io::read_detector(options.geometry);
    return {detector, at_most(options.generate), [options, detector] {
              return limited(open_generator(options, detector), options.events);
            }};
  }
  if (!fs::exists(options.input))
    throw trackplex::InputError({options.input}, "there is no such file or folder");
  const bool is_folder = fs::is_directory(options.input);
  const std::size_t events =
      is_folder ? at_most(io::raw_event_names(options.input).size()) : options.events;
  return {io::read_detector(geometry_folder(options)), events, [options, is_folder] {
            return limited(is_folder ? open_folder(options) : open_mdf(options), options.events);
          }};
}

Input read_input(const ProgramOptions& options) {
  auto source = event_source(options);
  Input input;
  const auto next = source.open();
  program::ProgressBar progress(options.generate > 0 ? "generating events" : "reading events",
                                source.events, options.common);
  for (;;) {
    try {
      if (auto event = next()) {
        input.events.push_back(std::move(event->raw));
        input.truth.push_back(std::move(event->truth));
      } else {
        break;
      }
    } catch (const trackplex::InputError& error) {
      if (!options.skip_bad_events) throw;
      ++input.bad_events;
      fmt::print(stderr, "lhcb_velo_ut: warning: skipped an event: {}\n", error.what());
    }
    progress.advance();
  }
  input.detector = std::move(source.detector);
  check_not_empty(options, input);
  return input;
}

void check_not_empty(const ProgramOptions& options, const Input& input) {
  if (input.events.empty())
    throw trackplex::InputError({options.input}, "no event can be reconstructed",
                                fmt::format("{} are damaged", input.bad_events));
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
