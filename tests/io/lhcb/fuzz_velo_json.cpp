// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/io/lhcb/velo_binary.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/io/lhcb/velo_tracks.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

/// Whatever the bytes are, the readers give a value or an error of Trackplex; and what they accept
/// as an event survives being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using namespace trackplex;
  try {
    const auto event = io::parse_velo_event(text, "fuzz");
    std::ostringstream copy;
    io::write_velo_event(copy, event);
    if (!(io::parse_velo_event(copy.str(), "fuzz") == event)) std::abort();
  } catch (const Error&) {
  }
  try {
    const auto bytes = io::velo_binary_bytes(io::parse_velo_binary(text, "fuzz"));
    if (io::velo_binary_bytes(io::parse_velo_binary(bytes, "fuzz")) != bytes) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
