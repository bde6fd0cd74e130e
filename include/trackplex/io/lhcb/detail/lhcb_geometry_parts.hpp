// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// Reads a number of which only one value is right.
template <class T>
void expect_number(ByteReader& in, const char* what, std::size_t expected) {
  const std::size_t at = in.offset();
  const auto number = in.read<T>();
  if (number != expected)
    throw InputError(in.place(at, what),
                     std::to_string(number) + " instead of " + std::to_string(expected), {},
                     "the file is damaged, or of another format");
}

/// Files of 2023 begin with the number of boards and the version 3, and number the sectors in
/// another way.
inline void refuse_ut_boards_2023(std::string_view bytes, const std::string& name) {
  constexpr std::size_t words = 2 + lhcb::UtBoards::count + 8 * 6 * lhcb::UtBoards::count;
  ByteReader in(bytes, name);
  if (bytes.size() == 4 * words && in.read<std::uint32_t>() == lhcb::UtBoards::count &&
      in.read<std::uint32_t>() == 3)
    throw InputError({name}, "is of version 3", "the form of 2023 is not supported",
                     "use a file of 2019 or 2020");
}

/// The lists of ut_boards.bin with a number for each hybrid, in the file's order.
template <class Boards>
auto hybrid_numbers(Boards& boards) {
  return std::array{&boards.station, &boards.layer, &boards.region, &boards.sector,
                    &boards.channel};
}

/// The lists of ut_geometry.bin with floating-point numbers, in the file's order.
template <class Geometry>
auto sector_numbers(Geometry& geometry) {
  return std::array{&geometry.pitch,       &geometry.length,      &geometry.x_per_strip,
                    &geometry.y_per_strip, &geometry.z_per_strip, &geometry.x,
                    &geometry.y,           &geometry.z,           &geometry.cosine};
}

/// The lists of scifi_geometry.bin with a number for each mat, in the file's order.
template <class Geometry>
auto mat_numbers(Geometry& geometry) {
  return std::array{&geometry.x,          &geometry.y,          &geometry.z,
                    &geometry.step_x,     &geometry.step_y,     &geometry.step_z,
                    &geometry.u_begin,    &geometry.half_pitch, &geometry.die_gap,
                    &geometry.sipm_pitch, &geometry.dxdy,       &geometry.dzdy,
                    &geometry.length};
}

/// Numbers at the begin of scifi_geometry.bin: stations, layers of a station, layers, quarters of a
/// layer, quarters.
inline constexpr std::array<std::uint32_t, 5> scifi_file_begin = {3, 4, lhcb::scifi_layers, 4,
                                                                  lhcb::scifi_quarters};
inline constexpr std::uint32_t scifi_mats_per_module = 4;
/// Bytes of scifi_geometry.bin without a version; other files are longer.
inline constexpr std::size_t scifi_file_bytes =
    4 * (scifi_file_begin.size() + lhcb::scifi_quarters + 3 + lhcb::scifi_banks + 1 +
         13 * lhcb::scifi_mat_count);

/// Number of mats of all modules.
inline std::size_t count_scifi_mats(const lhcb::ScifiGeometry& geometry) {
  std::size_t modules = 0;
  for (const auto n : geometry.modules) modules += n;
  return scifi_mats_per_module * modules;
}

/// Reads the version, if the file has one, and the lists of banks.
inline void read_scifi_banks(ByteReader& in, bool has_version, lhcb::ScifiGeometry& geometry) {
  const std::size_t at = in.offset();
  const std::uint32_t version = has_version ? in.read<std::uint32_t>() : 0;
  if (version > 1)
    throw InputError(in.place(at, "version"), "is " + std::to_string(version),
                     "versions 0 and 1 are known");
  if (version == 0) return in.read_all(geometry.first_channel, lhcb::scifi_banks);
  in.read_all(geometry.sources, lhcb::scifi_banks);
  in.read_all(geometry.sipms, std::size_t(lhcb::scifi_banks) * lhcb::scifi_bank_links);
}

/// Bins of the tables: one less than nodes.
inline constexpr std::array<std::size_t, 2> deflection_bins = {
    lhcb::ut_layers - 1, lhcb::UtMagnetTables::deflection_nodes - 1};
inline constexpr std::array<std::size_t, 3> bdl_bins = {lhcb::UtMagnetTables::bdl_nodes[0] - 1,
                                                        lhcb::UtMagnetTables::bdl_nodes[1] - 1,
                                                        lhcb::UtMagnetTables::bdl_nodes[2] - 1};

template <std::size_t N>
std::size_t table_size(const std::array<std::size_t, N>& bins) {
  std::size_t size = 1;
  for (const auto n : bins) size *= n + 1;
  return size;
}

/// A table: the number of its variables, the bins of each, the number of nodes, and their values.
template <std::size_t N>
void read_table(ByteReader& in, const std::string& what, const std::array<std::size_t, N>& bins,
                std::vector<float>& values) {
  expect_number<std::uint32_t>(in, (what + ": number of variables").c_str(), N);
  for (const auto n : bins) expect_number<std::uint32_t>(in, (what + ": bins").c_str(), n);
  expect_number<std::uint64_t>(in, (what + ": number of values").c_str(), table_size(bins));
  in.read_all(values, table_size(bins));
}

template <std::size_t N>
void append_table(ByteWriter& out, const std::array<std::size_t, N>& bins,
                  const std::vector<float>& values) {
  out.append(std::uint32_t(N));
  for (const auto n : bins) out.append(std::uint32_t(n));
  out.append(std::uint64_t(values.size()));
  out.append_all(values);
}

}  // namespace trackplex::io::detail
