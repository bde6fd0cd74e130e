// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

/// Number of readout banks of the SciFi.
inline constexpr int scifi_banks = 240;
/// Number of links of a bank that a geometry describes; each reads a SiPM.
inline constexpr int scifi_bank_links = 24;
/// Number of entries for mats: those that ids can name. Entries of mats that do not exist are 0.
inline constexpr int scifi_mat_count = 1536;
/// Number of quarters of layers.
inline constexpr int scifi_quarters = 4 * scifi_layers;

/// Readout and positions of the mats of fibres of the SciFi. Lengths are in mm. Channel c of a mat,
/// fraction f of half a channel, is at the distance
/// u = u_begin + (2 c' + 1 + f) half_pitch + die_gap (from c' = 64 on) + s sipm_pitch from the
/// origin of the mat, with c' its channel in SiPM s. Its fibre begins at e = (x, y, z) + u (step_x,
/// step_y, step_z), and runs along y over `length`, which is negative below the beam.
///
/// Banks are read in one of two forms. Until 2021 (bank versions 4 to 6) bank b has the source b
/// and reads consecutive channels from first_channel[b] on. From 2022 on (7 and 8) bank b has the
/// source sources[b], and its link l reads the SiPM sipms[scifi_bank_links * b + l].
struct ScifiGeometry {
  std::vector<std::uint32_t> first_channel;  ///< (bank): first ScifiChannel::id; empty from 2022 on
  std::vector<std::uint32_t> sources;        ///< (bank): source of the bank; empty until 2021
  /// (bank, link), flat: ScifiChannel::id of channel 0 of the SiPM; ids of no mat where none is
  /// connected. Empty until 2021.
  std::vector<std::uint32_t> sipms;
  std::vector<std::uint32_t> modules;  ///< (quarter): number of modules, 5 or 6
  std::vector<float> x,                ///< (mat): x of the origin
      y,                               ///< (mat): y of the origin
      z;                               ///< (mat): z of the origin
  std::vector<float> step_x,           ///< (mat): direction across the fibres, x
      step_y,                          ///< (mat): direction across the fibres, y
      step_z;                          ///< (mat): direction across the fibres, z
  std::vector<float> u_begin;          ///< (mat): u of the first channel's edge
  std::vector<float> half_pitch;       ///< (mat): half the width of a channel
  std::vector<float> die_gap;          ///< (mat): gap between the two halves of a SiPM
  std::vector<float> sipm_pitch;       ///< (mat): distance between SiPMs
  std::vector<float> dxdy;             ///< (mat): dx/dy along the fibres
  std::vector<float> dzdy;             ///< (mat): dz/dy along the fibres
  std::vector<float> length;           ///< (mat): length of the fibres along y, signed; 0: no mat

  /// Whether each link has its own SiPM, as from 2022 on.
  bool has_links() const { return first_channel.empty(); }

  /// Compares all members.
  friend bool operator==(const ScifiGeometry&, const ScifiGeometry&) = default;
};

}  // namespace trackplex::lhcb
