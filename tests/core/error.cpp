// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/error.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace trackplex;

TEST_CASE("Messages say where: problem (why); suggestion", "[core]") {
  CHECK(std::string(Error("plain").what()) == "plain");
  CHECK(std::string(Error("where", "problem").what()) == "where: problem");
  CHECK(std::string(Error("where", "problem", "why").what()) == "where: problem (why)");
  CHECK(std::string(Error("where", "problem", "why", "do this").what()) ==
        "where: problem (why); do this");
  CHECK(std::string(Error("where", "problem", "", "do this").what()) == "where: problem; do this");
  CHECK(std::string(UsageError("", "problem", "why").what()) == "problem (why)");
}

TEST_CASE("A place in an input is told as far as it is known", "[core]") {
  CHECK(InputPlace{"file"}.to_string() == "file");
  CHECK(InputPlace{"file", "x"}.to_string() == "file: x");
  CHECK(InputPlace{"file", "x", 3}.to_string() == "file: x[3]");
  CHECK(InputPlace{"file", {}, {}, 17}.to_string() == "file, byte 17");
  CHECK(InputPlace{"", "x", 3}.to_string() == "x[3]");
  CHECK(InputPlace{"", "", {}, 17}.to_string() == "byte 17");
  CHECK(InputPlace{}.to_string().empty());
}

TEST_CASE("Errors of input and capacity carry what they tell", "[core]") {
  const InputError input({"file", "x", 3}, "is null", "a number is expected");
  CHECK(std::string(input.what()) == "file: x[3]: is null (a number is expected)");
  CHECK(input.place().file == "file");
  CHECK(input.place().field == "x");
  CHECK(input.place().index == 3u);
  CHECK_FALSE(input.place().offset.has_value());

  const CapacityError capacity("file", "hits", 70000, 65535, "split the event");
  CHECK(std::string(capacity.what()) ==
        "file: 70000 hits do not fit (capacity 65535); split the event");
  CHECK(capacity.needed() == 70000);
  CHECK(capacity.capacity() == 65535);
}

TEST_CASE("Every error is an Error and a runtime_error", "[core]") {
  CHECK_THROWS_AS(throw InputError({"file"}, "problem"), Error);
  CHECK_THROWS_AS(throw UsageError("where", "problem"), Error);
  CHECK_THROWS_AS(throw CapacityError("where", "hits", 2, 1), Error);
  CHECK_THROWS_AS(throw Error("problem"), std::runtime_error);
}
