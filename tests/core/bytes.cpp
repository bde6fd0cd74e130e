// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <trackplex/core/bytes.hpp>
#include <trackplex/core/error.hpp>
#include <type_traits>
#include <vector>

using namespace trackplex;

namespace {

struct Point {
  double x = 0.;
  bool valid = false;
  bool operator==(const Point&) const = default;
};
struct List {
  std::vector<Point> points;
  std::vector<std::vector<int>> groups;
  std::array<std::vector<std::string>, 2> names;
  std::array<float, 3> numbers{};
  std::uint8_t flag = 0;
  bool operator==(const List&) const = default;
};
struct Whole {
  List list;
  std::vector<List> lists;
  bool operator==(const Whole&) const = default;
};
struct Eight {
  std::string a, b, c, d, e, f, g, h;
  bool operator==(const Eight&) const = default;
};

/// Views of arrays, and a number.
struct Views {
  std::span<const std::uint8_t> flags;
  std::span<const Point> points;
  float number = 0.f;
  std::shared_ptr<const void> owner{};
};
template <class V, class F>
requires std::same_as<std::remove_const_t<V>, Views>
void for_each_part(V& views, const F& f) { f(views.flags, views.number, views.points); }

const List example{{{1.5, true}, {-2., false}}, {{1, 2}, {}, {3}}, {{{"a", ""}, {}}}, {1, 2, 3}, 7};

std::vector<std::byte> bytes_of(const auto& value) { return ByteWriter().add(value).take(); }

}  // namespace

TEST_CASE("Values come back from their bytes", "[bytes]") {
  const Whole whole{example, {example, {}, example}};
  const Eight eight{"1", "2", "", "4", "5", "6", "7", "eight"};
  ByteWriter writer;
  writer.add(whole).add(eight).add(42).add(std::string("end"));
  ByteReader reader(writer.bytes());
  CHECK(reader.read<Whole>() == whole);
  CHECK(reader.read<Eight>() == eight);
  CHECK(reader.read<int>() == 42);
  CHECK_FALSE(reader.at_end());
  CHECK(reader.read<std::string>() == "end");
  CHECK(reader.at_end());
}

TEST_CASE("Equal values have equal bytes", "[bytes]") {
  std::array<std::vector<Point>, 2> points;
  for (int i = 0; i < 2; ++i) {
    std::vector<unsigned char> memory(100 * sizeof(Point), static_cast<unsigned char>(0xaa * i));
    points[i].resize(100);
    for (auto& point : points[i]) {
      std::memcpy(&point, memory.data(), sizeof point);  // also what is between the members
      point.x = 2.;
      point.valid = true;
    }
  }
  CHECK(points[0] == points[1]);
#if defined(__GNUC__) && !defined(__clang__)
  CHECK(bytes_of(points[0]) == bytes_of(points[1]));
  CHECK(same_bytes(points[0], points[1]));
#endif
}

TEST_CASE("Values with the same bytes are told from others", "[bytes]") {
  const Whole whole{example, {example, {}, example}};
  CHECK(same_bytes(whole, Whole(whole)));
  const auto differ = [&](const auto& change) {
    Whole other = whole;
    change(other);
    return !same_bytes(whole, other);
  };
  CHECK(differ([](Whole& other) { other.lists.pop_back(); }));
  CHECK(differ([](Whole& other) { ++other.lists[2].flag; }));
  CHECK(differ([](Whole& other) { other.list.numbers[2] = -0.f; }));

  const std::vector<std::uint8_t> flags{1, 2, 3}, other_flags{1, 2, 4};
  const std::vector<float> not_a_number{std::numeric_limits<float>::quiet_NaN()};
  CHECK(same_bytes(Views{flags, {}, 4.f}, Views{std::vector(flags), {}, 4.f}));
  CHECK(same_bytes(not_a_number, std::vector(not_a_number)));  // the same bits, though not equal
  CHECK_FALSE(same_bytes(Views{flags, {}, 4.f}, Views{other_flags, {}, 4.f}));
  CHECK_FALSE(same_bytes(Views{flags, {}, 4.f}, Views{std::span(flags).first(2), {}, 4.f}));
  CHECK_FALSE(same_bytes(Views{flags, {}, 0.f}, Views{flags, {}, -0.f}));
}

TEST_CASE("Views come back with memory of their own", "[bytes]") {
  std::vector<std::byte> bytes;
  {
    const std::vector<std::uint8_t> flags{1, 2, 3};
    const std::vector<Point> points{{1.5, true}, {-2., false}};
    bytes = ByteWriter().add(std::vector{Views{flags, points, 4.f}, Views{}}).take();
  }
  auto views = ByteReader(bytes).read<std::vector<Views>>();
  REQUIRE(views.size() == 2);
  const Views copy = views[0];
  CHECK(views[1].points.empty());
  CHECK(views[1].number == 0.f);
  views.clear();
  CHECK(std::ranges::equal(copy.flags, std::array{1, 2, 3}));
  CHECK(std::ranges::equal(copy.points, std::array{Point{1.5, true}, Point{-2., false}}));
  CHECK(copy.number == 4.f);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    CAPTURE(n);
    CHECK_THROWS_AS(ByteReader(std::span(bytes).first(n)).read<std::vector<Views>>(), InputError);
  }
}

TEST_CASE("Bytes that end too early are refused", "[bytes]") {
  const auto bytes = bytes_of(example);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    CAPTURE(n);
    CHECK_THROWS_AS(ByteReader(std::span(bytes).first(n)).read<List>(), InputError);
  }
  // A size that no memory would have.
  const auto size = bytes_of(~std::uint64_t(0) / 8);
  CHECK_THROWS_AS(ByteReader(size).read<std::vector<double>>(), InputError);
  CHECK_THROWS_AS(ByteReader(size).read<std::vector<std::string>>(), InputError);
}
