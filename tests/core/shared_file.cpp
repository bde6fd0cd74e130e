// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <trackplex/core/files.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/shared_file.hpp>

#include "support/refusals.hpp"

using namespace trackplex;

TEST_CASE("files of one process are plain files", "[core]") {
  const auto path = std::filesystem::temp_directory_path() / "trackplex_shared_file";
  const auto out = create_shared(path, nullptr);
  const std::string first = "abc", second = "defg";
  out->write_at(0, std::as_bytes(std::span(first)));
  out->write_at(3, std::as_bytes(std::span(second)));
  out->close();
  const auto in = open_shared(path, nullptr);
  std::filesystem::remove(path);
  CHECK(in->size() == 7);
  std::string read(3, ' ');
  in->read_at(2, std::as_writable_bytes(std::span(read)));
  CHECK(read == "cde");
  CHECK_NOTHROW(in->read_at(7, {}));
  std::array<std::byte, 3> bytes{};
  test::check_refused([&] { in->read_at(5, bytes); }, "end too early");
  test::check_refused([&] { open_shared(path, nullptr); }, "cannot be opened");
  test::check_refused([&] { check_input(path.parent_path()); }, "is a folder");
}

TEST_CASE("without ranks an error is thrown at once", "[core]") {
  RankErrors errors(nullptr);
  CHECK_THROWS_AS(errors.run([] { throw UsageError("wrong"); }), UsageError);
  CHECK_NOTHROW(errors.check());
}

TEST_CASE("items are dealt in whole blocks", "[core]") {
  CHECK(Share::begin_of(100, 10, 0, 3) == 0);
  CHECK(Share::begin_of(100, 10, 1, 3) == 40);
  CHECK(Share::begin_of(100, 10, 3, 3) == 100);
  CHECK(Share::begin_of(5, 10, 1, 3) == 5);
  CHECK(gather_share(7, nullptr).all == 7);
}
