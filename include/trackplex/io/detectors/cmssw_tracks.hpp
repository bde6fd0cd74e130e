// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Simulated tracks of CMS with their measured hits, as text of mkFit's first years:
///
///   simTrack x y z px py pz charge ...
///   recHit x y z  xx xy yy yz zz xz  r eta phi  radiation_lengths xi
///
/// in cm and GeV. A `simTrack`, the true vertex and momentum, begins each track; its hits follow in
/// their order along it, with the covariance of their position in this order of its elements, and
/// the material of their layer: its thickness in radiation lengths and xi = K/2 Z/A rho d of the
/// energy loss (GeV). The radius, eta and phi of a hit repeat its position and are not used.

#include <trackplex/core/compiled.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Measured hit of a track of CMS.
struct CmsswHit {
  std::array<double, 3> position;    ///< cm
  std::array<double, 6> covariance;  ///< xx, xy, yy, xz, yz, zz of the position, cm^2
  double radiation_lengths;          ///< thickness of its layer
  double xi;                         ///< K/2 Z/A rho d of its layer, GeV
};

/// Simulated track of CMS with its hits.
struct CmsswTrack {
  std::array<double, 3> vertex,  ///< true start, cm
      momentum;                  ///< true momentum there, GeV
  int charge;                    ///< in units of the proton's
  std::vector<CmsswHit> hits;    ///< in their order along the track
};

/// Numbers of what a file has, but no track can be made of.
struct CmsswLeftOut {
  std::size_t tracks = 0,  ///< without transverse momentum, of a charge other than 1 or -1, or with
                           ///< a number that is not finite; with their hits
      hits = 0;            ///< of other tracks, with a negative variance or thickness, or a number
                           ///< that is not finite
};

/// Parses tracks; `name` is for messages.
/// @param left_out if not null, tracks and hits that are impossible are left out and added to these
/// numbers, else they are refused
/// @throws InputError with the number of the line if it does not follow the format
std::vector<CmsswTrack> parse_cmssw_tracks(std::string_view text, const std::string& name,
                                           CmsswLeftOut* left_out = nullptr);

/// Reads a file of tracks, which may be compressed by gzip.
/// @throws InputError if the file cannot be read, or as parse_cmssw_tracks()
std::vector<CmsswTrack> read_cmssw_tracks(const std::filesystem::path& path,
                                          CmsswLeftOut* left_out = nullptr);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/cmssw_tracks.impl.hpp>
#endif
