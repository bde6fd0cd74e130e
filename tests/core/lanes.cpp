// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <trackplex/core/lane_memory.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Every operation of Lanes<T, W> is compared with the same operation on the scalars of its lanes,
// bit for bit: scalars are the definition.

namespace trackplex::test {
namespace {

/// The bits of a number; a NaN is any NaN.
template <class T>
std::uint64_t bits(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x) x = std::numeric_limits<T>::quiet_NaN();
    return static_cast<std::uint64_t>(bit_cast<IntegerOf<T>>(x));
  } else {
    return static_cast<std::uint64_t>(x);
  }
}

/// Values whose combinations reach the corners of the operations.
template <class T>
std::vector<T> values() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return {T(0),
            T(-0.0),
            T(1),
            T(-1),
            T(1.5),
            T(-2.75),
            T(3),
            T(1e6),
            T(-7e9),
            T(0.1),
            Limits::min(),
            Limits::denorm_min(),
            -Limits::denorm_min(),
            Limits::max(),
            Limits::lowest(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            Limits::epsilon(),
            T(1) + Limits::epsilon(),
            T(12345.678)};
  } else {
    return {T(0),   T(1),      T(2),  T(3),  T(-1), T(-2), T(77), T(-78), T(1) << 20, Limits::max(),
            T(100), T(123456), T(15), T(16), T(31), T(32), T(33), T(63),  T(255)};
  }
}

/// Lane i holds values[(i * stride + from) % size].
template <class N>
N pick(std::size_t from, std::size_t stride) {
  const auto all = values<ScalarOf<N>>();
  N a;
  for (int i = 0; i < width_of<N>; ++i)
    insert(a, i, all[(std::size_t(i) * stride + from) % all.size()]);
  return a;
}

/// Calls f(a, b, c) for lanes that pair every value with every other.
template <class N, class F>
void for_each_triple(F f) {
  const std::size_t n = values<ScalarOf<N>>().size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) f(pick<N>(i, 1), pick<N>(j, 1), pick<N>(i + 2 * j, 3));
}

/// Lanes where f of the lanes differs from f of their scalars.
template <class R, class F, class... N>
int differences(F f, const N&... a) {
  const R lanes = f(a...);
  int count = 0;
  for (int i = 0; i < width_of<R>; ++i)
    count += bits<ScalarOf<R>>(extract(lanes, i)) !=
             bits<ScalarOf<R>>(static_cast<ScalarOf<R>>(f(extract(a, i)...)));
  return count;
}

template <class F, class... N>
int mask_differences(F f, const N&... a) {
  const auto mask = f(a...);
  int count = 0, i = 0;
  for (; i < std::max({width_of<N>...}); ++i) count += extract(mask, i) != f(extract(a, i)...);
  return count;
}

template <class T>
using Tuple = std::tuple<Lanes<T, 2>, Lanes<T, 4>, Lanes<T, 8>, Lanes<T, 16>>;
template <class... Tuples>
using Concatenated = decltype(std::tuple_cat(std::declval<Tuples>()...));

using FloatLanes = Concatenated<Tuple<float>, Tuple<double>>;
using AllLanes = Concatenated<FloatLanes, Tuple<std::int32_t>, Tuple<std::uint32_t>,
                              Tuple<std::int64_t>, Tuple<std::uint64_t>>;
