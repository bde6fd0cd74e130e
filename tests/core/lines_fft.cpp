// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lines_fft.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/real_fft.hpp>
#include <vector>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

template <class Space>
using Numbers = Kokkos::View<double*, typename Space::memory_space>;

/// Lines of complex numbers (real parts of all, then imaginary parts), their transform, and back.
template <class Real, class Space>
struct LinesThereAndBack {
  LinesFft<MemoryOf<Space>> fft;
  Numbers<Space> x, spectrum, back;

  KOKKOS_FUNCTION int numbers() const { return fft.size() * lines_at_once; }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    LinesScratch(carver, fft.size());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const LinesScratch scratch(carver, fft.size());
    copy(team, {x.data(), x.data() + numbers()}, scratch.a);
    const ComplexArray result = fft.forward(team, scratch.a, scratch.b);
    copy(team, result, {spectrum.data(), spectrum.data() + numbers()});
    const ComplexArray free = result.re == scratch.a.re ? scratch.b : scratch.a;
    copy(team, fft.inverse(team, result, free), {back.data(), back.data() + numbers()});
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void copy(const Team& team, ComplexArray from, ComplexArray to) const {
    team.template for_each<int>(numbers(), [&](Tile<int> i) {
      to.re[i.first] = from.re[i.first];
      to.im[i.first] = from.im[i.first];
    });
    team.barrier();
  }
};

/// The same of real numbers.
template <class Real, class Space>
struct RealLinesThereAndBack {
  RealLinesFft<MemoryOf<Space>> fft;
  Numbers<Space> x, spectrum, back;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    LinesScratch(carver, fft.n_frequencies());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const LinesScratch scratch(carver, fft.n_frequencies());
    const int n = fft.size(), frequencies = fft.n_frequencies() * lines_at_once;
    team.template for_each<int>(n * lines_at_once, [&](Tile<int> i) {
      fft.packed(scratch.a, i.first / lines_at_once)[i.first % lines_at_once] = x(i.first);
    });
    team.barrier();
    const ComplexArray result = fft.forward(team, scratch.a, scratch.b);
    team.template for_each<int>(frequencies, [&](Tile<int> i) {
      spectrum(i.first) = result.re[i.first];
      spectrum(frequencies + i.first) = result.im[i.first];
    });
    team.barrier();
    const ComplexArray free = result.re == scratch.a.re ? scratch.b : scratch.a;
    const ComplexArray again = fft.inverse(team, result, free);
    team.template for_each<int>(n * lines_at_once, [&](Tile<int> i) {
      back(i.first) = fft.packed(again, i.first / lines_at_once)[i.first % lines_at_once];
    });
  }
};

