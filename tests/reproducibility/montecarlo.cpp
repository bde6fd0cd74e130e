// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of what histories count: the same for every space, number of threads, lane width and
// cutting into ranges.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/montecarlo/transport.hpp>

#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

using namespace montecarlo;

std::string hash_of(const TransportCounts& counts) {
  Fingerprint hash;
  hash.add(counts.cells).add(counts.moments.histories).add(counts.moments.skipped);
  for (const auto& sum : counts.moments.sums) hash.add(sum.high).add(sum.low);
  return hash.hex();
}

/// Histories on both sides of 2^32, from a disk in gold, in ranges of `size`.
template <class T, int Width, class Space>
std::string transport_hash(std::uint64_t size) {
  const Space exec;
  const auto list =
      tallies(AxisTally<Longitudinal, T>({-1., 1.01, 201}), AxisTally<Angle, T>({0., 3.2, 64}),
              PlaneTally<Cosine, Transverse, T>({-1., 1., 300}, {0., 1., 300}));
  Transport<T, Space, std::decay_t<decltype(list)>, DiskSource, Width> transport(
      exec, {1.323518893e-3, 33.5, 20260101}, list, {5.});
  const std::uint64_t middle = std::uint64_t(1) << 32, n = 10000;
  TransportCounts counts;
  for (std::uint64_t begin = middle - n; begin < middle + n; begin += size) {
    transport.run(exec, {begin, std::min(begin + size, middle + n)});
    if (begin > middle) counts += transport.take(exec);
  }
  counts += transport.take(exec);
  return hash_of(counts);
}

template <int Width, class Space>
void check_transport() {
  for (const std::uint64_t size : {20000u, 6007u}) {
    CAPTURE(Width, size);
    CHECK(transport_hash<float, Width, Space>(size) == transport_golden.single_precision);
    CHECK(transport_hash<double, Width, Space>(size) == transport_golden.double_precision);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Histories count the same everywhere", "[reproducibility]", EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() { check_transport<Width, TestType>(); });
}

}  // namespace trackplex::test
