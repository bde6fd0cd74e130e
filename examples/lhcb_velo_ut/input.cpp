// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/kalman_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/io/lhcb/mdf.hpp>
#include <trackplex/io/lhcb/velo_binary.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/io/tables/field_map_table.hpp>
#include <trackplex/lhcb/fit/magnet_map.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

namespace fs = std::filesystem;
using lhcb::RawEvent;
using Source = program::EventSource<RawEvent>;

namespace {

/// All events of an input are of this type: with their truth, where there is one.
struct Event : RawEvent {
  std::optional<lhcb::McEvent> truth;
};

std::vector<fs::path> paths_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// The folders of this name in the folders of the input, or next to those.
std::vector<fs::path> folders_of_input(const Options& options, const char* name) {
  std::vector<fs::path> folders;
  for (const auto& file_or_folder : options.inputs) {
    const fs::path input = fs::absolute(file_or_folder).lexically_normal();
    const fs::path folder = fs::is_directory(input) ? input : input.parent_path();
    for (const auto& candidate : {folder / name, folder.parent_path() / name}) {
      if (!fs::is_directory(candidate)) continue;
      folders.push_back(candidate);
      break;
    }
  }
  return folders;
}

lhcb::Detector detector_of(const Options& options) {
  if (!options.geometry.empty()) return io::read_detector(paths_of(options.geometry));
  if (options.inputs.empty()) {
    auto detector = simulation::ideal_detector();
    if (options.all_tracks || options.long_tracks || options.long_with_ut)
      detector.scifi = simulation::ideal_scifi();
    return detector;
  }
  const auto folders = folders_of_input(options, "geometry");
  if (folders.empty())
    throw UsageError("--geometry", "there is no folder geometry next to the input", {},
                     "name the folder of the detector description");
  return io::read_detector(folders);
}

/// Throws if an input does not exist, or an MDF file is not the only one.
void check_inputs(const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    if (!fs::exists(input)) throw InputError({input}, "there is no such file or folder");
    if (inputs.size() > 1 && !fs::is_directory(input))
      throw UsageError("--input", input + " is not a folder", "of several inputs",
                       "name one MDF file, or folders that complete each other");
  }
}

/// RUN_NUMBER, the name of an event's files.
std::string file_name(const RawEvent& event) {
  return fmt::format("{}_{}", event.run, event.number);
}

/// Reads the truth of events by the names of their files. In the folder that stands with the input,
/// it may lack for some events; in one that the options name, it may not.
class TruthFiles {
 public:
  explicit TruthFiles(const Options& options) {
    if (options.truth == "none") return;
    is_named_ = !options.truth.empty();
    if (!is_named_) {
      folders_ = folders_of_input(options, "MC_info");
      return;
    }
    fs::path folder = options.truth;
    if (fs::is_directory(folder / "MC_info")) folder /= "MC_info";
    if (!fs::is_directory(folder / "tracks"))
      throw InputError({folder.string()}, "there is no folder tracks in it",
                       "of the truth of the events");
    folders_ = {folder};
  }

  std::optional<lhcb::McEvent> read(const std::string& name) const {
    if (folders_.empty()) return {};
    const auto tracks = file_of("tracks", name);
    if (!is_named_ && !fs::exists(tracks)) return {};
    return lhcb::McEvent{name, io::read_mc_particles(tracks).particles,
                         io::read_mc_vertices(file_of("PVs", name))};
  }

 private:
  /// The file of an event in the last folder that has it.
  fs::path file_of(const char* kind, const std::string& name) const {
    const auto in = [&](const fs::path& folder) { return folder / kind / (name + ".bin"); };
    for (std::size_t i = folders_.size(); i-- > 0;)
      if (fs::exists(in(folders_[i]))) return in(folders_[i]);
    return in(folders_.back());
  }

  std::vector<fs::path> folders_;
  bool is_named_ = false;  ///< by the options
};

/// Throws if an event has clusters of the readout in the place of the VELO's pixels: they are not
/// read, and without VELO there are no tracks.
void check_velo_banks(const io::MdfEvent& event) {
  constexpr int clusters = 73;  // type of bank
  if (event.raw.vp.size() == 0 && event.other_banks.contains(clusters))
    throw InputError({event.raw.name}, "its VELO banks hold clusters, not pixels",
                     "type 73 instead of 63", "this program reads pixels only");
}

Source mdf_source(const Options& options) {
  const auto open = [options] {
    const auto truth = options.truth == "none" ? io::MdfTruth::ignore : io::MdfTruth::read;
    return std::make_shared<io::MdfReader>(io::open_mdf(options.inputs.front(), truth));
  };
  const auto next_of = [options](const std::shared_ptr<io::MdfReader>& reader) {
    return [reader, truth = TruthFiles(options)]() -> Source::Pointer {
      auto event = reader->next();
      if (!event) return nullptr;
      check_velo_banks(*event);
      if (!event->truth) event->truth = truth.read(file_name(event->raw));
      return std::make_shared<Event>(Event{std::move(event->raw), std::move(event->truth)});
    };
  };
  return {.events = options.events,
          .in_memory = false,
          .open = [=]() -> Source::Next { return next_of(open()); },
          .open_some = [=](Source::Numbers numbers) -> Source::Next {
            const auto reader = open();
            return Source::some_of(
                next_of(reader), [=] { return reader->skip(); }, std::move(numbers));
          }};
}

