// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks through VELO and UT of events as JSON or as tables. The JSON form is
/// {"events":[{"event":name,"run":,"number":,"tracks":[{"velo_track":number in the event,
/// "qop":1/MeV,"p":MeV,"chi2":,"tx":,"ty":,"x_ut":mm,"slope_ut":,"velo_ids":[...],
/// "ut_ids":[...]}, ...]}, ...]}. The tables are
///
///   tracks: event, track, run, number, velo_track, qop[1/MeV], p[MeV], chi2, x[mm], y[mm], z[mm],
///           tx, ty, x_ut[mm], slope_ut, n_velo_hits, n_ut_hits
///   hits:   event, track, lhcb_id, in_ut
///   events: event, run, number, name, n_tracks
///
/// where `event` is the number of the event in the file and `track` that of the track in the file,
/// both from 0; `velo_track` is the number of the VELO track in the event, and x to ty are its
/// state at the beam. x_ut and slope_ut are x and dx/dz at the middle of the UT, and chi2 is that
/// of the p-kick fit per degree of freedom.
///
/// A file with vertices has "vertices":[{"x":mm,"y":,"z":,"covariance":[xx,xy,yy,xz,yz,zz in
/// mm^2],"weight":,"tracks":}, ...] in each event, or a further table
///
///   vertices: event, vertex, x[mm], y[mm], z[mm], xx[mm^2], xy[mm^2], yy[mm^2], xz[mm^2],
///             yz[mm^2], zz[mm^2], weight, n_tracks
///
/// of position, covariance, sum of the weights of the tracks, and number of tracks with a weight
/// above 1/2; `vertex` is the number of the vertex in the event.
///
/// A file with long tracks has "long_tracks":[{"velo_track":,"ut_track":number in the event or -1,
/// "qop":1/MeV,"p":MeV,"quality":,"x":mm,"y":,"tx":,"ty":,"velo_ids":[...],"ut_ids":[...],
/// "scifi_ids":[...]}, ...] in each event, or two further tables
///
///   long_tracks: event, track, velo_track, ut_track, qop[1/MeV], p[MeV], quality, x[mm], y[mm],
///                tx, ty, n_velo_hits, n_ut_hits, n_scifi_hits
///   long_hits:   event, track, lhcb_id, detector
///
/// where `track` is the number of the long track in the file, x to ty are its state at
/// lhcb::scifi_end_z, and `detector` is 0 for VELO, 1 for UT, 2 for SciFi.
///
/// A file with fits of long tracks has "fit":{"x":mm,"y":,"z":,"tx":,"ty":,"qop":1/MeV,"p":MeV,
/// "covariance":[its lower triangle],"chi2":,"ndf":,"vertex":number in the event or -1,"ip_x":mm,
/// "ip_x_error":,"ip_y":,"ip_y_error":,"ip_chi2":} in each long track, or a further table
///
///   long_fits: event, track, x[mm], y[mm], z[mm], tx, ty, qop[1/MeV], p[MeV], cov_x_x[mm^2],
///              cov_y_x[mm^2], cov_y_y[mm^2], cov_tx_x[mm], cov_tx_y[mm], cov_tx_tx, cov_ty_x[mm],
///              cov_ty_y[mm], cov_ty_tx, cov_ty_ty, cov_qop_x[mm/MeV], cov_qop_y[mm/MeV],
///              cov_qop_tx[1/MeV], cov_qop_ty[1/MeV], cov_qop_qop[1/MeV^2], chi2, ndf, vertex,
///              ip_x[mm], ip_x_error[mm], ip_y[mm], ip_y_error[mm], ip_chi2
///
/// of the state at the VELO hit nearest to the beam. ip_x to ip_chi2 are the impact parameter, see
/// lhcb::least_impact_parameter(), to `vertex`, the number of a primary vertex in the event; they
/// are 0 and `vertex` is -1 where there is no vertex.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/tables/event_file.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace trackplex::io {

/// Converts the tracks of an event to the JSON form.
nlohmann::ordered_json velo_ut_tracks_json(const lhcb::RawEvent& event,
                                           const lhcb::VeloUtResult& found);

/// Further tables of a file of tracks through VELO and UT.
struct FurtherTables {
  bool vertices = false;     ///< primary vertices
  bool long_tracks = false;  ///< tracks through the SciFi
  bool long_fits = false;    ///< their fits; needs long_tracks
};

/// File of tracks through VELO and UT, in the format of its extension: .json, .csv, .h5 or .sdds.
class VeloUtTrackFile {
 public:
  /// Opens the file. `real` is the type of the numbers in tables; JSON stores no metadata.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  explicit VeloUtTrackFile(const std::filesystem::path& path, Metadata metadata = {},
                           ColumnType real = ColumnType::float64)
      : VeloUtTrackFile(path, std::move(metadata), real, FurtherTables()) {}

  /// Opens a file with further tables.
  /// @throws UsageError, Error as the other constructor
  VeloUtTrackFile(const std::filesystem::path& path, Metadata metadata, ColumnType real,
                  const FurtherTables& further);

  /// Appends the tracks of an event, without vertices and long tracks.
  void add(const lhcb::RawEvent& event, const lhcb::VeloUtResult& found) {
    add(event, lhcb::TracksResult{found});
  }

  /// Appends the tracks of an event and what further tables the file has.
  void add(const lhcb::RawEvent& event, const lhcb::TracksResult& found);

  /// Ends the file; without it, JSON, HDF5 and SDDS are incomplete.
  /// @throws Error if it could not be written completely
  void finish() { file_.finish(); }

 private:
  static std::vector<Table> tables_of(ColumnType real, const FurtherTables& further);

  void add_rows(TableFile& tables, const lhcb::RawEvent& event, const lhcb::TracksResult& found);

  FurtherTables further_;
  EventFile file_;
  std::size_t events_ = 0, n_tracks_ = 0, n_long_tracks_ = 0;
};

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/velo_ut_tracks.impl.hpp>
#endif
