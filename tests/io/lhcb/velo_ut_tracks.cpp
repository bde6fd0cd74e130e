// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/velo_track_arrays.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace trackplex;

const lhcb::RawEvent event{
    .name = "data/7_12", .run = 7, .number = 12, .vp = {}, .ut = {}, .scifi = {}};

/// Two VELO tracks, the second with three hits in the UT.
lhcb::VeloUtResult one_track() {
  static const std::vector<std::uint32_t> velo_ids{101, 102, 103, 104}, ut_ids{201, 202, 203};
  static const auto velo_tracks = [] {
    test::VeloTrackArrays tracks;
    tracks.push_back(std::vector<std::uint16_t>{0}, {.tx = 0.5});
    tracks.push_back(std::vector<std::uint16_t>{3, 1}, {1., 2., 3., 0.25, -0.125, 4.});
    return tracks;
  }();
  static const std::vector<lhcb::UtTrack> ut_tracks{
      {.velo_track = 1, .hits = {2, -1, 0, 1}, .qop = -0.25, .chi2 = 1.5, .x = 8., .slope = 0.75}};
  lhcb::VeloUtResult found;
  found.velo_hits.ids = velo_ids;
  found.ut_hits.ids = ut_ids;
  found.velo_tracks = velo_tracks;
  found.ut_tracks = ut_tracks;
  return found;
}

/// The file, and the tables beside it, removed at the end.
struct Written {
  std::filesystem::path path;
  explicit Written(const std::string& name) : path(std::filesystem::temp_directory_path() / name) {
    io::VeloUtTrackFile file(path);
    file.add(event, lhcb::VeloUtResult());
    file.add(event, one_track());
    file.finish();
  }
  ~Written() {
    for (const auto* table : {"tracks", "hits", "events"})
      std::filesystem::remove(io::file_of_table(path, table));
    std::filesystem::remove(path);
  }
};

}  // namespace

TEST_CASE("Tracks through VELO and UT are written as JSON", "[io]") {
  const Written file("trackplex_velo_ut_tracks.json");
  CHECK(read_file(file.path) == R"({"events":[
{"event":"data/7_12","run":7,"number":12,"tracks":[]},
{"event":"data/7_12","run":7,"number":12,"tracks":[{"velo_track":1,"qop":-0.25,"p":4.0,"chi2":1.5,)"
                                R"("tx":0.25,"ty":-0.125,"x_ut":8.0,"slope_ut":0.75,)"
                                R"("velo_ids":[104,102],"ut_ids":[203,201,202]}]}
]}
)");
}

TEST_CASE("Tracks through VELO and UT are written as CSV", "[io]") {
  const Written file("trackplex_velo_ut_tracks.csv");
  CHECK(read_file(file.path) ==
        "event,track,run,number,velo_track,qop[1/MeV],p[MeV],chi2,x[mm],y[mm],z[mm],tx,ty,x_ut[mm],"
        "slope_ut,n_velo_hits,n_ut_hits\n"
        "1,0,7,12,1,-0.25,4,1.5,1,2,3,0.25,-0.125,8,0.75,2,3\n");
  CHECK(read_file(io::file_of_table(file.path, "hits")) ==
        "event,track,lhcb_id,in_ut\n1,0,104,0\n1,0,102,0\n1,0,203,1\n1,0,201,1\n1,0,202,1\n");
  CHECK(read_file(io::file_of_table(file.path, "events")) ==
        "event,run,number,name,n_tracks\n0,7,12,\"7_12\",0\n1,7,12,\"7_12\",1\n");
}

