// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/elements/watch.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/io/detail/file_kind.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Table of moments without rows.
Table watch_moments_table();

/// Moments with the names of columns that a file of its extension has.
Table watch_moments_of_file(const std::filesystem::path& file, const Table& moments);

/// Turn of which a watch writes particles.
struct WatchedTurn {
  int turn = 0;
  bool is_next = false;  ///< whether the file has turns before it
};

/// Writes the particles of a watch behind a turn. With ranks, all of them call it.
/// @throws Error if the file cannot be written
void write_watched_particles(const std::filesystem::path& file,
                             const beam::ParticleTable& particles, const Ranks* ranks,
                             const WatchedTurn& turn, const std::string& species);

}  // namespace detail

/// Files of the places of a line where the bunch is watched (`beam::Watch`): an observer of
/// `LineTracker::track`, with the stops of the tracker.
/// @code
/// io::WatchFiles<double, Space> watches(exec, line, "results", "linac");
/// beam::LineTracker<double, Space> tracker(exec, line, {}, watches.stops());
/// tracker.track(bunch, turns, watches);
/// watches.write();
/// @endcode
/// Particles are written as `write_bunch` does, in the order of their numbers, in a file for each
/// turn, with the number of the turn in its name where there is more than one; moments in one file,
/// a row for each turn. Names without .csv, .h5 or .sdds get .csv; those of .sdds have elegant's
/// columns. Those of .openpmd.h5, for particles, are openPMD: one file, with an iteration for each
/// turn of its number. With ranks, each rank makes one and calls it, and they write the particles
/// together; `write`, of the moments, is for the first one alone.
template <class T, class ExecutionSpace>
class WatchFiles {
  using Bunch = beam::Bunch<T, MemoryOf<ExecutionSpace>>;

 public:
  /// Takes the watches of a line. Files are written to a folder; %s in their names becomes `root`.
  /// `species` is that of files of openPMD, as of `write_bunch`.
  /// @throws UsageError if two watches have one file, one has none, or moments have one of openPMD
  WatchFiles(const ExecutionSpace& exec, const beam::BeamLine& line, std::filesystem::path folder,
             const std::string& root, std::string species = "electron")
      : exec_(exec), folder_(std::move(folder)), species_(std::move(species)) {
    for (int i = 0; i < int(line.size()); ++i)
      if (const auto* watch = line[i].kind.as<beam::Watch>()) {
        std::string name = watch->file;
        if (const auto at = name.find("%s"); at != std::string::npos) name.replace(at, 2, root);
        add(i, line[i].name, *watch, std::move(name));
      }
  }

  /// Adds a watch after any element of the line, by its number and name, with a file of this name.
  /// @throws UsageError as the constructor
  void add(int element, const std::string& element_name, const beam::Watch& watch,
           std::string file) {
    const std::string where = "element '" + element_name + "'";
    if (file.empty()) throw UsageError(where, "it has no file");
    if (!problem_of_table_name(file).empty()) file += ".csv";
    if (watch.of == beam::Watch::Of::moments && detail::has_openpmd_name(file))
      throw UsageError(where, "only particles are written as openPMD", file, "name a .h5");
    if (const auto [user, is_new] = users_.emplace(file, element_name); !is_new)
      throw UsageError(where, "its file is that of another", file,
                       "the other is '" + user->second + "'");
    watches_.push_back({element, watch, std::move(file), detail::watch_moments_table(), false});
  }

  /// Returns the elements along the line that are watched.
  std::vector<int> stops() const {
    std::set<int> elements;
    for (const Watched& watched : watches_) elements.insert(watched.element);
    return {elements.begin(), elements.end()};
  }

  /// Writes the particles behind an element, or keeps their moments; does nothing behind others.
  /// Waits for the instance.
  /// @throws Error if a file cannot be written
  void operator()(int turn, int element, const Bunch& bunch) const {
    for (const Watched& watched : watches_)
      if (watched.element == element && watched.watch.writes_in(turn)) record(watched, turn, bunch);
  }

  /// Writes the moments.
  /// @throws Error if a file cannot be written
  void write() const {
    for (const Watched& watched : watches_)
      if (watched.watch.of == beam::Watch::Of::moments)
        write_table(folder_ / watched.file,
                    detail::watch_moments_of_file(watched.file, watched.moments));
  }

 private:
  struct Watched {
    int element;
    beam::Watch watch;
    std::string file;
    mutable Table moments;
    mutable bool has_turns;  ///< of particles, in one file
  };

  void record(const Watched& watched, int turn, const Bunch& bunch) const {
    if (watched.watch.of == beam::Watch::Of::particles) {
      detail::write_watched_particles(folder_ / file_of_turn(watched, turn),
                                      particles_of(watched.watch, bunch), bunch.share().ranks,
                                      detail::WatchedTurn{turn, watched.has_turns}, species_);
      watched.has_turns = true;
      return;
    }
    const beam::Moments moments = moments_of(watched.watch, bunch);
    std::vector<double> values = {moments.reference.p0, moments.reference.path_length};
    values.insert(values.end(), moments.mean.begin(), moments.mean.end());
    for (int c = 0; c < beam::n_coordinates; ++c) values.push_back(moments.sigma(c));
    watched.moments.add_row(std::int64_t(turn), std::int64_t(moments.number), values);
  }

  /// Those that a watch takes.
  beam::ParticleTable particles_of(const beam::Watch& watch, const Bunch& bunch) const {
    auto all = beam::sorted_particles(exec_, bunch);
    if (watch.takes_all()) return all;
    beam::ParticleTable taken;
    taken.reference = all.reference;
    taken.particle_charge = all.particle_charge;
    taken.has_spins = all.has_spins;
    taken.anomaly = all.anomaly;
    for (int i = 0; i < all.size(); ++i) {
      if (!watch.takes(all.ids[i])) continue;
      for (int c = 0; c < beam::n_coordinates; ++c) taken.v[c].push_back(all.v[c][i]);
      for (int c = 0; c < beam::n_spin_components && all.has_spins; ++c)
        taken.spin[c].push_back(all.spin[c][i]);
      taken.ids.push_back(all.ids[i]);
      taken.losses.push_back(all.losses[i]);
    }
    return taken;
  }

  beam::Moments moments_of(const beam::Watch& watch, const Bunch& bunch) const {
    if (watch.takes_all()) return beam::moments_of(exec_, bunch, workspace_);
    if (bunch.share().ranks)
      throw UsageError("WATCH", "moments of some particles need all of them on one rank",
                       "START_PID or END_PID", "track on one rank");
    auto taken = beam::upload<T>(exec_, particles_of(watch, bunch));
    beam::remove_lost(exec_, taken, workspace_);
    return beam::moments_of(exec_, taken, workspace_);
  }

  /// One turn needs no number, nor do iterations of openPMD.
  static std::filesystem::path file_of_turn(const Watched& watched, int turn) {
    std::filesystem::path file = watched.file;
    if (watched.watch.end_turn == watched.watch.first_turn + 1 || detail::has_openpmd_name(file))
      return file;
    return file.replace_filename(file.stem().string() + "_turn" + std::to_string(turn) +
                                 file.extension().string());
  }

  ExecutionSpace exec_;
  std::filesystem::path folder_;
  std::string species_;
  std::vector<Watched> watches_;
  std::map<std::string, std::string> users_;  ///< names of elements by their files
  mutable Workspace<ExecutionSpace> workspace_;
};

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/watch_files.impl.hpp>
#endif