/// A line of the real transform by itself.
template <class Space>
struct OneLine {
  RealFft<MemoryOf<Space>> fft;
  Numbers<Space> x, spectrum;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    typename RealFft<MemoryOf<Space>>::Scratch(carver, fft.size());
    return carver.bytes();
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<double, Member> team(member);
    const typename RealFft<MemoryOf<Space>>::Scratch scratch(carver, fft.size());
    fft.forward(team, scratch, x.data(), {spectrum.data(), spectrum.data() + fft.n_frequencies()});
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

template <template <class, class> class Kernel, int Width, class Space, class Fft>
Result transformed(const Fft& fft, const std::vector<double>& x, std::size_t frequencies,
                   int team_size) {
  const Space exec;
  const Kernel<LanesOf<double, Width>, Space> kernel{fft, to_device<double>(exec, "x", x),
                                                     Numbers<Space>("spectrum", frequencies),
                                                     Numbers<Space>("back", x.size())};
  for_each_team(exec, "Trackplex::Test::lines_there_and_back", 1, kernel, team_size);
  return {copied(exec, kernel.spectrum), copied(exec, kernel.back)};
}

template <int Width, class Space>
Result complex_lines(const std::vector<double>& x, int team_size = 0) {
  const LinesFft<MemoryOf<Space>> fft(Space(), int(x.size()) / (2 * lines_at_once));
  return transformed<LinesThereAndBack, Width, Space>(fft, x, x.size(), team_size);
}

template <int Width, class Space>
Result real_lines(const std::vector<double>& x, int team_size = 0) {
  const RealLinesFft<MemoryOf<Space>> fft(Space(), int(x.size()) / lines_at_once);
  return transformed<RealLinesThereAndBack, Width, Space>(
      fft, x, std::size_t(2 * lines_at_once) * fft.n_frequencies(), team_size);
}

std::vector<double> some_numbers(int n) {
  RandomStream<double> random(6, std::uint64_t(n));
  std::vector<double> x(n);
  for (double& value : x) value = random.uniform(-1., 1.);
  return x;
}

/// Largest difference of the transforms of complex lines to the sums of the definition.
double largest_error(const std::vector<double>& x, const std::vector<double>& spectrum) {
  const int m = int(x.size()) / 2, n = m / lines_at_once;
  long double largest = 0.L;
  for (int l = 0; l < lines_at_once; ++l)
    for (int k = 0; k < n; ++k) {
      long double re = 0.L, im = 0.L;
      for (int j = 0; j < n; ++j) {
        const long double angle =
            -2.L * std::numbers::pi_v<long double> * (std::int64_t(j) * k % n) / n;
        const long double c = std::cos(angle), s = std::sin(angle);
        const double a = x[j * lines_at_once + l], b = x[m + j * lines_at_once + l];
        re += a * c - b * s;
        im += a * s + b * c;
      }
      largest = std::max({largest, std::fabs(re - spectrum[k * lines_at_once + l]),
                          std::fabs(im - spectrum[m + k * lines_at_once + l])});
    }
  return double(largest);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("transforms of complex lines are their sums", "[core]",
                        test::EnabledSpaces) {
  for (const int n : {1, 2, 4, 8, 32, 128, 256}) {
    CAPTURE(n);
    const auto x = some_numbers(2 * lines_at_once * n);
    const auto result = complex_lines<default_lane_width<TestType, double>, TestType>(x);
    CHECK(largest_error(x, result.spectrum) < 3e-16 * std::sqrt(n) * (2. + std::log2(n)));
    double largest = 0.;
    for (std::size_t i = 0; i < x.size(); ++i)
      largest = std::max(largest, std::abs(result.back[i] / n - x[i]));
    CHECK(largest < 1e-16 * (10. + 0.02 * n));
    if constexpr (is_host_space<TestType>) {
      CHECK(complex_lines<1, TestType>(x) == result);
      CHECK(complex_lines<2, TestType>(x) == result);
      CHECK(complex_lines<8, TestType>(x) == result);
      if (TestType().concurrency() > 1) CHECK(complex_lines<4, TestType>(x, 2) == result);
    } else {
      CHECK(complex_lines<1, HostExecutor>(x) == result);
      CHECK(complex_lines<1, TestType>(x, 32) == result);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("each of eight real lines has the bits of a single one", "[core]",
                        test::EnabledSpaces) {
  const TestType exec;
  for (const int n : {2, 4, 16, 64, 128}) {
    CAPTURE(n);
    const auto x = some_numbers(lines_at_once * n);
    const auto result = real_lines<default_lane_width<TestType, double>, TestType>(x);
    const int frequencies = n / 2 + 1;
    for (int l = 0; l < lines_at_once; ++l) {
      std::vector<double> line, expected;
      for (int j = 0; j < n; ++j) line.push_back(x[j * lines_at_once + l]);
      for (int k = 0; k < 2 * frequencies; ++k)
        expected.push_back(result.spectrum[k * lines_at_once + l]);
      const OneLine<TestType> kernel{RealFft<MemoryOf<TestType>>(exec, n),
                                     to_device<double>(exec, "line", line),
                                     Numbers<TestType>("spectrum", 2 * frequencies)};
      for_each_team(exec, "Trackplex::Test::one_line", 1, kernel);
      CHECK(copied(exec, kernel.spectrum) == expected);
    }
    double largest = 0.;
    for (std::size_t i = 0; i < x.size(); ++i)
      largest = std::max(largest, std::abs(result.back[i] / n - x[i]));
    CHECK(largest < 1e-15);
    if constexpr (is_host_space<TestType>) {
      CHECK(real_lines<1, TestType>(x) == result);
      CHECK(real_lines<8, TestType>(x) == result);
    } else {
      CHECK(real_lines<1, TestType>(x, 32) == result);
    }
  }
}

TEST_CASE("lines that have no transform", "[core]") {
  using Memory = MemoryOf<HostExecutor>;
  const HostExecutor exec;
  for (const int n : {0, -4, 3, 12, 2 * max_line_length})
    test::check_refused<UsageError>([&] { return LinesFft<Memory>(exec, n); },
                                    "not a power of two");
  test::check_refused<UsageError>([&] { return RealLinesFft<Memory>(exec, 1); },
                                  "not a power of two");
  CHECK(LinesFft<Memory>(exec, max_line_length).size() == max_line_length);
}
