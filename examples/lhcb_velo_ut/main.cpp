// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb tracks on one backend or all, and compares them with the truth: through VELO
// and UT from raw banks or, as the mode lhcb_velo, in the VELO from its hits.
#include "chain.hpp"
#include "input.hpp"
#include "results.hpp"

#include <common/display_file.hpp>
#include <common/event_runs.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/display/detector_frames.hpp>
#include <trackplex/io/display/lhcb_display.hpp>
#include <trackplex/io/lhcb/velo_tracks.hpp>
#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/lhcb/fingerprints.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace lhcb_velo_ut;
using lhcb::RawEvent;
using lhcb::VeloEvent;
using program::Json;

Json description(const Options& options, std::uint64_t seed) {
  Json json = {{"kind", "generated"}, {"seed", seed}};
  if (!options.inputs.empty())
    json = {{"kind", std::filesystem::is_directory(options.inputs.front()) ? "bank files" : "mdf"},
            {"path", options.inputs.front()}};
  if (options.inputs.size() > 1)
    json["further_paths"] =
        std::vector<std::string>(options.inputs.begin() + 1, options.inputs.end());
  if (!options.files.empty()) json = {{"kind", "files"}, {"paths", options.files}};
  return json;
}

/// What is reconstructed with: of the VELO, and of the UT.
Json description(const Options& options, const VeloEvent*) {
  return {{"constants", options.velo_year()}};
}
Json description(const Options& options, const RawEvent*) {
  const auto cuts = options.tracking().velo_ut.ut;
  Json json = {{"parameters", options.parameters},
               {"velo_constants", options.velo_year()},
               {"sectors", cuts.sector_groups},
               {"candidates", cuts.candidates}};
  if (options.long_tracks) {
    json["long_tracks"] = options.long_with_ut ? "with UT" : "all";
    json["long_search"] = options.long_method();
    json["long_fits"] = options.fits_long_tracks();
    if (options.field) json["field_map"] = options.field_map;
    if (options.max_track_chi2 > 0.) json["max_track_chi2"] = options.max_track_chi2;
  }
  return json;
}

/// The steps that are timed together.
std::vector<program::StepGroup> timed(const VeloEvent*, const Options&, bool) {
  return {{"load", {"stage_velo_hits", "copy_velo_hits"}},
          {"sort", {"sort_by_phi"}},
          {"search", {"search_by_triplet"}},
          {"fit", {"fit_lines"}},
          {"copy_back", {"count_velo_tracks", "pack_velo_tracks", "collect_velo_tracks"}},
          {"total", {"sort_by_phi", "search_by_triplet", "fit_lines"}}};
}
std::vector<program::StepGroup> timed(const RawEvent*, const Options& options, bool all_steps) {
  std::vector<program::StepGroup> groups = {
      {"load", {"stage_banks", "stage_scifi_banks", "copy_banks", "copy_scifi_banks"}},
      {"vp_clustering", {"cluster_vp"}},
      {"velo", {"sort_by_phi", "search_by_triplet", "fit_lines", "velo_end_states"}},
      {"ut_decoding", {"decode_ut"}},
      {"ut_windows", {"ut_windows"}},
      {"ut_tracklets", {"ut_tracks"}}};
  if (all_steps) {
    groups.push_back({"vertices", {"velo_beam_states", "find_vertices"}});
    groups.push_back({"scifi_decoding", {"decode_scifi"}});
  }
  if (options.long_tracks)
    groups.push_back({"long_tracks", {"long_tracks", "scifi_tracks", "match_tracks"}});
  if (options.fits_long_tracks())
    groups.push_back(
        {"long_fits", {options.field ? "fit_long_tracks_in_field" : "fit_long_tracks"}});
  std::vector<std::string> work;
  for (std::size_t g = 1; g < groups.size(); ++g)
    work.insert(work.end(), groups[g].steps.begin(), groups[g].steps.end());
  groups.push_back({"copy_back",
                    {"count_velo_ut", "count_tracks", "pack_velo_ut", "pack_tracks",
                     "collect_velo_ut", "collect_tracks"}});
  groups.push_back({"total", std::move(work)});
  return groups;
}

/// The fingerprint of all results, to the last bit.
template <class Result>
std::string hash_of(std::span<const Result> events) {
  Fingerprint hash;
  for (const auto& event : events)
    if constexpr (std::is_same_v<Result, lhcb::VeloResult>)
      lhcb::add_tracks(hash, event.tracks);
    else
      lhcb::add_result(hash, event);
  return hash.hex();
}

