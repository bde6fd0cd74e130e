// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/hits/split.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <vector>

#include "geometry/small_tracker.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::hits;

namespace {

/// Three events: hits in any order of layers, none, and hits on the last layer alone.
HostDetectorHits three_events(const geometry::DetectorDescription& detector) {
  HostDetectorHits hits(detector);
  const int modules = int(detector.modules.size());
  for (int i = 0; i < 100; ++i)
    hits.add(i * 37 % modules, i, -0.5 * i, 1e-4, i % 3 == 0 ? 0. : 2e-4);
  hits.end_event();
  hits.end_event();
  for (int i = 0; i < 3; ++i) hits.add(modules - 1, 0.1 * i, 0.2, 1e-4, 1e-4);
  hits.end_event();
  return hits;
}

}  // namespace

TEST_CASE("hits of events are sorted by layer, in their order", "[hits]") {
  const auto detector = test::small_tracker();
  const auto hits = three_events(detector);
  REQUIRE(hits.layers() == 11);
  REQUIRE(hits.events() == 3);
  CHECK(hits.first(0) == 0);
  CHECK(hits.first(1) == 100);
  CHECK(hits.first(2) == 100);
  CHECK(hits.first(3) == 103);
  REQUIRE(hits.offsets.size() == 34);
  std::vector<bool> seen(100);
  for (int event = 0; event < 3; ++event)
    for (int layer = 0; layer < 11; ++layer) {
      int before = -1;
      const auto at = std::size_t(event * 11 + layer);
      for (auto i = std::size_t(hits.offsets[at]); i < std::size_t(hits.offsets[at + 1]); ++i) {
        CHECK(detector.modules[std::size_t(hits.module[i])].layer == layer);
        CHECK(hits.layer_of_module(hits.module[i]) == layer);
        CHECK(hits.added[i] > before);
        before = hits.added[i];
        if (event > 0) continue;
        seen[std::size_t(before)] = true;
        CHECK(hits.u[i] == before);
        CHECK(hits.v[i] == -0.5 * before);
        CHECK(hits.variance_u[i] == 1e-4);
        CHECK(hits.variance_v[i] == (before % 3 == 0 ? 0. : 2e-4));
      }
    }
  CHECK(seen == std::vector<bool>(100, true));
  for (int i = 0; i < 3; ++i) CHECK(hits.u[std::size_t(100 + i)] == 0.1 * i);
}

TEST_CASE("events are appended to those of the same detector", "[hits]") {
  const auto detector = test::small_tracker();
  const auto hits = three_events(detector);
  auto last = hits.without_events();
  CHECK(last.events() == 0);
  append_events(hits, 1, 2, last);
  append_events(hits, 0, 1, last);
  REQUIRE(last.events() == 3);
  CHECK(last.first(1) == 0);
  CHECK(last.first(2) == 3);
  CHECK(last.first(3) == 103);
  CHECK(last.size(1, 10) == 3);
  CHECK(last.layer_of_module(5) == hits.layer_of_module(5));
  for (std::size_t i = 0; i < 103; ++i) {
    const auto from = (i + 100) % 103;
    CHECK(last.u[i] == hits.u[from]);
    CHECK(last.variance_v[i] == hits.variance_v[from]);
    CHECK(last.module[i] == hits.module[from]);
    CHECK(last.added[i] == hits.added[from]);
  }
}

TEMPLATE_LIST_TEST_CASE("hits of a detector are copied to a space", "[hits]", test::EnabledSpaces) {
  const TestType exec;
  const auto detector = test::small_tracker();
  auto host = three_events(detector);
  const auto device = to_device<float>(exec, host);
  const auto hits = enqueue_copy<DetectorHits<float, Kokkos::HostSpace>>(exec, device);
  exec.fence();
  CHECK(hits.events == 3);
  CHECK(hits.layers == 11);
  REQUIRE(hits.hits == 103);
  int fullest = 0;
  for (int event = 0; event < 3; ++event)
    for (int layer = 0; layer < 11; ++layer) {
      CHECK(hits.first(event, layer) == host.offsets[std::size_t(event * 11 + layer)]);
      fullest = std::max(fullest, hits.first(event, layer + 1) - hits.first(event, layer));
    }
  CHECK(hits.first(2, 11) == 103);
  CHECK(hits.max_layer_hits == fullest);
  for (std::size_t i = 0; i < 103; ++i) {
    CHECK(hits.u(i) == float(host.u[i]));
    CHECK(hits.v(i) == float(host.v[i]));
    CHECK(hits.variance_u(i) == float(host.variance_u[i]));
    CHECK(hits.variance_v(i) == float(host.variance_v[i]));
    CHECK(hits.module(i) == host.module[i]);
  }
  const auto nothing = to_device<double>(exec, HostDetectorHits(detector));
  CHECK(nothing.hits == 0);
  CHECK(nothing.events == 0);
  CHECK(nothing.max_layer_hits == 0);
  host.add(0, 0., 0., 1., 1.);
  test::check_refused<UsageError>([&] { to_device<float>(exec, host); },
                                  "the last event is not complete; call end_event()");
  test::check_refused<UsageError>([&] { split(host); }, "split: the last event is not complete");
}

TEST_CASE("hits that no module could have are refused", "[hits]") {
  const auto detector = test::small_tracker();
  HostDetectorHits hits(detector);
  const int modules = int(detector.modules.size());
  for (const int module : {-1, modules})
    test::check_refused<UsageError>([&] { hits.add(module, 0., 0., 1., 1.); },
                                    "there is no such module");
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double rows[][4] = {{nan, 0., 1., 1.}, {0., inf, 1., 1.}, {inf, -inf, 1., 1.},
                            {0., 0., 0., 1.},  {0., 0., -1., 1.}, {0., 0., 1., -1e-9},
                            {0., 0., nan, 1.}, {0., 0., 1., nan}, {0., 0., inf, 1.},
                            {0., 0., 1., inf}};
  for (const auto& row : rows)
    test::check_refused<UsageError>([&] { hits.add(0, row[0], row[1], row[2], row[3]); },
                                    "no finite coordinates or variances (module 0)");
  CHECK(hits.u.empty());
  test::check_refused<UsageError>([] { HostDetectorHits{geometry::DetectorDescription()}; },
                                  "the detector has no modules");
  auto wrong = detector;
  wrong.modules[5].layer = 99;
  test::check_refused<UsageError>([&] { HostDetectorHits{wrong}; }, "its layer has another number");
}
