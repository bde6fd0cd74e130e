// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/error.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/detail/mdf_frame.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/io/lhcb/mdf.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// The first byte chooses the format. Whatever the others are, the readers give a value or an
/// InputError; and what they accept survives being written and read again.

namespace {

using namespace trackplex;

void require(bool condition) {
  if (!condition) std::abort();
}

/// What parses must be written as bytes that parse, and are written in the same way again.
template <class Parse, class Write>
void check_copy(std::string_view bytes, const Parse& parse, const Write& write) {
  const auto value = [&]() -> decltype(std::optional(parse(bytes))) {
    try {
      return parse(bytes);
    } catch (const InputError&) {
      return {};
    }
  }();
  if (!value) return;
  const std::string copy = write(*value);
  require(write(parse(std::string_view(copy))) == copy);
}

std::vector<io::MdfEvent> parse_mdf(std::string_view bytes) {
  std::vector<io::MdfEvent> events;
  for (io::MdfReader reader{std::string(bytes), "fuzz"};;) {
    try {
      auto event = reader.next();
      if (!event) return events;
      events.push_back(std::move(*event));
    } catch (const InputError&) {
    }
  }
}

/// Here what was read is compared, too.
void check_mdf(std::string_view bytes) {
  const auto events = parse_mdf(bytes);
  for (const int compression : {0, 1}) {
    const auto again = parse_mdf(io::mdf_bytes(events, {compression, true}));
    require(again.size() == events.size());
    for (std::size_t e = 0; e < events.size(); ++e) {
      const auto &a = events[e].raw, &b = again[e].raw;
      require(a.vp == b.vp && a.ut == b.ut && a.run == b.run && a.number == b.number);
      require(events[e].truth.has_value() == again[e].truth.has_value());
      if (events[e].truth)
        require(events[e].truth->particles == again[e].truth->particles &&
                events[e].truth->vertices == again[e].truth->vertices);
    }
  }
}

void check_banks(std::string_view bytes) {
  check_copy(
      bytes, [](auto text) { return io::parse_bank_file(text, "fuzz", 2); }, io::bank_file_bytes);
  for (const int version : {2, 3, 4}) {
    try {
      const auto banks = io::parse_bank_file(bytes, "fuzz", version);
      version == 2 ? lhcb::check_vp_banks(banks, "fuzz") : lhcb::check_ut_banks(banks, "fuzz");
    } catch (const InputError&) {
    }
  }
}

void check_particles(std::string_view bytes) {
  io::McForm form{};
  const auto parse_any = [&](std::string_view text) {
    auto list = io::parse_mc_particles(text, "fuzz");
    form = list.form;
    return list;
  };
  const auto write = [&](const io::McParticleList& list) {
    return io::mc_particles_bytes(list.particles, form);
  };
  try {
    const std::string copy = write(parse_any(bytes));
    require(write(io::parse_mc_particles(copy, "fuzz", form)) == copy);
  } catch (const InputError&) {
  }
  for (const auto each : io::mc_forms) {
    form = each;
    const auto parse = [&](std::string_view text) {
      return io::parse_mc_particles(text, "fuzz", each);
    };
    check_copy(bytes, parse, write);
  }
}

void check(int format, std::string_view bytes) {
  const auto named = [](auto parse) { return [=](auto text) { return parse(text, "fuzz"); }; };
  const auto as_bytes = [](const auto& numbers) {
    return std::string(reinterpret_cast<const char*>(&numbers), sizeof numbers);
  };
  switch (format) {
    case 0:
      return check_mdf(bytes);
    case 1:
      return check_banks(bytes);
    case 2:
      return check_copy(bytes, named(io::parse_velo_geometry), io::velo_geometry_bytes);
    case 3:
      return check_copy(bytes, named(io::parse_ut_boards), io::ut_boards_bytes);
    case 4:
      return check_copy(bytes, named(io::parse_ut_geometry), io::ut_geometry_bytes);
    case 5:
      return check_copy(bytes, named(io::parse_ut_tables), io::ut_tables_bytes);
    case 6:
      return check_copy(bytes, named(io::parse_beamline), as_bytes);
    case 7:
      return check_copy(bytes, named(io::parse_polarity), as_bytes);
    case 8:
      return check_particles(bytes);
    case 9:
      return check_copy(bytes, named(io::parse_mc_vertices),
                        [](const auto& vertices) { return io::mc_vertices_bytes(vertices); });
    // An MDF file is hard to guess: the bytes as the body of an event, raw or as a record.
    case 10:
      return check_mdf(io::detail::mdf_frame({}, bytes, true));
    default:
      io::detail::MdfHeader header;
      header.compression = 1;
      check_mdf(io::detail::mdf_frame(header, bytes, true));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  check(data[0], std::string_view(reinterpret_cast<const char*>(data), size).substr(1));
  return 0;
}