/// The same events.
Source as_raw_events(program::EventSource<Event> source) {
  return {source.events, source.in_memory, std::move(source.open), std::move(source.open_some)};
}

Source folder_source(const Options& options) {
  const auto folders = paths_of(options.inputs);
  const auto names = io::raw_event_names(folders);
  return as_raw_events(program::read_by_threads<Event>(
      names.size(), options.readers, [names, folders, truth = TruthFiles(options)](std::size_t i) {
        return Event{io::read_raw_event(folders, names[i]), truth.read(names[i])};
      }));
}

Source generator_source(const Options& options, const lhcb::Detector& detector,
                        std::uint64_t seed) {
  if (!options.truth.empty()) throw UsageError("--truth", "generated events have their own");
  return as_raw_events(program::made_in_memory<Event>(
      options.generate > 0 ? options.generate : 20,
      [generator = simulation::RawEventGenerator(detector, {}, seed)](std::size_t i) {
        auto event = generator(i);
        return Event{std::move(event.raw), std::move(event.truth)};
      }));
}

/// Throws if an event is not one that bank files hold.
void check_bank_files(std::span<const std::shared_ptr<const RawEvent>> events) {
  const io::BankFileVersions versions;
  std::set<std::string> names;
  for (const auto& event : events) {
    if (!names.insert(file_name(*event)).second)
      throw UsageError("--write-input", "two events have the name " + file_name(*event),
                       "run and number");
    for (const auto& [kind, banks, version] :
         {std::tuple("VP", &event->vp, versions.vp), std::tuple("UT", &event->ut, versions.ut),
          std::tuple("SciFi", &event->scifi, versions.scifi)})
      if (banks->size() > 0 && banks->version != version)
        throw UsageError(
            "--write-input",
            fmt::format("the {} banks of {} are of version {}", kind, event->name, banks->version),
            fmt::format("bank files are read as version {}", version));
  }
}

}  // namespace

Input<lhcb::VeloEvent> input_of_velo(const Options& options, std::uint64_t seed) {
  using lhcb::VeloEvent;
  if (options.files.empty())
    return {{},
            program::made_in_memory<VeloEvent>(options.generate > 0 ? options.generate : 100,
                                               simulation::VeloGenerator({}, seed))};
  const auto files = io::velo_event_files({options.files.begin(), options.files.end()});
  return {{},
          program::read_by_threads<VeloEvent>(files.size(), options.readers, [=](std::size_t i) {
            return io::read_velo_event(files[i]);
          })};
}

Input<RawEvent> input_of_banks(const Options& options, std::uint64_t seed) {
  if (options.inputs.empty()) {
    auto detector = detector_of(options);
    auto source = generator_source(options, detector, seed);
    return {std::move(detector), std::move(source)};
  }
  check_inputs(options.inputs);
  auto source =
      fs::is_directory(options.inputs.front()) ? folder_source(options) : mdf_source(options);
  return {detector_of(options), std::move(source)};
}

std::shared_ptr<const lhcb::KalmanTables> kalman_tables_of(const Options& options) {
  if (options.kalman_parameters == "none" || !options.field_map.empty()) return nullptr;
  fs::path folder = options.kalman_parameters;
  if (folder.empty()) {
    auto folders = options.geometry.empty() ? folders_of_input(options, "geometry")
                                            : paths_of(options.geometry);
    while (!folders.empty() && !fs::is_directory(folders.back() / "kalman")) folders.pop_back();
    if (folders.empty()) return nullptr;
    folder = folders.back() / "kalman";
  }
  return std::make_shared<const lhcb::KalmanTables>(io::read_kalman_tables(folder));
}

std::shared_ptr<const geometry::FieldGrid> field_of(const Options& options,
                                                    const lhcb::Detector& detector) {
  if (options.field_map.empty()) return nullptr;
  auto map = std::make_shared<const geometry::FieldGrid>(io::read_field_grid(options.field_map));
  lhcb::check_magnet_map(*map, detector.polarity, options.field_map);
  return map;
}

const std::optional<lhcb::McEvent>& truth_of(const RawEvent& event) {
  return static_cast<const Event&>(event).truth;
}

void write_input(const std::string& folder, const lhcb::Detector&,
                 std::span<const std::shared_ptr<const lhcb::VeloEvent>> events) {
  make_folder(folder);
  for (std::size_t e = 0; e < events.size(); ++e)
    io::write_velo_binary(fs::path(folder) / fmt::format("velo_event_{}.velo", e), *events[e]);
}

void write_input(const std::string& folder, const lhcb::Detector& detector,
                 std::span<const std::shared_ptr<const RawEvent>> events) {
  check_bank_files(events);
  io::write_detector(fs::path(folder) / "geometry", detector);
  for (const auto& event : events) {
    io::write_raw_event(folder, file_name(*event), *event);
    if (truth_of(*event)) io::write_mc_event(folder, file_name(*event), *truth_of(*event));
  }
}

}  // namespace lhcb_velo_ut
