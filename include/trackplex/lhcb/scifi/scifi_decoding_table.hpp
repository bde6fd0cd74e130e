// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/scifi/detail/scifi_mats.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// Banks and mats of the SciFi for the decoding of hits. The mats are numbered in the order of
/// (zone, x), so that sorted hits of one mat are adjacent. Mats of a zone that overlap in x share a
/// row. Lengths are in mm. One extra bank and one extra mat represent those that do not exist.
template <class Real, class MemorySpace>
struct ScifiDecodingTable {
  using Index = IntegerOf<Real>;  ///< Integer as wide as a real.
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  /// Bits of a SiPM in `sipms`: number of its mat, then its SiPM in the mat.
  static constexpr int sipm_bits = 2;

  Array<std::uint16_t> bank_of;  ///< (source): bank; the last entry is for all sources beyond
  /// (bank, link), flat: mat << sipm_bits | SiPM of the mat that the link reads; `mats` <<
  /// sipm_bits if none.
  Array<std::uint16_t> sipms;
  Array<Real> x,                   ///< (mat): x of its first fibre, at y = 0
      y,                           ///< (mat): y where its first fibre is read
      z;                           ///< (mat): z of its first fibre, at y = 0
  Array<Real> x_step,              ///< (mat): change of x across the fibres, per mm
      y_step,                      ///< (mat): change of y
      z_step;                      ///< (mat): change of z
  Array<Real> half_pitch,          ///< (mat): half the width of a channel
      die_gap,                     ///< (mat): gap between the two halves of a SiPM
      sipm_pitch;                  ///< (mat): distance between SiPMs
  Array<Real> length;              ///< (mat): length of the fibres along y, signed
  Array<Real> weight;              ///< (pseudo size): 1/variance, mm^-2
  Array<UnsignedOf<Real>> id;      ///< (mat): LHCbID of its first channel
  Array<Index> row;                ///< (mat): rows are numbered over all zones
  Array<std::uint8_t> descending;  ///< (mat): 1 if x decreases with the channel
  Array<std::uint16_t> zone_mats;  ///< (zone), one more than zones: index of its first mat

  int mats = 0;            ///< number of mats
  int sources = 0;         ///< number of entries of bank_of
  bool has_links = false;  ///< ScifiGeometry::has_links()
};

/// Makes the decoding table of a detector. Waits for the instance.
/// @throws UsageError if arrays of the geometry have the wrong length, see check_scifi_geometry()
template <class Real, class ExecutionSpace>
ScifiDecodingTable<Real, typename ExecutionSpace::memory_space> scifi_decoding_table(
    const ExecutionSpace& exec, const ScifiGeometry& geometry) {
  const auto mats = detail::scifi_mats(geometry);
  ScifiDecodingTable<Real, typename ExecutionSpace::memory_space> table;
  table.mats = int(mats.size());
  table.has_links = geometry.has_links();
  const auto label = [](const std::string& name) { return "Trackplex::Lhcb::scifi_table_" + name; };

  std::vector<int> number(scifi_mat_count, table.mats), first(scifi_zones + 1, 0);
  for (std::size_t i = 0; i < mats.size(); ++i) {
    number[mats[i].index] = int(i);
    ++first[std::size_t(mats[i].zone) + 1];
  }
  for (int zone = 0; zone < scifi_zones; ++zone) first[zone + 1] += first[zone];
  table.zone_mats = to_device<std::uint16_t>(exec, label("zone_mats"), first);

  std::vector<int> sipms;
  for (const auto id : detail::scifi_link_channels(geometry)) {
    const auto mat = ScifiChannel{id}.mat();
    const int known = mat < std::uint32_t(scifi_mat_count) ? number[mat] : table.mats;
    sipms.push_back(known << table.sipm_bits | ScifiChannel{id}.in_mat() / scifi_sipm_channels);
  }
  sipms.resize(std::size_t(scifi_banks + 1) * scifi_bank_links, table.mats << table.sipm_bits);
  table.sipms = to_device<std::uint16_t>(exec, label("sipms"), sipms);
  const auto banks = detail::scifi_banks_of_sources(geometry);
  table.sources = int(banks.size());
  table.bank_of = to_device<std::uint16_t>(exec, label("bank_of"), banks);

  const auto of_mats = [&](const char* name, const auto& value) {
    using Value = decltype(value(mats[0]));
    std::vector<Value> values;
    for (const auto& mat : mats) values.push_back(value(mat));
    return to_device<Value>(exec, label(name), values);
  };
  const auto member = [&](const char* name, double detail::ScifiMat::*m) {
    return of_mats(name, [&](const auto& mat) { return Real(mat.*m); });
  };
  const auto entry = [&](const char* name, const std::vector<float>& list) {
    return of_mats(name, [&](const auto& mat) { return Real(list[mat.index]); });
  };
  table.x = member("x", &detail::ScifiMat::x);
  table.y = member("y", &detail::ScifiMat::y);
  table.z = member("z", &detail::ScifiMat::z);
  table.x_step = member("x_step", &detail::ScifiMat::x_step);
  table.y_step = member("y_step", &detail::ScifiMat::y_step);
  table.z_step = member("z_step", &detail::ScifiMat::z_step);
  table.half_pitch = entry("half_pitch", geometry.half_pitch);
  table.die_gap = entry("die_gap", geometry.die_gap);
  table.sipm_pitch = entry("sipm_pitch", geometry.sipm_pitch);
  table.length = entry("length", geometry.length);
  table.row = of_mats("row", [](const auto& mat) { return IntegerOf<Real>(mat.row); });
  table.id = of_mats("id", [](const auto& mat) {
    return UnsignedOf<Real>(scifi_id_tag << 28 | (mat.index + 512u) << 9);
  });
  table.descending =
      of_mats("descending", [](const auto& mat) { return std::uint8_t(mat.x_step < 0. ? 1 : 0); });
  std::vector<double> weights;
  for (const double sigma : scifi_sigma) weights.push_back(1. / (sigma * sigma));
  table.weight = to_device<Real>(exec, label("weight"), weights);
  return table;
}

}  // namespace trackplex::lhcb
