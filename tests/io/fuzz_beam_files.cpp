// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/error.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/elegant/elegant_run.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/sdds/wake_file.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "beam_grammar.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

/// Changes whole statements, or bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  trackplex::test::BeamGrammar grammar(seed);
  if (grammar.below(3) == 0) return LLVMFuzzerMutate(data, size, max);
  const std::string text =
      grammar.changed(std::string_view(reinterpret_cast<const char*>(data), size));
  const std::size_t length = std::min(max, text.size());
  std::memcpy(data, text.data(), length);
  return length;
}

/// Whatever the bytes are, the readers of lattices, bunches, wakes and SDDS give a value or an
/// error of Trackplex.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using namespace trackplex;
  try {
    const auto file = io::parse_elegant_lattice(text, "fuzz");
    for (const auto& line : file.lattice.lines()) file.expand(line.name, 1000);
  } catch (const Error&) {
  }
  try {
    io::parse_elegant_run(text, "fuzz", {.skip_unknown = true});
  } catch (const Error&) {
  }
  try {
    const auto file = io::parse_madx(text, "fuzz");
    for (const auto& name : file.sequences()) file.expand(name, 1000);
  } catch (const Error&) {
  }
  try {
    io::parse_pals(text, "fuzz");
  } catch (const Error&) {
  }
  try {
    io::parse_xsuite(text, "fuzz");
  } catch (const Error&) {
  }
  try {
    io::parse_bunch_csv(text, "fuzz");
  } catch (const Error&) {
  }
  try {
    const auto file = io::parse_sdds(text, "fuzz");
    const auto again = io::parse_sdds(io::sdds_bytes(file), "again");
    if (again.pages.size() != file.pages.size()) std::abort();
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  try {
    io::parse_bunch_sdds(text, "fuzz");
  } catch (const Error&) {
  }
  try {
    io::parse_wake_table(text, "fuzz", {.longitudinal = "W"});
  } catch (const Error&) {
  }
  return 0;
}