TEST_CASE("Vertices are written next to tracks", "[io]") {
  const std::vector<vertexing::Vertex> vertices = {
      {{0.5, -0.25, 12.}, {4., 1., 9., -2., 3., 16.}, 7.5, 8}, {{0., 0., 20.}, {}, 3., 2}};
  const auto write = [&](const std::filesystem::path& path) {
    io::VeloUtTrackFile file(path, {}, io::ColumnType::float64, {.vertices = true});
    lhcb::TracksResult without_tracks;
    without_tracks.vertices = vertices;
    file.add(event, without_tracks);
    file.add(event, one_track());
    file.finish();
  };
  const auto json = std::filesystem::temp_directory_path() / "trackplex_vertices.json";
  write(json);
  CHECK(read_file(json).find(
            R"("tracks":[],"vertices":[{"x":0.5,"y":-0.25,"z":12.0,"covariance":[4.0,1.0,9.0,)"
            R"(-2.0,3.0,16.0],"weight":7.5,"tracks":8},{"x":0.0,)") != std::string::npos);
  CHECK(read_file(json).ends_with("\"vertices\":[]}\n]}\n"));
  std::filesystem::remove(json);

  const auto csv = std::filesystem::temp_directory_path() / "trackplex_vertices.csv";
  write(csv);
  CHECK(read_file(io::file_of_table(csv, "vertices")) ==
        "event,vertex,x[mm],y[mm],z[mm],xx[mm^2],xy[mm^2],yy[mm^2],xz[mm^2],yz[mm^2],zz[mm^2],"
        "weight,n_tracks\n"
        "0,0,0.5,-0.25,12,4,1,9,-2,3,16,7.5,8\n"
        "0,1,0,0,20,0,0,0,0,0,0,3,2\n");
  for (const auto* table : {"hits", "events", "vertices"})
    std::filesystem::remove(io::file_of_table(csv, table));
  std::filesystem::remove(csv);
}

TEST_CASE("Long tracks are written next to tracks", "[io]") {
  const std::vector<std::uint32_t> scifi_ids{301, 302, 303};
  lhcb::LongTrack track;
  track.velo_track = 1;
  track.ut_track = 0;
  track.hits[1] = 2;
  track.hits[7] = 0;
  track.qop = 0.5;
  track.quality = 0.125;
  track.x = 5.;
  track.y = -6.;
  track.tx = 0.75;
  track.ty = -0.5;
  std::vector<lhcb::LongTrack> tracks(2, track);
  tracks[1].velo_track = 0;
  tracks[1].ut_track = -1;
  lhcb::TracksResult found{one_track()};
  found.scifi_hits.ids = scifi_ids;
  found.long_tracks = tracks;
  const auto write = [&](const std::filesystem::path& path) {
    io::VeloUtTrackFile file(path, {}, io::ColumnType::float64, {.long_tracks = true});
    file.add(event, one_track());
    file.add(event, found);
    file.finish();
  };
  const auto json = std::filesystem::temp_directory_path() / "trackplex_long_tracks.json";
  write(json);
  const auto text = read_file(json);
  CHECK(text.find("\"long_tracks\":[]},\n") != std::string::npos);
  CHECK(text.find(
            R"("long_tracks":[{"velo_track":1,"ut_track":0,"qop":0.5,"p":2.0,"quality":0.125,)"
            R"("x":5.0,"y":-6.0,"tx":0.75,"ty":-0.5,"velo_ids":[104,102],)"
            R"("ut_ids":[203,201,202],"scifi_ids":[303,301]},{"velo_track":0,"ut_track":-1,)") !=
        std::string::npos);
  std::filesystem::remove(json);

  const auto csv = std::filesystem::temp_directory_path() / "trackplex_long_tracks.csv";
  write(csv);
  CHECK(read_file(io::file_of_table(csv, "long_tracks")) ==
        "event,track,velo_track,ut_track,qop[1/MeV],p[MeV],quality,x[mm],y[mm],tx,ty,n_velo_hits,"
        "n_ut_hits,n_scifi_hits\n"
        "1,0,1,0,0.5,2,0.125,5,-6,0.75,-0.5,2,3,2\n"
        "1,1,0,-1,0.5,2,0.125,5,-6,0.75,-0.5,1,0,2\n");
  CHECK(read_file(io::file_of_table(csv, "long_hits")) ==
        "event,track,lhcb_id,detector\n1,0,104,0\n1,0,102,0\n1,0,203,1\n1,0,201,1\n1,0,202,1\n"
        "1,0,303,2\n1,0,301,2\n1,1,101,0\n1,1,303,2\n1,1,301,2\n");
  for (const auto* table : {"hits", "events", "long_tracks", "long_hits"})
    std::filesystem::remove(io::file_of_table(csv, table));
  std::filesystem::remove(csv);
}

