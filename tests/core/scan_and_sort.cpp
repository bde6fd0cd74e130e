// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <trackplex/core/counting_sort.hpp>
#include <vector>

#include "support/spaces.hpp"

namespace {

/// A fixed sequence of keys below `bound`.
std::vector<int> some_keys(int n, int bound) {
  std::vector<int> keys(n);
  std::uint32_t state = 12345;
  for (int& key : keys) {
    state = state * 1664525u + 1013904223u;
    key = int((state >> 8) % std::uint32_t(bound));
  }
  return keys;
}

template <class Space>
auto to_device(const Space& exec, const std::vector<int>& values) {
  Kokkos::View<int*, typename Space::memory_space> device("values", values.size());
  const auto host = Kokkos::create_mirror_view(device);
  std::copy(values.begin(), values.end(), host.data());
  deep_copy(exec, device, host);
  exec.fence();
  return device;
}

template <class View>
std::vector<int> to_host(const View& device, int n) {
  const auto host = Kokkos::create_mirror(device);
  Kokkos::deep_copy(host, device);
  return {host.data(), host.data() + n};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("exclusive_scan gives offsets and the total", "[core]",
                        trackplex::test::EnabledSpaces) {
  const TestType exec;
  for (const int n : {0, 1, 2, 7, 1000, 100000}) {
    const auto counts = some_keys(n, 9);
    std::vector<int> expected(n + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), expected.begin() + 1);

    const auto device_counts = to_device(exec, counts);
    Kokkos::View<int*, typename TestType::memory_space> offsets("offsets", n + 1);
    trackplex::exclusive_scan(exec, device_counts, offsets, n);
    exec.fence();
    CHECK(to_host(offsets, n + 1) == expected);

    auto in_place_values = counts;
    in_place_values.push_back(0);
    const auto in_place = to_device(exec, in_place_values);
    trackplex::exclusive_scan(exec, in_place, in_place, n);
    exec.fence();
    CHECK(to_host(in_place, n + 1) == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("counting_sort is stable", "[core]", trackplex::test::EnabledSpaces) {
  const TestType exec;
  trackplex::Workspace<TestType> workspace;
  for (const int n : {0, 1, 255, 256, 257, 10000}) {
    for (const int n_keys : {1, 3, 500}) {
      CAPTURE(n, n_keys);
      const auto keys = some_keys(n, n_keys);
      std::vector<int> expected(n);
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(),
                       [&](int a, int b) { return keys[a] < keys[b]; });

      const auto device_keys = to_device(exec, keys);
      Kokkos::View<int*, typename TestType::memory_space> offsets("offsets", n_keys + 1);
      Kokkos::View<int*, typename TestType::memory_space> permutation("permutation", n);
      trackplex::counting_sort(exec, device_keys, n, n_keys, offsets, permutation, workspace);
      exec.fence();
      CHECK(to_host(permutation, n) == expected);

      const auto host_offsets = to_host(offsets, n_keys + 1);
      for (int key = 0; key <= n_keys; ++key)
        REQUIRE(host_offsets[key] ==
                std::count_if(keys.begin(), keys.end(), [&](int k) { return k < key; }));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a workspace allocates only to grow", "[core]",
                        trackplex::test::EnabledSpaces) {
  const TestType exec;
  trackplex::Workspace<TestType> workspace;
  const auto first = workspace.template get<double>(exec, "Trackplex::Test::buffer", 100);
  CHECK(first.extent(0) == 100);
  CHECK(workspace.bytes() == 800);
  const auto smaller = workspace.template get<int>(exec, "Trackplex::Test::buffer", 150);
  CHECK(static_cast<void*>(smaller.data()) == static_cast<void*>(first.data()));
  const auto other = workspace.template get<double>(exec, "Trackplex::Test::other", 1);
  CHECK(static_cast<void*>(other.data()) != static_cast<void*>(first.data()));
  const auto larger = workspace.template get<double>(exec, "Trackplex::Test::buffer", 101);
  CHECK(larger.extent(0) == 101);
  CHECK(workspace.bytes() == 816);
}
