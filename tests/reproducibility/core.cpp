// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the complete output of the building blocks in core/. The input comes from their own
// random numbers, so that no library function decides about it.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/core/scan.hpp>
#include <type_traits>
#include <vector>

#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

template <class T, class Space>
using Device = Kokkos::View<T*, typename Space::memory_space>;

/// Adds the values to the hash, all NaN alike: their sign and payload are not specified.
template <class Space, class View>
void add(Fingerprint& hash, const Space& exec, const View& device) {
  using T = typename View::non_const_value_type;
  const auto host = Kokkos::create_mirror_view(device);
  copy_array(exec, host, device);
  exec.fence();
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    T value = host(i);
    if constexpr (std::is_floating_point_v<T>)
      if (value != value) value = std::numeric_limits<T>::quiet_NaN();
    hash.add(value);
  }
}

std::vector<int> integers_below(int bound, int n) {
  RandomStream<float> random(2025, 1, std::uint32_t(bound));
  std::vector<int> values(n);
  for (int& value : values) value = random.below(bound);
  return values;
}

/// Numbers of either sign with random exponents first, ..., last (of 2) and random fractions.
template <class T>
void append_numbers(std::vector<T>& x, int first, int last, int n) {
  using Bits = UnsignedOf<T>;
  constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  RandomStream<float> random(2025, 2, std::uint32_t(last - first));
  for (int i = 0; i < n; ++i) {
    const auto exponent = Bits(first + random.below(last - first + 1) + bias);
    Bits bits = random.bits();
    if constexpr (sizeof(T) == 8) bits = bits << 32 | random.bits();
    const Bits fraction = bits & ((Bits(1) << fraction_bits) - 1);
    const Bits sign = bits >> (8 * sizeof(T) - 1) << (8 * sizeof(T) - 1);
    x.push_back(bit_cast<T>(Bits(sign | exponent << fraction_bits | fraction)));
  }
}

// Scan and sort -----------------------------------------------------------------------------------

template <class Space>
std::string scan_hash() {
  const Space exec;
  Fingerprint hash;
  for (const int n : {1, 2, 1000, 200000}) {
    const auto counts = to_device<int>(exec, "Trackplex::Test::counts", integers_below(1000, n));
    const Device<int, Space> offsets("Trackplex::Test::offsets", n + 1);
    const Device<std::int64_t, Space> wide_offsets("Trackplex::Test::wide_offsets", n + 1);
    exclusive_scan(exec, counts, offsets, n);
    exclusive_scan(exec, counts, wide_offsets, n);
    add(hash, exec, offsets);
    add(hash, exec, wide_offsets);
  }
  return hash.hex();
}

template <class Space>
std::string sort_hash() {
  const Space exec;
  Workspace<Space> workspace;
  Fingerprint hash;
  for (const int n : {1, 257, 100000}) {
    for (const int n_keys : {1, 7, 1000}) {
      const auto keys = to_device<int>(exec, "Trackplex::Test::keys", integers_below(n_keys, n));
      const Device<int, Space> offsets("Trackplex::Test::offsets", n_keys + 1);
      const Device<int, Space> permutation("Trackplex::Test::permutation", n);
      counting_sort(exec, keys, n, n_keys, offsets, permutation, workspace);
      add(hash, exec, offsets);
      add(hash, exec, permutation);
    }
  }
  return hash.hex();
}

// Reductions --------------------------------------------------------------------------------------

/// Sum, minimum, maximum and sums of powers of numbers whose order matters.
template <class T, int Width, class Space>
std::string reduce_hash() {
  const Space exec;
  Workspace<Space> workspace;
  Fingerprint hash;
  for (const int n : {1, 33, 4097, 300001}) {
    std::vector<T> values;
    append_numbers(values, -12, 12, n);
    const auto x = to_device<T>(exec, "Trackplex::Test::values", values);
    const Device<T, Space> result("Trackplex::Test::result", 1);
    const Device<T, Space> sums("Trackplex::Test::sums", 4);
    reduce_array<Sum, Width>(exec, x, n, result, workspace);
    add(hash, exec, result);
    reduce_array<Min, Width>(exec, x, n, result, workspace);
    add(hash, exec, result);
    reduce_array<Max, Width>(exec, x, n, result, workspace);
    add(hash, exec, result);
    sum_powers<Width>(exec, x, n, T(0.3), sums, workspace);
    add(hash, exec, sums);
  }
  return hash.hex();
}

// Elementary functions ----------------------------------------------------------------------------

/// a / b where b may be 0: meant, for the sanitizer that stops at such divisions.
template <class Real>
__attribute__((no_sanitize("float-divide-by-zero"))) KOKKOS_FUNCTION Real quotient(Real a, Real b) {
  return a / b;
}

/// All functions of x[i], and of x[i] and y[i], as consecutive arrays of n.
template <class Real>
struct ElementaryFunctions {
  using T = ScalarOf<Real>;
  static constexpr int functions = 18;
  const T *x, *y;
  T* out;
  int n;

  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    const Real a = tile.load(x), b = tile.load(y);
    T* next = out;
    const auto put = [&](const Real& value) {
      tile.store(next, value);
      next += n;
    };
    put(rint(a));
    put(floor(a));
    put(ceil(a));
    put(sin(a));
    put(cos(a));
    const auto angle = sincos(a);
    put(angle.sin);
    put(angle.cos);
    const auto half_turns = sincospi(a);
    put(half_turns.sin);
    put(half_turns.cos);
    put(tan(a));
    put(atan(a));
    put(atan2(a, b));
    put(exp(a));
    put(log(a));
    put(log(abs(a)));
    put(sqrt(abs(a)));
    put(quotient(a, b));
    put(fma(a, b, a));
  }
};