/// The files that are written event by event, as the options say.
template <class Event>
class Files {
 public:
  Files(const Options& options, const program::Program& p, const io::FurtherTables& further)
      : display_(options.display), long_tracks_(further.long_tracks) {
    if (!options.output.empty()) {
      const auto real = io::real_type(p.options.first_precision());
      if constexpr (is_velo<Event>)
        tracks_.emplace(options.output, p.metadata(), real);
      else
        tracks_.emplace(options.output, p.metadata(), real, further);
    }
    if (!options.details.empty()) details_.emplace(options.details);
  }
  void add(const Event& event, const ResultOf<Event>& found) {
    if constexpr (is_velo<Event>) {
      if (tracks_) tracks_->add(event.name, found.tracks);
    } else {
      if (tracks_) tracks_->add(event, found);
      if (details_) details_->add(details_of(event, found, long_tracks_));
    }
    if (display_.takes(events_)) add_display(event, found);
    ++events_;
  }
  void finish(program::Program& p, const lhcb::Detector& detector) {
    if (tracks_) tracks_->finish();
    if (details_) details_->finish();
    if constexpr (is_velo<Event>)
      display_.finish(p, "VELO", [] { return std::vector{io::velo_frames()}; });
    else
      display_.finish(p, "LHCb", [&] { return io::detector_frames(detector); });
  }

 private:
  /// With the numbers of run and event, where the event has a run.
  static io::DisplayEvent numbered(io::DisplayEvent shown, const lhcb::RawEvent& event) {
    if (event.run == 0) return shown;
    shown.run = event.run;
    shown.number = event.number;
    return shown;
  }
  void add_display(const Event& event, const ResultOf<Event>& found) {
    const auto name = std::filesystem::path(event.name).filename().string();
    if constexpr (is_velo<Event>)
      display_.add(io::display_of(name, event, found));
    else
      display_.add(numbered(io::display_of(name, found), event));
  }

  std::optional<std::conditional_t<is_velo<Event>, io::VeloTrackFile, io::VeloUtTrackFile>> tracks_;
  std::optional<io::EventFile> details_;
  program::DisplayFile display_;
  bool long_tracks_;
  std::size_t events_ = 0;
};

/// Throws if long tracks are asked for where they cannot be found.
void check_options(const Options& options, const lhcb::Detector& detector) {
  if (!options.kalman_parameters.empty() && !options.long_tracks)
    throw UsageError("--kalman-parameters", "it is part of the search for long tracks", {},
                     "add --long");
  if (!options.field_map.empty() && !options.long_tracks)
    throw UsageError("--field-map", "it is part of the fit of long tracks", {}, "add --long");
  if (!options.field_map.empty() && !options.kalman_parameters.empty())
    throw UsageError("--field-map", "long tracks are fitted once, in the map or by parameters", {},
                     "leave --kalman-parameters out");
  if (options.max_track_chi2 > 0. && !options.long_tracks)
    throw UsageError("--max-track-chi2", "it is part of the fit of long tracks", {}, "add --long");
  if (!options.long_search.empty() && !options.long_tracks)
    throw UsageError("--long-search", "no long tracks are searched for", {}, "add --long");
  if (options.long_with_ut && options.long_method() != "forward")
    throw UsageError("--long-with-ut", "matched tracks need no UT", {}, "leave --long-search out");
  if (options.long_tracks && !detector.scifi)
    throw UsageError("--long", "the geometry has no SciFi", "scifi_geometry.bin is missing",
                     "name a folder with it, --geometry DIR DIR");
}

/// Warns of events without banks of a detector.
void warn_of_missing_banks(const program::Program& p, const Options& options,
                           const Events<lhcb::RawEvent>& events) {
  const auto warn = [&](const char* kind, lhcb::RawBanks lhcb::RawEvent::*banks) {
    const auto n = std::ranges::count_if(
        events, [&](const auto& event) { return ((*event).*banks).size() == 0; });
    if (n > 0) p.warn("{} of {} events have no banks of the {}", n, events.size(), kind);
  };
  warn("VELO", &lhcb::RawEvent::vp);
  warn("UT", &lhcb::RawEvent::ut);
  if (options.long_tracks) warn("SciFi, and so no long tracks", &lhcb::RawEvent::scifi);
}