using IntegerLanes = Concatenated<Tuple<std::int32_t>, Tuple<std::uint32_t>, Tuple<std::int64_t>,
                                  Tuple<std::uint64_t>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("Arithmetic of lanes is that of their elements", "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  int wrong = 0;
  // signed overflow is undefined: halves of the values stay below it
  const auto half = [](auto a) {
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>)
      return a >> (4 * int(sizeof(T)) + 1);
    else
      return a;
  };
  for_each_triple<N>([&](N a, N b, N) {
    wrong += differences<N>([&](auto x, auto y) { return half(x) + half(y); }, a, b);
    wrong += differences<N>([&](auto x, auto y) { return half(x) - half(y); }, a, b);
    wrong += differences<N>([&](auto x, auto y) { return half(x) * half(y); }, a, b);
    wrong += differences<N>([&](auto x) { return -half(x); }, a);
    wrong += differences<N>(
        [&](auto x, auto y) {
          auto z = half(x);
          z += half(y);
          z *= half(y);
          z -= half(x);
          return z;
        },
        half(half(a)), half(half(b)));
    if constexpr (std::is_floating_point_v<T>) {
      wrong += differences<N>([](auto x, auto y) { return x / y; }, a, b);
    }
  });
  CHECK(wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("Comparisons and select of lanes", "[lanes]", AllLanes) {
  using N = TestType;
  int wrong = 0;
  for_each_triple<N>([&](N a, N b, N c) {
    wrong += mask_differences([](auto x, auto y) { return x < y; }, a, b);
    wrong += mask_differences([](auto x, auto y) { return x <= y; }, a, b);
    wrong += mask_differences([](auto x, auto y) { return x > y; }, a, b);
    wrong += mask_differences([](auto x, auto y) { return x >= y; }, a, b);
    wrong += mask_differences([](auto x, auto y) { return x == y; }, a, b);
    wrong += mask_differences([](auto x, auto y) { return x != y; }, a, b);
    wrong += differences<N>([](auto x, auto y, auto z) { return select(x < y, y, z); }, a, b, c);
    wrong += differences<N>([](auto x, auto y) { return min(x, y); }, a, b);
    wrong += differences<N>([](auto x, auto y) { return max(x, y); }, a, b);
  });
  CHECK(wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("Minimum and maximum return the first argument where it is not ordered",
                        "[lanes]", FloatLanes) {
  using T = ScalarOf<TestType>;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const TestType number(T(2)), none(nan);
  CHECK(std::isnan(extract(min(none, number), 0)));
  CHECK(std::isnan(extract(max(none, number), 0)));
  CHECK(extract(min(number, none), 0) == 2);
  CHECK(extract(max(number, none), 0) == 2);
  CHECK(std::signbit(extract(min(TestType(T(-0.0)), TestType(T(0))), 0)));
  CHECK_FALSE(std::signbit(extract(min(TestType(T(0)), TestType(T(-0.0))), 0)));
}

TEMPLATE_LIST_TEST_CASE("Floating-point functions of lanes", "[lanes]", FloatLanes) {
  using N = TestType;
  int wrong = 0;
  for_each_triple<N>([&](N a, N b, N c) {
    wrong += differences<N>([](auto x, auto y, auto z) { return fma(x, y, z); }, a, b, c);
    wrong += differences<N>([](auto x) { return sqrt(x); }, a);
    wrong += differences<N>([](auto x) { return abs(x); }, a);
    wrong += differences<N>([](auto x, auto y) { return copysign(x, y); }, a, b);
  });
  CHECK(wrong == 0);
  // one rounding, not two
  using T = ScalarOf<N>;
  const T e = std::numeric_limits<T>::epsilon();
  CHECK(extract(fma(N(T(1) + e), N(T(1) - e), N(T(-1))), 0) == -e * e);
}

TEMPLATE_LIST_TEST_CASE("Integer operations of lanes", "[lanes]", IntegerLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  int wrong = 0;
  for_each_triple<N>([&](N a, N b, N) {
    wrong += differences<N>([](auto x, auto y) { return x & y; }, a, b);
    wrong += differences<N>([](auto x, auto y) { return x | y; }, a, b);
    wrong += differences<N>([](auto x, auto y) { return x ^ y; }, a, b);
    wrong += differences<N>([](auto x) { return ~x; }, a);
    for (int count : {0, 1, 7, 8 * int(sizeof(T)) - 1}) {
      wrong += differences<N>([=](auto x) { return x << count; }, a);
      wrong += differences<N>([=](auto x) { return x >> count; }, a);
    }
    if constexpr (std::is_signed_v<T>) {
      wrong += differences<N>([](auto x) { return abs(x); }, a);
    }
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      wrong += differences<N>(
          [](auto x, auto y) {
            decltype(x) high, low;
            multiply_wide(x, y, high, low);
            return high ^ (low << 1);
          },
          a, b);
    }
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      wrong += differences<N>([](auto x, auto y) { return multiply_low_halves(x, y); }, a, b);
    }
  });
  CHECK(wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("Masks of lanes", "[lanes]", AllLanes) {
  using N = TestType;
  using Mask = MaskOf<N>;
  constexpr int width = width_of<N>;
  constexpr unsigned all = (1u << width) - 1;
  const auto mask_of = [](unsigned bits) {
    std::array<ScalarOf<N>, width> x;
    for (int i = 0; i < width; ++i) x[std::size_t(i)] = ScalarOf<N>((bits >> i) & 1u);
    return load<N>(x.data()) == N(ScalarOf<N>(1));
  };
  for (unsigned m : {0u, 1u, 2u, 3u, 0x5555u, 0x8001u, 0xf0f0u, 0xffffu}) {
    const unsigned a = m & all;
    const Mask mask = mask_of(a);
    CHECK(bits_of(mask) == a);
    CHECK(any_of(mask) == (a != 0));
    CHECK(all_of(mask) == (a == all));
    CHECK(none_of(mask) == (a == 0));
    CHECK(count_of(mask) == std::popcount(a));
    CHECK(bits_of(!mask) == (~a & all));
    std::vector<int> lanes, expected;
    for_each_lane(mask, [&](int i) { lanes.push_back(i); });
    for (int i = 0; i < width; ++i) {
      CHECK(extract(mask, i) == bool((a >> i) & 1u));
      if ((a >> i) & 1u) expected.push_back(i);
    }
    CHECK(lanes == expected);
    for (unsigned other : {0x3u, 0x6666u, 0xffffu}) {
      const unsigned b = other & all;
      CHECK(bits_of(mask & mask_of(b)) == (a & b));
      CHECK(bits_of(mask | mask_of(b)) == (a | b));
      CHECK(bits_of(mask ^ mask_of(b)) == (a ^ b));
      CHECK(bits_of(mask && mask_of(b)) == (a & b));
      CHECK(bits_of(mask || mask_of(b)) == (a | b));
    }
  }
  CHECK(bits_of(Mask(true)) == all);
  CHECK(bits_of(Mask(false)) == 0);
  for (int n = 0; n <= width; ++n) CHECK(bits_of(first_lanes<N>(n)) == (1u << n) - 1);
}

TEMPLATE_LIST_TEST_CASE("Loads and stores touch only their elements", "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  constexpr int width = width_of<N>;
  for (int n = 0; n <= width; ++n) {
    // exactly as long as what may be read or written: a sanitizer sees any element too many
    std::vector<T> x(std::size_t(n), T(0)), y(std::size_t(n), T(0));
    for (int i = 0; i < n; ++i) x[std::size_t(i)] = T(i + 1);
    const N a = load_first<N>(x.data(), n);
    for (int i = 0; i < width; ++i) CHECK(extract(a, i) == (i < n ? T(i + 1) : T(0)));
    store_first(y.data(), a, n);
    CHECK(x == y);
  }
  std::vector<T> x(3 * width), y(3 * width);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(i * i);
  for (std::size_t i = 0; i + width <= x.size(); ++i) {  // at any alignment
    const N a = load<N>(&x[i]);
    store(&y[i], a + N(T(1)));
    for (int lane = 0; lane < width; ++lane) {
      CHECK(extract(a, lane) == x[i + std::size_t(lane)]);
      CHECK(y[i + std::size_t(lane)] == x[i + std::size_t(lane)] + T(1));
    }
  }
  std::vector<float> floats(width), back(width);
  for (int i = 0; i < width; ++i) floats[std::size_t(i)] = float(3 * i);
  const N converted = load<N>(floats.data());
  store(back.data(), converted);
  CHECK(back == floats);
  store_first(back.data(), converted + N(T(1)), width - 1);
  CHECK(back.front() == 1);
  CHECK(back.back() == floats.back());
}

TEMPLATE_LIST_TEST_CASE("Gather and scatter", "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  using Integer = IntegerOf<N>;
  constexpr int width = width_of<N>;
  std::vector<T> table(100);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = T(7 * i + 1);
  Integer index;
  for (int i = 0; i < width; ++i) insert(index, i, ScalarOf<Integer>((i * 37 + 5) % 100));
  const N all = gather<N>(table.data(), index);
  for (int i = 0; i < width; ++i) CHECK(extract(all, i) == table[std::size_t(extract(index, i))]);

  const auto odd = (lane_index<Integer>() & Integer(1)) == Integer(1);
  const Integer wild = select(odd, index, Integer(1000000000));  // never used
  const N some = gather<N>(table.data(), wild, odd);
  for (int i = 0; i < width; ++i)
    CHECK(extract(some, i) == (i % 2 ? table[std::size_t(extract(index, i))] : T(0)));

  prefetch(table.data(), wild);  // of any index

  auto expected = table;
  scatter(table.data(), wild, N(T(3)), odd);
  for (int i = 1; i < width; i += 2) expected[std::size_t(extract(index, i))] = T(3);
  CHECK(table == expected);

  // of two lanes with one index, the last stays
  scatter(table.data(), Integer(4), lane_index<N>(), MaskOf<N>(true));
  CHECK(table[4] == T(width - 1));

  // index lanes of another size, and a table of another type
  std::vector<float> floats(100);
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = float(i);
  const N from_floats = gather<N>(floats.data(), index, odd);
  for (int i = 0; i < width; ++i)
    CHECK(extract(from_floats, i) == (i % 2 ? T(extract(index, i)) : T(0)));
}

TEMPLATE_LIST_TEST_CASE("Reductions combine halves, in the same order at every register width",
                        "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  constexpr int width = width_of<N>;
  N a;
  for (int i = 0; i < width; ++i)
    insert(a, i, std::is_floating_point_v<T> ? T(1) / T(3 + 7 * i % 11) : T((i * 29 + 7) % 17));
  std::array<T, std::size_t(width)> sum, low, high;
  for (int i = 0; i < width; ++i) sum[std::size_t(i)] = extract(a, i);
  low = high = sum;
  for (int half = width / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      const auto k = std::size_t(i), l = std::size_t(i + half);
      sum[k] = sum[k] + sum[l];
      low[k] = std::min(low[k], low[l]);
      high[k] = std::max(high[k], high[l]);
    }
  }
  CHECK(sum_of(a) == sum[0]);
  CHECK(min_of(a) == low[0]);
  CHECK(max_of(a) == high[0]);
}

TEMPLATE_LIST_TEST_CASE("Conversions of lanes", "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  constexpr int width = width_of<N>;
  N a;  // small enough for every element type
  for (int i = 0; i < width; ++i) insert(a, i, T(std::is_floating_point_v<T> ? 1.75 * i : 3 * i));
  const auto to = [&]<class U>(U) {
    return differences<Rebind<N, U>>([](auto x) { return convert<Rebind<decltype(x), U>>(x); }, a);
  };
  CHECK(to(float{}) == 0);
  CHECK(to(double{}) == 0);
  CHECK(to(std::int32_t{}) == 0);
  CHECK(to(std::uint32_t{}) == 0);
  CHECK(to(std::int64_t{}) == 0);
  CHECK(to(std::uint64_t{}) == 0);
  if constexpr (std::is_signed_v<T>) {
    const N negative = N(T(0)) - a;
    CHECK(differences<IntegerOf<N>>([](auto x) { return convert<IntegerOf<decltype(x)>>(x); },
                                    negative) == 0);
  }
  for_each_triple<N>([&](N x, N, N) {
    const auto bits = bit_cast<UnsignedOf<N>>(x);
    for (int i = 0; i < width; ++i)
      if (extract(bits, i) != bit_cast<UnsignedOf<T>>(extract(x, i))) FAIL("bit_cast");
    const auto back = bit_cast<N>(bits);
    if (bits_of(bit_cast<UnsignedOf<N>>(back) == bits) != (1u << width) - 1) FAIL("bit_cast");
  });
}

TEMPLATE_LIST_TEST_CASE("Lanes come from scalars of the same precision, and are enumerated",
                        "[lanes]", AllLanes) {
  using N = TestType;
  using T = ScalarOf<N>;
  for (int i = 0; i < width_of<N>; ++i) {
    CHECK(extract(lane_index<N>(), i) == T(i));
    CHECK(extract(N(T(5)), i) == T(5));
    CHECK(extract(N(7), i) == T(7));
  }
  STATIC_CHECK(std::is_constructible_v<N, T>);
  STATIC_CHECK(std::is_constructible_v<N, double> == std::is_same_v<T, double>);
  STATIC_CHECK(std::is_trivially_copyable_v<N>);
  STATIC_CHECK(sizeof(N) == sizeof(T) * width_of<N>);
  STATIC_CHECK(std::is_same_v<LanesOf<T, width_of<N>>, N>);
  STATIC_CHECK(std::is_same_v<LanesOf<T, 1>, T>);
  STATIC_CHECK(width_of<T> == 1);
}

}  // namespace trackplex::test
