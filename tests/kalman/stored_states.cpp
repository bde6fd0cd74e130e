// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/kalman/state_records.hpp>
#include <trackplex/kalman/track_states.hpp>
#include <tuple>
#include <vector>

using namespace trackplex;
using namespace trackplex::kalman;

namespace {

constexpr int n_states = 70;
constexpr int numbers_per_state = 28;

/// Number e of state i.
template <class T>
T number(int i, int e) {
  return T(100 * i + e + 1);
}

/// State i: parameters, covariance, charge.
template <class Real, class Numbers>
TrackState<Real> state_of(const Numbers& number_of_lane) {
  TrackState<Real> state;
  const auto fill = [&](Real& x, int e) {
    for (int lane = 0; lane < width_of<Real>; ++lane) insert(x, lane, number_of_lane(lane, e));
  };
  for (int e = 0; e < 6; ++e) fill(state.parameters.elements[e], e);
  for (int e = 0; e < 21; ++e) fill(state.covariance.elements[e], 6 + e);
  fill(state.charge, 27);
  return state;
}

template <class Real>
ScalarOf<Real> number_in(const TrackState<Real>& state, int lane, int e) {
  if (e < 6) return extract(state.parameters.elements[e], lane);
  return extract(e < 27 ? state.covariance.elements[e - 6] : state.charge, lane);
}

using Numbers = std::tuple<float, LanesOf<float, 4>, LanesOf<float, 8>, LanesOf<float, 16>, double,
                           LanesOf<double, 4>, LanesOf<double, 8>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("records give back the states that they were given", "[kalman]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  constexpr int width = width_of<Real>;
  std::vector<Quartet<T>> memory(StateRecords<T>::quartets * (n_states + 2),
                                 Quartet<T>{-1, -1, -1, -1});
  const StateRecords<T> records{memory.data() + StateRecords<T>::quartets};
  const auto raw = [&](int i, int e) {
    const Quartet<T>& quartet = memory[std::size_t((i + 1) * StateRecords<T>::quartets + e / 4)];
    return e % 4 == 0 ? quartet.x : e % 4 == 1 ? quartet.y : e % 4 == 2 ? quartet.z : quartet.w;
  };
  int n_written = 0;
  for (int first = 0; first + width <= n_states; first += width, n_written += width)
    records.store(first,
                  state_of<Real>([&](int lane, int e) { return number<T>(first + lane, e); }));
  for (int i = -1; i <= n_states; ++i)
    for (int e = 0; e < numbers_per_state; ++e)
      REQUIRE(raw(i, e) == (i >= 0 && i < n_written ? number<T>(i, e) : T(-1)));
  Integer index = 0;
  for (int lane = 0; lane < width; ++lane)
    insert(index, lane, ScalarOf<Integer>((7 * lane + 5) % n_written));
  const auto state = records.template gather<Real>(index);
  for (int lane = 0; lane < width; ++lane)
    for (int e = 0; e < numbers_per_state; ++e)
      REQUIRE(number_in(state, lane, e) == number<T>(int(extract(index, lane)), e));
}

TEMPLATE_LIST_TEST_CASE("states are loaded and stored from any track on", "[kalman]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  using Space = HostExecutor;
  constexpr int width = width_of<Real>;
  const Space exec;
  TrackStates<T, MemoryOf<Space>> states;
  states.allocate(exec, n_states);
  exec.fence();
  const auto view = states.view();
  const auto fill = [&](int first, int n, T factor) {
    for (int i = first; i < first + n; ++i) {
      for (int e = 0; e < 6; ++e) view.parameters.element(i, e) = factor * number<T>(i, e);
      for (int e = 0; e < 21; ++e) view.covariance.element(i, e) = factor * number<T>(i, 6 + e);
      view.charge(i) = factor * number<T>(i, 27);
    }
  };
  const auto number_at = [&](int i, int e) {
    return e < 6    ? view.parameters.element(i, e)
           : e < 27 ? view.covariance.element(i, e - 6)
                    : view.charge(i);
  };
  for (int first = 0; first < n_states; ++first) {
    for (const int count : {1, width / 2, width}) {
      if (count < 1 || first + count > n_states) continue;
      CAPTURE(first, count);
      fill(0, n_states, T(1));
      const Tile<Real> tile{first, count};
      const auto state = states.const_view().load_anywhere(tile);
      for (int lane = 0; lane < count; ++lane)
        for (int e = 0; e < numbers_per_state; ++e)
          REQUIRE(number_in(state, lane, e) == number<T>(first + lane, e));
      // Lanes past the end hold numbers: nothing that arithmetic could stumble over
      for (int lane = count; lane < width; ++lane)
        for (int e = 0; e < numbers_per_state; ++e) REQUIRE(number_in(state, lane, e) == T(0));
      if (first % width == 0) {
        const auto aligned = states.const_view().load(tile);
        for (int lane = 0; lane < count; ++lane)
          for (int e = 0; e < numbers_per_state; ++e)
            REQUIRE(number_in(aligned, lane, e) == number_in(state, lane, e));
      }

      fill(0, n_states, T(-1));
      view.store_anywhere(tile, state);
      for (int i = 0; i < n_states; ++i) {
        const bool stored = first <= i && i < first + count;
        for (int e = 0; e < numbers_per_state; ++e)
          REQUIRE(number_at(i, e) == (stored ? T(1) : T(-1)) * number<T>(i, e));
      }
    }
  }
}

TEST_CASE("states on the host have as many covariances as parameters", "[kalman]") {
  using Space = HostExecutor;
  HostTrackStates<float, MemoryOf<Space>> states;
  states.allocate(Space(), n_states);
  for (const int n : {5, n_states}) {
    states.set_size(n);
    CHECK(states.size() == n);
    CHECK(states.covariance.size() == n);
  }
}
