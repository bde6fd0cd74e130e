// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// An event as event displays draw it. Lengths are in mm, with z along the beam and y up; colours
/// are 0xRRGGBB.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

/// Point of an event display: x, y, z in mm.
using DisplayPoint = std::array<double, 3>;

/// Track of an event display.
struct DisplayTrack {
  /// At least two, in the order of flight. A smooth curve leads through them.
  std::vector<DisplayPoint> points{};
  /// Numbers that are shown with the track, by their names. Tracks can be cut on phi, eta, chi2,
  /// dof, pT, z0 and d0; momenta are in MeV.
  std::vector<std::pair<std::string, double>> values{};
};

/// Tracks of one kind.
struct DisplayTracks {
  std::string name{};       ///< name in the menu
  std::uint32_t color = 0;  ///< 0xRRGGBB
  double diameter = 0.3;    ///< of the lines that are drawn, mm
  std::vector<DisplayTrack> tracks{};
};

/// Hits or vertices of one kind.
struct DisplayPoints {
  std::string name{};       ///< name in the menu
  std::uint32_t color = 0;  ///< 0xRRGGBB
  double size = 1.;         ///< diameter of a hit, radius of a vertex, mm
  std::vector<DisplayPoint> points{};
};

/// Event of an event display. Names of tracks, hits and vertices differ.
struct DisplayEvent {
  std::string name{};
  std::vector<DisplayTracks> tracks{};
  std::vector<DisplayPoints> hits{};
  std::vector<DisplayPoints> vertices{};
  std::optional<std::uint64_t> run{},  ///< number of its run, if it has one
      number{};                        ///< number of the event in the run, if it has one
};

}  // namespace trackplex::io