template <class T, int Width, class Space>
std::string functions_hash() {
  using Functions = ElementaryFunctions<LanesOf<T, Width>>;
  constexpr int largest = std::numeric_limits<T>::max_exponent;  // infinities and NaN
  constexpr int smallest = 1 - largest + 1;                      // zeros and subnormal numbers
  constexpr bool is_float = std::is_same_v<T, float>;
  std::vector<T> x, y;
  append_numbers(x, smallest - 1, largest, 6001);    // the whole range,
  append_numbers(x, -30, is_float ? 17 : 30, 6000);  // that of the trigonometric functions,
  append_numbers(x, -3, 6, 6000);                    // and where exp and the like are at work
  append_numbers(x, smallest - 1, smallest - 1, 1000);
  append_numbers(x, largest, largest, 10);
  for (const T special : {T(0), T(0.5), T(1), T(1.5), T(2.5), std::numeric_limits<T>::infinity()})
    x.insert(x.end(), {special, -special});
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(x[(i * 7 + 3) % x.size()]);

  const Space exec;
  const int n = int(x.size());
  const auto device_x = to_device<T>(exec, "Trackplex::Test::x", x);
  const auto device_y = to_device<T>(exec, "Trackplex::Test::y", y);
  const Device<T, Space> out("Trackplex::Test::functions", std::size_t(n) * Functions::functions);
  for_each_tile<LanesOf<T, Width>>(exec, "Trackplex::Test::functions", n,
                                   Functions{device_x.data(), device_y.data(), out.data(), n});
  Fingerprint hash;
  add(hash, exec, out);
  return hash.hex();
}

// Random numbers ----------------------------------------------------------------------------------

/// Every kind of draw from stream i, several times over, as consecutive arrays of n.
template <class Real>
struct RandomDraws {
  using T = ScalarOf<Real>;
  using Random = RandomStream<Real>;
  using Stream = typename Random::StreamNumber;
  using Integer = typename Random::Integer;
  static constexpr int rounds = 6, draws = 8;
  const T* means;
  T* out;
  int n;

  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    // lanes past the end draw from streams of their own
    const Stream stream = lane_index<Stream>() + Stream(unsigned(tile.first));
    Random random(20250101, stream, 5);
    const Real mean = tile.load(means);
    T* next = out;
    const auto put = [&](const Real& value) {
      tile.store(next, value);
      next += n;
    };
    for (int round = 0; round < rounds; ++round) {
      put(random.uniform());
      put(random.normal());
      put(random.exponential());
      put(convert<Real>(random.below(Integer(1000003))));
      put(convert<Real>(random.poisson(mean)));
      const auto pair = random.normal_pair();
      put(pair.first);
      put(pair.second);
      const Real choice = random.uniform(Real(-1), Real(2));
      put(choice);
      random.restart(choice < Real(0), stream + Stream(unsigned(1000003 * (round + 1))));
    }
  }
};

template <class T, int Width, class Space>
std::string random_hash() {
  using Draws = RandomDraws<LanesOf<T, Width>>;
  constexpr int n = 3001;
  std::vector<T> means(n);
  RandomStream<T> random(2025, 3);
  for (int i = 0; i < n; ++i) means[i] = T(i % 3 == 0 ? 12 : i % 100) * random.uniform();
  const Space exec;
  const auto device_means = to_device<T>(exec, "Trackplex::Test::means", means);
  const Device<T, Space> out("Trackplex::Test::draws",
                             std::size_t(n) * Draws::rounds * Draws::draws);
  for_each_tile<LanesOf<T, Width>>(exec, "Trackplex::Test::draws", n,
                                   Draws{device_means.data(), out.data(), n});
  Fingerprint hash;
  add(hash, exec, out);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Scans and sorts are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  CHECK(scan_hash<TestType>() == exclusive_scan_golden);
  CHECK(sort_hash<TestType>() == counting_sort_golden);
}

TEMPLATE_LIST_TEST_CASE("Reductions are the same everywhere", "[reproducibility]", EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() {
    CAPTURE(Width);
    CHECK(reduce_hash<float, Width, TestType>() == reduce_golden.single_precision);
    CHECK(reduce_hash<double, Width, TestType>() == reduce_golden.double_precision);
  });
}

TEMPLATE_LIST_TEST_CASE("Elementary functions are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() {
    CAPTURE(Width);
    CHECK(functions_hash<float, Width, TestType>() == elementary_functions_golden.single_precision);
    CHECK(functions_hash<double, Width, TestType>() ==
          elementary_functions_golden.double_precision);
  });
}

TEMPLATE_LIST_TEST_CASE("Random draws are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() {
    CAPTURE(Width);
    CHECK(random_hash<float, Width, TestType>() == random_draws_golden.single_precision);
    CHECK(random_hash<double, Width, TestType>() == random_draws_golden.double_precision);
  });
}

}  // namespace trackplex::test