/// `input_of` opens the events.
template <class Event>
void run(program::Program& p, Options options,
         Input<Event> (*input_of)(const Options&, std::uint64_t seed)) {
  using Runs = program::EventRuns<Event, ResultOf<Event>>;
  if (options.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(p, [&](const auto& r) {
      return calls_of<Event>(r, {}, {}, options.vertices || options.long_tracks).listing;
    });
  program::check_one_input(!options.inputs.empty() || !options.files.empty(), options.generate > 0);
  const auto input = input_of(options, p.options.seed);
  if (options.long_with_ut || (options.all_tracks && input.detector.scifi))
    options.long_tracks = true;
  if (options.all_tracks && !options.long_tracks)
    p.warn("the geometry has no SciFi: there are no long tracks");
  check_options(options, input.detector);
  if (options.long_tracks) {
    options.fit_tables = kalman_tables_of(options);
    options.field = field_of(options, input.detector);
  }
  if (options.max_track_chi2 > 0. && !options.fits_long_tracks())
    throw UsageError("--max-track-chi2", "long tracks are not fitted", {},
                     "name the parameters of the fit, --kalman-parameters DIR, or a --field-map");
  p.input = description(options, p.options.seed);
  p.input.update(description(options, static_cast<const Event*>(nullptr)));
  const bool all_steps =
      options.vertices || options.long_tracks || input.detector.scifi.has_value();
  Runs runs(p, options.pipeline, program::limited(input.source, options.events),
            hash_of<ResultOf<Event>>);
  runs.skip_bad_events = options.skip_bad_events;
  runs.check_displayed(options.display.event);
  Files<Event> files(options, p,
                     {.vertices = all_steps,
                      .long_tracks = options.long_tracks,
                      .long_fits = options.fits_long_tracks()});
  runs.write = [&](const auto& event, const auto& found) { files.add(event, found); };
  typename Runs::Found first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    const auto calls = calls_of<Event>(r, options.tracking(), input.detector, all_steps);
    const auto groups = timed(static_cast<const Event*>(nullptr), options, all_steps);
    auto found = std::move(runs.take(calls, {{.groups = groups}}, report).front());
    report.hash = found.hash;
    std::size_t lost = 0;
    for (const auto& result : found.results) lost += lost_seeds(result);
    report.compared = fmt::format("{} seeds lost", lost);
    if (p.is_first_run()) first = std::move(found);
  });
  if (!p.is_first_rank()) return;
  files.finish(p, input.detector);
  if (!options.write_input.empty()) write_input(options.write_input, input.detector, first.events);
  const auto of_runs = std::exchange(p.text, {});
  add_results(p, options, runs.bad_events(), first.events, first.results);
  if constexpr (!is_velo<Event>) {
    warn_of_missing_banks(p, options, first.events);
    if (all_steps) add_vertices(p, first.events, first.results);
    if (options.long_tracks) add_long_tracks(p, first.events, first.results);
    if (options.fits_long_tracks()) add_long_fits(p, first.events, first.results);
  }
  p.text += of_runs;
  if (const auto i = runs.displayed(options.display.event, first.events))
    p.plots.push_back(event_display(input.detector, *first.events[*i], first.results[*i]));
  runs.finish();
}

/// Modes of the program; the first one has its name.
enum class Mode { velo_ut, tracks, velo };
struct ModeOfProgram {
  Mode mode;
  const char *name, *purpose;
};
constexpr std::array modes = {
    ModeOfProgram{Mode::velo_ut, "lhcb_velo_ut",
                  "Reconstructs LHCb tracks through VELO and UT, with momentum, from raw banks.\n"
                  "The mode lhcb_tracks, also a link, finds long tracks, too; the mode lhcb_velo, "
                  "another link, reconstructs the VELO alone, from its hits."},
    ModeOfProgram{Mode::tracks, "lhcb_tracks",
                  "Reconstructs LHCb tracks through VELO, UT and SciFi, and vertices, from raw "
                  "banks.\n"
                  "A mode of lhcb_velo_ut: lhcb_tracks is a link to it, the same as lhcb_velo_ut "
                  "lhcb_tracks, with --long where the geometry has a SciFi, and --vertices."},
    ModeOfProgram{Mode::velo, "lhcb_velo",
                  "Reconstructs the tracks of LHCb VELO events with Search by triplet.\n"
                  "A mode of lhcb_velo_ut: lhcb_velo is a link to it, the same as lhcb_velo_ut "
                  "lhcb_velo."}};

/// The mode of this name, the first one if there is none.
const ModeOfProgram& mode_of(std::string_view name) {
  for (const auto& mode : modes)
    if (mode.name == name) return mode;
  return modes.front();
}

}  // namespace

int main(int argc, char* argv[]) {
  const auto called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  const auto& link = mode_of(called);
  const bool is_link = link.mode != Mode::velo_ut;
  const auto& mode = is_link || argc < 2 ? link : mode_of(argv[1]);
  program::Program p(mode.name, mode.purpose, "event");
  Options options;
  options.all_tracks = options.vertices = mode.mode == Mode::tracks;
  const bool is_velo = mode.mode == Mode::velo;
  add_options(p, options, is_velo);
  const int skipped = !is_link && mode.mode != Mode::velo_ut;
  return p.main(argc - skipped, argv + skipped, [&] {
    is_velo ? run(p, options, input_of_velo) : run(p, options, input_of_banks);
  });
}
