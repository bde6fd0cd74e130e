// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/detail/folders.hpp>
#include <trackplex/io/lhcb/detail/lhcb_geometry_parts.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/check_detector.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace trackplex::io {

TRACKPLEX_INLINE lhcb::VeloPixelGeometry parse_velo_geometry(std::string_view bytes,
                                                             const std::string& name) {
  detail::ByteReader in(bytes, name);
  lhcb::VeloPixelGeometry geometry;
  detail::expect_number<std::uint64_t>(in, "number of modules", geometry.module_z.size());
  in.read_all(geometry.module_z);
  detail::expect_number<std::uint64_t>(in, "number of columns", geometry.column_x.size());
  in.read_all(geometry.column_x);
  detail::expect_number<std::uint64_t>(in, "number of pitches", geometry.column_pitch.size());
  in.read_all(geometry.column_pitch);
  detail::expect_number<std::uint64_t>(in, "number of sensors", geometry.transforms.size());
  detail::expect_number<std::uint64_t>(in, "numbers per sensor", geometry.transforms[0].size());
  for (auto& transform : geometry.transforms) in.read_all(transform);
  in.expect_end("the transforms");
  lhcb::check_velo_pixel_geometry(geometry, name);
  return geometry;
}

TRACKPLEX_INLINE std::string velo_geometry_bytes(const lhcb::VeloPixelGeometry& geometry) {
  detail::ByteWriter out;
  out.append(std::uint64_t(geometry.module_z.size()));
  out.append_all(geometry.module_z);
  for (const auto* columns : {&geometry.column_x, &geometry.column_pitch}) {
    out.append(std::uint64_t(columns->size()));
    out.append_all(*columns);
  }
  out.append(std::uint64_t(geometry.transforms.size()));
  out.append(std::uint64_t(geometry.transforms[0].size()));
  for (const auto& transform : geometry.transforms) out.append_all(transform);
  return out.take();
}

TRACKPLEX_INLINE lhcb::UtBoards parse_ut_boards(std::string_view bytes, const std::string& name) {
  detail::refuse_ut_boards_2023(bytes, name);
  detail::ByteReader in(bytes, name);
  lhcb::UtBoards boards;
  detail::expect_number<std::uint32_t>(in, "number of boards", lhcb::UtBoards::count);
  in.read_all(boards.strips_per_hybrid, lhcb::UtBoards::count);
  for (auto* numbers : detail::hybrid_numbers(boards))
    in.read_all(*numbers, lhcb::UtBoards::count * lhcb::UtBoards::hybrids_per_board);
  in.expect_end("the boards");
  lhcb::check_ut_boards(boards, name);
  return boards;
}

TRACKPLEX_INLINE std::string ut_boards_bytes(const lhcb::UtBoards& boards) {
  detail::ByteWriter out;
  out.append(std::uint32_t(boards.size()));
  out.append_all(boards.strips_per_hybrid);
  for (const auto* numbers : detail::hybrid_numbers(boards)) out.append_all(*numbers);
  return out.take();
}

TRACKPLEX_INLINE lhcb::UtGeometry parse_ut_geometry(std::string_view bytes,
                                                    const std::string& name) {
  detail::ByteReader in(bytes, name);
  lhcb::UtGeometry geometry;
  detail::expect_number<std::uint32_t>(in, "number of sectors", lhcb::ut_sectors);
  in.read_all(geometry.first_strip, lhcb::ut_sectors);
  for (auto* numbers : detail::sector_numbers(geometry)) in.read_all(*numbers, lhcb::ut_sectors);
  in.expect_end("the sectors");
  lhcb::check_ut_geometry(geometry, name);
  return geometry;
}

TRACKPLEX_INLINE std::string ut_geometry_bytes(const lhcb::UtGeometry& geometry) {
  detail::ByteWriter out;
  out.append(std::uint32_t(geometry.size()));
  out.append_all(geometry.first_strip);
  for (const auto* numbers : detail::sector_numbers(geometry)) out.append_all(*numbers);
  return out.take();
}

TRACKPLEX_INLINE lhcb::UtMagnetTables parse_ut_tables(std::string_view bytes,
                                                      const std::string& name) {
  detail::ByteReader in(bytes, name);
  lhcb::UtMagnetTables tables;
  detail::read_table(in, "deflection", detail::deflection_bins, tables.deflection);
  detail::read_table(in, "bdl", detail::bdl_bins, tables.bdl);
  in.expect_end("the tables");
  lhcb::check_ut_magnet_tables(tables, name);
  return tables;
}

TRACKPLEX_INLINE std::string ut_tables_bytes(const lhcb::UtMagnetTables& tables) {
  detail::ByteWriter out;
  detail::append_table(out, detail::deflection_bins, tables.deflection);
  detail::append_table(out, detail::bdl_bins, tables.bdl);
  return out.take();
}

