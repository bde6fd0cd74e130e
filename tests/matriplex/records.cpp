// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/records.hpp>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

struct Track {
  float position[3];
  short charge;
  float covariance[6];
};

/// Two numbers that are no array.
struct Slopes {
  double x, y;
};
struct SlopesField {
  template <class Record>
  KOKKOS_FUNCTION auto& operator()(Record& record, int e) const {
    return e == 0 ? record.x : record.y;
  }
};

template <class T, class Space>
using Array = Kokkos::View<T*, typename Space::memory_space>;

constexpr int n_tracks = 100;

template <class Space>
Array<Track, Space> make_tracks(const Space& exec) {
  Array<Track, Space> tracks("Trackplex::Test::tracks", n_tracks);
  const auto host = Kokkos::create_mirror_view(tracks);
  for (int n = 0; n < n_tracks; ++n) {
    for (int e = 0; e < 3; ++e) host(n).position[e] = float(10 * n + e);
    for (int e = 0; e < 6; ++e) host(n).covariance[e] = float(1000 * n + e);
    host(n).charge = short(n);
  }
  deep_copy(exec, tracks, host);
  exec.fence();  // the host's copy ends here
  return tracks;
}

/// Some records, each once, out of order.
constexpr int chosen(int i) { return (i * 37 + 11) % n_tracks; }

template <class Space>
Array<int, Space> make_indices(const Space& exec, int n) {
  Array<int, Space> indices("Trackplex::Test::indices", n);
  const auto host = Kokkos::create_mirror_view(indices);
  for (int i = 0; i < n; ++i) host(i) = chosen(i);
  deep_copy(exec, indices, host);
  exec.fence();  // the host's copy ends here
  return indices;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("records to matrices and back", "[matriplex]", test::EnabledSpaces) {
  const TestType exec;
  const auto tracks = make_tracks(exec);
  constexpr int n = 29;
  const auto indices = make_indices(exec, n);
  SymMatriplex<float, 3, MemoryOf<TestType>> covariances;
  Matriplex<float, 3, 1, MemoryOf<TestType>> positions;
  gather_records(exec, tracks, indices, n, Member<&Track::covariance>{}, covariances);
  gather_records(exec, tracks, EveryRecord{}, n_tracks, Member<&Track::position>{}, positions);

  auto host_covariances = host_mirror(covariances);
  auto host_positions = host_mirror(positions);
  deep_copy(exec, host_covariances, covariances);
  deep_copy(exec, host_positions, positions);
  exec.fence();
  REQUIRE(covariances.size() == n);
  REQUIRE(positions.size() == n_tracks);
  for (int i = 0; i < n; ++i)
    for (int e = 0; e < 6; ++e)
      CHECK(host_covariances.view().element(i, e) == float(1000 * chosen(i) + e));
  for (int i = 0; i < n_tracks; ++i)
    for (int e = 0; e < 3; ++e) CHECK(host_positions.view()(i, e) == float(10 * i + e));

  const Array<Track, TestType> copies("Trackplex::Test::copies", n_tracks);
  scatter_records(exec, covariances, indices, Member<&Track::covariance>{}, copies);
  const auto host_copies = Kokkos::create_mirror_view(copies);
  deep_copy(exec, host_copies, copies);
  exec.fence();
  int written = 0;
  for (int k = 0; k < n_tracks; ++k) {
    CHECK(host_copies(k).charge == 0);
    if (host_copies(k).covariance[5] == 0) continue;
    ++written;
    for (int e = 0; e < 6; ++e) CHECK(host_copies(k).covariance[e] == float(1000 * k + e));
  }
  CHECK(written == n);
}

TEMPLATE_LIST_TEST_CASE("a field may be any place in a record, of another type", "[matriplex]",
                        test::EnabledSpaces) {
  const TestType exec;
  const Array<Slopes, TestType> records("Trackplex::Test::slopes", 3);
  const auto host = Kokkos::create_mirror_view(records);
  for (int n = 0; n < 3; ++n) host(n) = {n + 0.25, n + 0.5};
  deep_copy(exec, records, host);
  Matriplex<float, 2, 1, MemoryOf<TestType>> slopes;
  gather_records(exec, records, EveryRecord{}, 3, SlopesField{}, slopes);
  auto mirror = host_mirror(slopes);
  deep_copy(exec, mirror, slopes);
  exec.fence();
  CHECK(mirror.view()(2, 0) == 2.25f);
  CHECK(mirror.view()(1, 1) == 1.5f);
  mirror.view()(1, 1) = 7;
  deep_copy(exec, slopes, mirror);
  scatter_records(exec, slopes, EveryRecord{}, SlopesField{}, records);
  deep_copy(exec, host, records);
  exec.fence();
  CHECK(host(1).y == 7);
  CHECK(host(1).x == 1.25);
}

TEMPLATE_LIST_TEST_CASE("more matrices than records or indices", "[matriplex]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto tracks = make_tracks(exec);
  const auto indices = make_indices(exec, 5);
  Matriplex<float, 3, 1, MemoryOf<TestType>> positions;
  const Member<&Track::position> field;
  const auto refused = [](const auto& copy) {
    test::check_refused<UsageError>(copy, "there are fewer records or indices than matrices");
  };
  refused([&] { gather_records(exec, tracks, indices, 6, field, positions); });
  refused([&] { gather_records(exec, tracks, EveryRecord{}, n_tracks + 1, field, positions); });
  positions.allocate(exec, 6);
  refused([&] { scatter_records(exec, positions, indices, field, tracks); });
  positions.allocate(exec, n_tracks + 1);
  refused([&] { scatter_records(exec, positions, EveryRecord{}, field, tracks); });
}