TEST_CASE("Fits of long tracks are written with their impact parameters", "[io]") {
  lhcb::LongTrack track;
  track.qop = 0.5;
  const std::vector<lhcb::LongTrack> tracks = {track};
  lhcb::LongTrackFit fit{1., 2., 30., 0.5, -0.25, -0.25, {}, 16., 20};
  for (std::size_t k = 0; k < fit.covariance.size(); ++k) fit.covariance[k] = double(k + 1);
  const std::vector<lhcb::LongTrackFit> fits = {fit};
  const std::vector<vertexing::Vertex> vertices = {
      {{0., 0., 30.}, {1., 0., 2., 0., 0., 0.}, 5., 5}};
  auto found = lhcb::TracksResult{one_track()};
  found.long_tracks = tracks;
  const auto write = [&](const std::filesystem::path& path) {
    io::VeloUtTrackFile file(path, {}, io::ColumnType::float64,
                             {.long_tracks = true, .long_fits = true});
    found.long_fits = fits;
    found.vertices = {};
    file.add(event, found);
    found.vertices = vertices;
    file.add(event, found);
    found.long_fits = {};
    file.add(event, found);
    file.finish();
  };
  const auto csv = std::filesystem::temp_directory_path() / "trackplex_long_fits.csv";
  write(csv);
  // variances of x and y: 1 + 1 and 3 + 2; covariance 2
  CHECK(read_file(io::file_of_table(csv, "long_fits")) ==
        "event,track,x[mm],y[mm],z[mm],tx,ty,qop[1/MeV],p[MeV],cov_x_x[mm^2],cov_y_x[mm^2],"
        "cov_y_y[mm^2],cov_tx_x[mm],cov_tx_y[mm],cov_tx_tx,cov_ty_x[mm],cov_ty_y[mm],cov_ty_tx,"
        "cov_ty_ty,cov_qop_x[mm/MeV],cov_qop_y[mm/MeV],cov_qop_tx[1/MeV],cov_qop_ty[1/MeV],"
        "cov_qop_qop[1/MeV^2],chi2,ndf,vertex,ip_x[mm],ip_x_error[mm],ip_y[mm],ip_y_error[mm],"
        "ip_chi2\n"
        "0,0,1,2,30,0.5,-0.25,-0.25,4,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,20,-1,0,0,0,0,0\n"
        "1,1,1,2,30,0.5,-0.25,-0.25,4,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,20,0,1,"
        "1.4142135623730951,2,2.23606797749979,0.8333333333333334\n");
  for (const auto* table : {"hits", "events", "long_tracks", "long_hits", "long_fits"})
    std::filesystem::remove(io::file_of_table(csv, table));
  std::filesystem::remove(csv);
  const auto json = std::filesystem::temp_directory_path() / "trackplex_long_fits.json";
  write(json);
  const auto text = read_file(json);
  CHECK(text.find(R"("scifi_ids":[],"fit":{"x":1.0,"y":2.0,"z":30.0,"tx":0.5,"ty":-0.25,)"
                  R"("qop":-0.25,"p":4.0,"covariance":[1.0,2.0,3.0,)") != std::string::npos);
  CHECK(text.find(R"("vertex":-1,)") != std::string::npos);
  CHECK(text.find(R"("vertex":0,"ip_x":1.0,)") != std::string::npos);
  CHECK(text.find(R"("scifi_ids":[]}]},)") == std::string::npos);
  std::filesystem::remove(json);
}