TRACKPLEX_INLINE lhcb::ScifiGeometry parse_scifi_geometry(std::string_view bytes,
                                                          const std::string& name) {
  detail::ByteReader in(bytes, name);
  lhcb::ScifiGeometry geometry;
  for (const auto number : detail::scifi_file_begin)
    detail::expect_number<std::uint32_t>(in, "numbers of layers and quarters", number);
  in.read_all(geometry.modules, lhcb::scifi_quarters);
  detail::expect_number<std::uint32_t>(in, "mats per module", detail::scifi_mats_per_module);
  detail::expect_number<std::uint32_t>(in, "number of mats", detail::count_scifi_mats(geometry));
  detail::expect_number<std::uint32_t>(in, "number of banks", lhcb::scifi_banks);
  detail::read_scifi_banks(in, bytes.size() > detail::scifi_file_bytes, geometry);
  detail::expect_number<std::uint32_t>(in, "number of entries for mats", lhcb::scifi_mat_count);
  for (auto* numbers : detail::mat_numbers(geometry)) in.read_all(*numbers, lhcb::scifi_mat_count);
  in.expect_end("the mats");
  lhcb::check_scifi_geometry(geometry, name);
  return geometry;
}

TRACKPLEX_INLINE std::string scifi_geometry_bytes(const lhcb::ScifiGeometry& geometry) {
  detail::ByteWriter out;
  for (const auto number : detail::scifi_file_begin) out.append(number);
  out.append_all(geometry.modules);
  out.append(detail::scifi_mats_per_module);
  out.append(std::uint32_t(detail::count_scifi_mats(geometry)));
  out.append(std::uint32_t(lhcb::scifi_banks));
  if (geometry.has_links()) out.append(std::uint32_t(1));
  for (const auto* list : {&geometry.first_channel, &geometry.sources, &geometry.sipms})
    out.append_all(*list);
  out.append(std::uint32_t(lhcb::scifi_mat_count));
  for (const auto* numbers : detail::mat_numbers(geometry)) out.append_all(*numbers);
  return out.take();
}

TRACKPLEX_INLINE lhcb::ScifiGeometry read_scifi_geometry(const std::filesystem::path& folder) {
  const auto path = folder / "scifi_geometry.bin";
  return parse_scifi_geometry(read_file(path), path.string());
}

TRACKPLEX_INLINE std::array<float, 2> parse_beamline(std::string_view bytes,
                                                     const std::string& name) {
  detail::ByteReader in(bytes, name);
  std::array<float, 2> beam{};
  in.read_all(beam);
  in.expect_end("x and y of the beam");
  lhcb::check_beam(beam[0], beam[1], name);
  return beam;
}

TRACKPLEX_INLINE float parse_polarity(std::string_view bytes, const std::string& name) {
  detail::ByteReader in(bytes, name);
  const auto polarity = in.read<float>();
  in.expect_end("the polarity");
  lhcb::check_polarity(polarity, name);
  return polarity;
}

TRACKPLEX_INLINE lhcb::Detector read_detector(const std::filesystem::path& folder) {
  return read_detector(std::span(&folder, 1));
}

TRACKPLEX_INLINE lhcb::Detector read_detector(std::span<const std::filesystem::path> folders) {
  const auto parsed = [&](const char* file, const auto& parse) {
    const auto path = detail::last_folder_with(folders, file) / file;
    return parse(read_file(path), path.string());
  };
  lhcb::Detector detector;
  detector.velo = parsed("velo_geometry.bin", parse_velo_geometry);
  detector.ut_boards = parsed("ut_boards.bin", parse_ut_boards);
  detector.ut = parsed("ut_geometry.bin", parse_ut_geometry);
  detector.magnet = parsed("ut_tables.bin", parse_ut_tables);
  const auto beam = parsed("beamline.bin", parse_beamline);
  detector.beam_x = beam[0];
  detector.beam_y = beam[1];
  detector.polarity = parsed("polarity.bin", parse_polarity);
  constexpr const char* scifi = "scifi_geometry.bin";
  if (std::error_code error;
      std::filesystem::exists(detail::last_folder_with(folders, scifi) / scifi, error))
    detector.scifi = parsed(scifi, parse_scifi_geometry);
  return detector;
}

TRACKPLEX_INLINE void write_detector(const std::filesystem::path& folder,
                                     const lhcb::Detector& detector) {
  lhcb::check_detector(detector);
  make_folder(folder);
  write_file(folder / "velo_geometry.bin", velo_geometry_bytes(detector.velo));
  write_file(folder / "ut_boards.bin", ut_boards_bytes(detector.ut_boards));
  write_file(folder / "ut_geometry.bin", ut_geometry_bytes(detector.ut));
  write_file(folder / "ut_tables.bin", ut_tables_bytes(detector.magnet));
  detail::ByteWriter beam, polarity;
  beam.append(detector.beam_x);
  beam.append(detector.beam_y);
  polarity.append(detector.polarity);
  write_file(folder / "beamline.bin", beam.bytes());
  write_file(folder / "polarity.bin", polarity.bytes());
  if (detector.scifi)
    write_file(folder / "scifi_geometry.bin", scifi_geometry_bytes(*detector.scifi));
}

}  // namespace trackplex::io
