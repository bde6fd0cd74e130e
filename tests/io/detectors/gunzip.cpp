// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/detail/gunzip.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;

namespace {

/// The bytes as a gzip file of one member.
std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::vector<Bytef> out(deflateBound(&stream, text.size()) + 64);
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = uInt(copy.size());
  stream.next_out = out.data();
  stream.avail_out = uInt(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  const std::string bytes(reinterpret_cast<char*>(out.data()), stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

}  // namespace

TEST_CASE("gzip files are decompressed, of one member or several", "[io]") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 10007) + ",";
  CHECK(io::detail::is_gzip(gzip("")));
  CHECK_FALSE(io::detail::is_gzip("x,y\n"));
  CHECK(io::detail::gunzip(gzip(""), "f").empty());
  CHECK(io::detail::gunzip(gzip(text), "f") == text);
  CHECK(io::detail::gunzip(gzip("a,b\n") + gzip(text), "f") == "a,b\n" + text);
  CHECK(io::detail::gunzip(gzip(text) + std::string(512, '\0'), "f") == text);  // padding
}

TEST_CASE("damaged and too large gzip files are refused", "[io]") {
  const auto bytes = gzip(std::string(100, 'x').append("some text"));
  test::check_cut_off_anywhere(bytes,
                               [](const auto& part) { return io::detail::gunzip(part, "f"); });
  auto changed = bytes;
  changed[changed.size() - 6] = char(changed[changed.size() - 6] + 1);  // its checksum
  test::check_refused([&] { io::detail::gunzip(changed, "f.gz"); }, "f.gz, byte");
  test::check_refused([&] { io::detail::gunzip(bytes + "more", "f"); }, "cannot be decompressed");
  const auto padded = bytes + std::string(8, '\0');
  test::check_refused([&] { io::detail::gunzip(padded + "x", "f"); }, "cannot be decompressed");
  const auto zeros = gzip(std::string(1000000, '\0'));
  test::check_refused([&] { io::detail::gunzip(zeros, "f", 999999); }, "more than 999999 bytes");
  CHECK(io::detail::gunzip(zeros, "f", 1000000).size() == 1000000);
}
