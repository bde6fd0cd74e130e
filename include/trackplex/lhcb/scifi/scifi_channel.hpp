// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace trackplex::lhcb {

/// Number of layers of the SciFi; in the order of z they are X, U, V, X in each of three stations.
inline constexpr int scifi_layers = 12;
/// Number of zones: zones 2 l and 2 l + 1 are the lower (y < 0) and upper half of layer l.
inline constexpr int scifi_zones = 2 * scifi_layers;

/// Nominal dx/dy along the fibres of each layer.
inline constexpr std::array<double, scifi_layers> scifi_dxdy = {
    0., 0.0874892, -0.0874892, 0., 0., 0.0874892, -0.0874892, 0., 0., 0.0874892, -0.0874892, 0.};
/// Nominal z of each layer at y = 0, mm.
inline constexpr std::array<double, scifi_layers> scifi_z = {
    7826., 7896., 7966., 8036., 8508., 8578., 8648., 8718., 9193., 9263., 9333., 9403.};
/// Nominal dz/dy of all layers, which lean.
inline constexpr double scifi_dzdy = 0.003601;

/// Number of channels of a silicon photomultiplier (SiPM), which reads a part of a mat.
inline constexpr int scifi_sipm_channels = 128;
/// Number of SiPMs of a mat of fibres.
inline constexpr int scifi_mat_sipms = 4;
/// Number of channels of a mat.
inline constexpr int scifi_mat_channels = scifi_mat_sipms * scifi_sipm_channels;

/// Channel id of the SciFi, the low bits of an LHCbID: channel of the SiPM in bits 0 to 6, SiPM of
/// the mat in 7 and 8, mat of the module in 9 and 10, module of the quarter in 11 to 13, quarter of
/// the layer in 14 and 15, layer of the station in 16 and 17, station, from 1, in 18 and 19.
/// Quarters 0 and 1 are at y < 0, 0 and 2 at x < 0; module 0 is next to the beam.
struct ScifiChannel {
  std::uint32_t id = 0;  ///< bits of the channel, without the tag of the SciFi

  /// Channel of the mat, 0 to 511.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int in_mat() const { return int(id & 0x1ffu); }
  /// Index of the mat in ScifiGeometry; not below scifi_mat_count where no mat can be.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t mat() const { return (id >> 9) - 512u; }
  /// Layer, 0 to scifi_layers - 1.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int layer() const { return int(id >> 16) - 4; }
  /// Zone, 0 to scifi_zones - 1.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int zone() const { return int(id >> 15) - 8; }
};
static_assert(ScifiChannel{262170}.layer() == 0 && ScifiChannel{589955}.layer() == 5);
static_assert(ScifiChannel{1u << 18 | 2u << 14}.zone() == 1);

/// Tag of the SciFi in bits 28 to 31 of an LHCbID (files of 2018 to 2020).
inline constexpr std::uint32_t scifi_id_tag = 0xA;

/// Largest pseudo size of a cluster. Sizes 5 to 8 are widths of wide clusters; 4 stands for up to
/// 4 channels, 0 for the edge or a part of a cluster that is too wide.
inline constexpr int scifi_max_size = 8;
/// Published standard deviation of the position of a cluster of each pseudo size, mm. (Parts of
/// wide clusters, 0, are in truth the least precise.)
inline constexpr std::array<double, scifi_max_size + 1> scifi_sigma = {0.05, 0.08, 0.11, 0.14, 0.17,
                                                                       0.20, 0.23, 0.26, 0.29};

}  // namespace trackplex::lhcb
