// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finder.hpp"
#include "lhcb_events.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/io/lhcb/kalman_files.hpp>
#include <trackplex/io/tables/field_map_table.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace trackplex::python {

namespace {

using lhcb::Detector;
using lhcb::LongTrack;
using lhcb::LongTrackFit;
using lhcb::UtTrack;
using lhcb::VeloTrackState;
using vertexing::Vertex;
using DetectorPointer = std::shared_ptr<Detector>;

using VeloResult = Kept<lhcb::VeloResult>;
using VeloUtResult = Kept<lhcb::VeloUtResult>;
using TracksResult = Kept<lhcb::TracksResult>;

using VeloFinder = Finder<lhcb::VeloChain<float, HostExecutor>, Detector>;
using VeloUtFinder = Finder<lhcb::VeloUtChain<float, HostExecutor>, Detector>;
using TracksFinder = Finder<lhcb::TracksChain<float, HostExecutor>, Detector>;

lhcb::TripletParams velo_cuts(const std::string& year) {
  using enum lhcb::VeloConstants;
  if (year == "2019") return lhcb::velo_params(y2019);
  if (year == "2020") return lhcb::velo_params(y2020);
  if (year == "2023") return lhcb::velo_params(y2023);
  throw UsageError("velo", "there are no cuts of \"" + year + "\"", {},
                   "there are 2019, 2020, 2023");
}

lhcb::CompassParams ut_cuts(const std::string& year) {
  using enum lhcb::CompassConstants;
  if (year == "2019") return lhcb::compass_params(y2019);
  if (year == "2020") return lhcb::compass_params(y2020);
  if (year == "2023") return lhcb::compass_params(y2023);
  if (year == "paper") return lhcb::compass_params(paper);
  throw UsageError("ut", "there are no cuts of \"" + year + "\"", {},
                   "there are 2019, 2020, 2023 and paper");
}

lhcb::LongTrackMethod long_track_method(const std::string& search) {
  using enum lhcb::LongTrackMethod;
  if (search == "forward") return forward;
  if (search == "matching") return matching;
  if (search == "both") return both;
  throw UsageError("search", "there is no search \"" + search + "\"", {},
                   "there are forward, matching and both");
}

// Results ----------------------------------------------------------------------------------------

/// The tracks of a VELO: their offsets and hits, and structured states.
template <class Type, class Tracks>
void add_velo_tracks(Type& type, const Tracks& tracks) {
  using Kept = typename Type::type;
  type.def_property_readonly("track_offsets",
                             [tracks](py::object self) {
                               return view_of_span(tracks(self.cast<const Kept&>()).offsets, self);
                             })
      .def_property_readonly("track_hits",
                             [tracks](py::object self) {
                               return view_of_span(tracks(self.cast<const Kept&>()).hits, self);
                             })
      .def_property_readonly("states",
                             [tracks](py::object self) {
                               return view_of_span(tracks(self.cast<const Kept&>()).states, self);
                             })
      .def("__len__", [tracks](const Kept& kept) { return tracks(kept).size(); })
      .def(
          "track",
          [tracks](py::object self, std::size_t i) {
            const auto& list = tracks(self.cast<const Kept&>());
            if (i >= list.size()) throw py::index_error("there is no track " + std::to_string(i));
            return view_of_span(list[i], self);
          },
          py::arg("i"));
}

void add_velo_result(py::module_& module) {
  py::class_<VeloResult, std::shared_ptr<VeloResult>> type(module, "VeloResult");
  add_velo_tracks(
      type, [](const VeloResult& kept) -> const auto& { return kept.result.tracks; });
  type.def_property_readonly("overflow",
                             [](const VeloResult& kept) { return kept.result.overflow; });
}

/// Windows of the tracks that have some: the track, and lists of (first hit, number) for each
/// layer.
py::list windows_of(const lhcb::VeloUtResult& result) {
  py::list all;
  for (const auto& windows : result.windows) {
    py::list layers;
    for (const auto& layer : windows.layers) {
      py::list list;
      for (const auto& window : layer) list.append(py::make_tuple(window.first, window.size));
      layers.append(list);
    }
    all.append(py::make_tuple(windows.velo_track, layers));
  }
  return all;
}

/// What results of VELO and UT, and of chains beyond, have.
template <class Type>
void add_velo_ut(Type& type) {
  using Kept = typename Type::type;
  add_velo_tracks(
      type, [](const Kept& kept) -> const auto& { return kept.result.velo_tracks; });
  const auto column = [&](const char* name, auto list) {
    type.def_property_readonly(name, [list](py::object self) {
      return view_of_span(list(self.cast<const Kept&>().result), self);
    });
  };
  using Result = lhcb::VeloUtResult;
  column("velo_x", [](const Result& r) { return r.velo_hits.x; });
  column("velo_y", [](const Result& r) { return r.velo_hits.y; });
  column("velo_z", [](const Result& r) { return r.velo_hits.z; });
  column("velo_modules", [](const Result& r) { return r.velo_hits.modules; });
  column("velo_ids", [](const Result& r) { return r.velo_hits.ids; });
  column("ut_x", [](const Result& r) { return r.ut_hits.x; });
  column("ut_z", [](const Result& r) { return r.ut_hits.z; });
  column("ut_y_begin", [](const Result& r) { return r.ut_hits.y_begin; });
  column("ut_y_end", [](const Result& r) { return r.ut_hits.y_end; });
  column("ut_ids", [](const Result& r) { return r.ut_hits.ids; });
  column("ut_tracks", [](const Result& r) { return r.ut_tracks; });
  type.def_property_readonly("overflow", [](const Kept& kept) { return kept.result.velo_overflow; })
      .def_property_readonly("velo_invalid",
                             [](const Kept& kept) { return kept.result.velo_hits.invalid; })
      .def_property_readonly("ut_unmapped",
                             [](const Kept& kept) { return kept.result.ut_hits.unmapped; })
      .def_property_readonly("ut_layer_offsets",
                             [](py::object self) {
                               const auto& ut = self.cast<const Kept&>().result.ut_hits;
                               return view_of_span<std::uint32_t>(ut.layer_offsets, self);
                             })
      .def("windows", [](const Kept& kept) { return windows_of(kept.result); })
      .def("fingerprint", [](const Kept& kept) {
        Fingerprint hash;
        lhcb::add_result(hash, kept.result);
        return hash.hex();
      });
}

void add_results(py::module_& module) {
  add_velo_result(module);
  py::class_<VeloUtResult, std::shared_ptr<VeloUtResult>> velo_ut(module, "VeloUtResult");
  add_velo_ut(velo_ut);
  py::class_<TracksResult, std::shared_ptr<TracksResult>> all(module, "TracksResult");
  add_velo_ut(all);
  const auto column = [&](const char* name, auto list) {
    all.def_property_readonly(name, [list](py::object self) {
      return view_of_span(list(self.cast<const TracksResult&>().result), self);
    });
  };
  using Result = lhcb::TracksResult;
  column("scifi_x", [](const Result& r) { return r.scifi_hits.x; });
  column("scifi_z", [](const Result& r) { return r.scifi_hits.z; });
  column("scifi_y_begin", [](const Result& r) { return r.scifi_hits.y_begin; });
  column("scifi_y_end", [](const Result& r) { return r.scifi_hits.y_end; });
  column("scifi_ids", [](const Result& r) { return r.scifi_hits.ids; });
  column("long_tracks", [](const Result& r) { return r.long_tracks; });
  column("long_fits", [](const Result& r) { return r.long_fits; });
  column("vertices", [](const Result& r) { return r.vertices; });
}

// Finders ----------------------------------------------------------------------------------------

lhcb::VeloUtParams velo_ut_params(const std::string& velo, const std::string& ut) {
  lhcb::VeloUtParams params;
  params.velo = velo_cuts(velo);
  params.ut = ut_cuts(ut);
  return params;
}

std::unique_ptr<TracksFinder> tracks_finder(
    const DetectorPointer& detector, const std::string& velo, const std::string& ut,
    bool long_tracks, bool without_ut, const std::optional<std::filesystem::path>& fit_parameters,
    const std::string& search, double max_chi2_per_ndf,
    const std::optional<std::filesystem::path>& field_map) {
  lhcb::TracksParams params;
  params.velo_ut = velo_ut_params(velo, ut);
  params.find_long_tracks = long_tracks;
  params.method = long_track_method(search);
  params.long_tracks.without_ut = without_ut;
  if (fit_parameters)
    params.fit_tables =
        std::make_shared<const lhcb::KalmanTables>(io::read_kalman_tables(*fit_parameters));
  if (field_map)
    params.field_map = std::make_shared<const geometry::FieldGrid>(io::read_field_grid(*field_map));
  params.fit.max_chi2_per_ndf = max_chi2_per_ndf;
  return std::make_unique<TracksFinder>(
      [&](const HostExecutor& exec) { return lhcb::tracks_chain<float>(exec, *detector, params); },
      detector);
}

}  // namespace

