// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/real_fft.hpp>
#include <vector>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

template <class Space>
using Numbers = Kokkos::View<double*, typename Space::memory_space>;

/// x -> spectrum (real parts, then imaginary parts) -> n times x.
template <class Real, class Space>
struct ThereAndBack {
  RealFft<MemoryOf<Space>> fft;
  Numbers<Space> x, spectrum, back;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    typename RealFft<MemoryOf<Space>>::Scratch(carver, fft.size());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const typename RealFft<MemoryOf<Space>>::Scratch scratch(carver, fft.size());
    const ComplexArray array{spectrum.data(), spectrum.data() + fft.n_frequencies()};
    fft.forward(team, scratch, x.data(), array);
    fft.inverse(team, scratch, array, back.data());
  }
};

struct Result {
  std::vector<double> spectrum, back;
  friend bool operator==(const Result&, const Result&) = default;
};

std::vector<double> copied(const auto& exec, const auto& view) {
  const auto host = to_host(exec, view);
  return {host.data(), host.data() + host.extent(0)};
}

template <int Width, class Space>
Result transformed(const std::vector<double>& x, int team_size = 0) {
  const Space exec;
  const std::size_t n = x.size();
  ThereAndBack<LanesOf<double, Width>, Space> kernel{
      RealFft<MemoryOf<Space>>(exec, int(n)), Numbers<Space>("x", n),
      Numbers<Space>("spectrum", n + 2), Numbers<Space>("back", n)};
  const auto host = Kokkos::create_mirror_view(kernel.x);
  std::copy(x.begin(), x.end(), host.data());
  copy_array(exec, kernel.x, host);
  for_each_team(exec, "Trackplex::Test::there_and_back", 1, kernel, team_size);
  return {copied(exec, kernel.spectrum), copied(exec, kernel.back)};
}

std::vector<double> some_numbers(int n) {
  RandomStream<double> random(5, std::uint64_t(n));
  std::vector<double> x(n);
  for (double& value : x) value = random.uniform(-1., 1.);
  return x;
}

/// Largest difference to the sums of the definition.
double largest_error(const std::vector<double>& x, const std::vector<double>& spectrum) {
  const int n = int(x.size());
  std::vector<long double> cosine(n), sine(n);
  for (int j = 0; j < n; ++j) {
    const long double angle = 2.L * std::numbers::pi_v<long double> * j / n;
    cosine[j] = std::cos(angle);
    sine[j] = std::sin(angle);
  }
  long double largest = 0.L;
  for (int k = 0; k <= n / 2; ++k) {
    long double re = 0.L, im = 0.L;
    for (int j = 0; j < n; ++j) {
      const int jk = int(std::int64_t(j) * k % n);
      re += x[j] * cosine[jk];
      im -= x[j] * sine[jk];
    }
    largest =
        std::max({largest, std::fabs(re - spectrum[k]), std::fabs(im - spectrum[k + n / 2 + 1])});
  }
  return double(largest);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("transforms of real numbers are their sums", "[core]",
                        test::EnabledSpaces) {
  for (const int n :
       {2,  4,   6,   8,   10,  12,  14,  16,   18,   22,   30,      50,       64,
        98, 120, 202, 250, 256, 300, 486, 1000, 1024, 1458, 2 * 127, 2 * 1009, 5000}) {
    CAPTURE(n);
    const auto x = some_numbers(n);
    const auto result = transformed<default_lane_width<TestType, double>, TestType>(x);
    // Each term is at most 1; rounding errors add up as the root of their number.
    CHECK(largest_error(x, result.spectrum) < 2e-16 * std::sqrt(n) * (2. + std::log2(n)));
    double largest = 0.;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(result.back[j] / n - x[j]));
    CHECK(largest < 1e-16 * (10. + 0.02 * n));
  }
}

TEMPLATE_LIST_TEST_CASE("transforms have the same bits at every width", "[core]",
                        test::EnabledSpaces) {
  for (const int n : {2, 6, 10, 14, 24, 64, 90, 250, 256, 1000, 2 * 97}) {
    CAPTURE(n);
    const auto x = some_numbers(n);
    const auto one = transformed<1, HostExecutor>(x);
    if constexpr (is_host_space<TestType>) {
      CHECK(transformed<1, TestType>(x) == one);
      CHECK(transformed<2, TestType>(x) == one);
      CHECK(transformed<4, TestType>(x) == one);
      CHECK(transformed<8, TestType>(x) == one);
      CHECK(transformed<16, TestType>(x) == one);
      if (TestType().concurrency() > 1) CHECK(transformed<4, TestType>(x, 2) == one);
    } else {
      CHECK(transformed<1, TestType>(x, 32) == one);
      CHECK(transformed<1, TestType>(x, 128) == one);
    }
  }
}

TEST_CASE("transforms of simple numbers", "[core]") {
  using Space = HostExecutor;
  std::vector<double> x(48, 3.);
  auto spectrum = transformed<4, Space>(x).spectrum;
  CHECK(spectrum[0] == 144.);
  for (std::size_t i = 1; i < spectrum.size(); ++i) CHECK(std::abs(spectrum[i]) < 1e-14);
  x.assign(48, 0.);
  x[1] = 1.;
  spectrum = transformed<4, Space>(x).spectrum;
  for (int k = 0; k <= 24; ++k) {
    CHECK(std::abs(spectrum[k] - std::cos(std::numbers::pi * k / 24)) < 1e-15);
    CHECK(std::abs(spectrum[k + 25] + std::sin(std::numbers::pi * k / 24)) < 1e-15);
  }
}

TEST_CASE("lengths that no transform of real numbers has", "[core]") {
  using Space = HostExecutor;
  using Fft = RealFft<MemoryOf<Space>>;
  const auto make = [](int n) { return [n] { return Fft(Space(), n); }; };
  test::check_refused<UsageError>(make(0), "not an even number");
  test::check_refused<UsageError>(make(-2), "not an even number");
  test::check_refused<UsageError>(make(255), "not an even number");
  test::check_refused<CapacityError>(make(Fft::capacity + 2), "capacity 1048576");
  CHECK_NOTHROW(Fft(Space(), Fft::capacity));
  test::check_refused<UsageError>(make(2 * 524287),
                                  "a transform of 1048574 numbers takes too long "
                                  "(half of their number has a large prime "
                                  "factor); take 1048576");
}

TEST_CASE("lengths of fast transforms", "[core]") {
  // Of any factors where transforms are short, of small factors where they are long
  for (const int n : {2, 14, 2 * 1009, 2 * 8191, 1000000, 1 << 20, 2 * 3 * 5 * 7 * 11 * 13})
    CHECK(fast_transform_length(n) == n);
  CHECK(fast_transform_length(2 * 8209) == 2 * 8640);
  CHECK(fast_transform_length(2 * 50021) == 101250);
  CHECK(fast_transform_length(2 * 2 * 2 * 65537) == 524880);
  CHECK(fast_transform_length((1 << 20) - 2) == 1 << 20);
}