void add_lhcb(py::module_ module) {
  PYBIND11_NUMPY_DTYPE(VeloTrackState, x, y, z, tx, ty, chi2, ndf, backward);
  PYBIND11_NUMPY_DTYPE(UtTrack, velo_track, hits, qop, chi2, x, slope);
  PYBIND11_NUMPY_DTYPE(LongTrack, velo_track, ut_track, hits, qop, quality, x, y, tx, ty);
  PYBIND11_NUMPY_DTYPE(LongTrackFit, x, y, z, tx, ty, qop, covariance, chi2, ndf);
  PYBIND11_NUMPY_DTYPE(Vertex, position, covariance, weight, tracks);
  add_lhcb_events(module);
  add_results(module);
  py::class_<VeloFinder>(module, "VeloFinder")
      .def(py::init([](const std::string& cuts) {
             const auto params = velo_cuts(cuts);
             return std::make_unique<VeloFinder>(
                 [&](const HostExecutor& exec) { return lhcb::velo_chain<float>(exec, params); });
           }),
           py::arg("cuts") = "2023")
      .def("__call__", &VeloFinder::operator(), py::arg("events"));
  py::class_<VeloUtFinder>(module, "VeloUtFinder")
      .def(py::init(
               [](const DetectorPointer& detector, const std::string& velo, const std::string& ut) {
                 const auto params = velo_ut_params(velo, ut);
                 return std::make_unique<VeloUtFinder>(
                     [&](const HostExecutor& exec) {
                       return lhcb::velo_ut_chain<float>(exec, *detector, params);
                     },
                     detector);
               }),
           py::arg("detector"), py::arg("velo") = "2023", py::arg("ut") = "2023")
      .def("__call__", &VeloUtFinder::operator(), py::arg("events"));
  py::class_<TracksFinder>(module, "TracksFinder")
      .def(py::init(&tracks_finder), py::arg("detector"), py::arg("velo") = "2023",
           py::arg("ut") = "2023", py::arg("long_tracks") = true, py::arg("without_ut") = false,
           py::arg("fit_parameters") = py::none(), py::arg("search") = "both",
           py::arg("max_chi2_per_ndf") = 0., py::arg("field_map") = py::none())
      .def("__call__", &TracksFinder::operator(), py::arg("events"));
}

}  // namespace trackplex::python
