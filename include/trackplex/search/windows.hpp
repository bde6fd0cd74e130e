// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows in azimuth over hits sorted by it: where they start, and a walk over them, for one window per lane.

#include <trackplex/search/sorted_groups.hpp>

namespace trackplex::search {

/// First place of the window around `key`, and whether there can be a hit in it. A circular window holds the hits with
/// |phi - key| <= width, a linear one those with key - width < phi < key + width.
template <class Real>
struct WindowStart {
  IntegerOf<Real> place;
  MaskOf<Real> valid;
};

template <class Real, class Event>
KOKKOS_FORCEINLINE_FUNCTION WindowStart<Real> window_start(const Event& event, int group,
                                                           typename Event::PhiPolicy::template Lane<Real> key,
                                                           typename Event::PhiPolicy::template Lane<Real> width,
                                                           IntegerOf<Real> side, MaskOf<Real> mask) {
  using Phi = typename Event::PhiPolicy;
  if constexpr (Phi::circular) {
    return {event.template lower_bound<Real>(group, Phi::wrap(key - width), side, mask), mask};
  } else {
    const auto place = event.template lower_bound<Real>(group, key - width, side, mask);
    const auto inside = mask && place < IntegerOf<Real>(ScalarOf<IntegerOf<Real>>(event.end(group)));
    return {place, inside && abs(key - gather<Real>(event.phi, place, inside)) < width};
  }
}

/// Calls `visit(place, mask)` for the hits of each lane's window, in the order of azimuth from its start, all lanes side
/// by side. The hits stand at [begin, end) of `phi`; a circular window goes on at `begin` after the end.
template <class Real, class Phi, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void walk_window(const typename Phi::Key* phi, int begin, int end, IntegerOf<Real> start,
                                             typename Phi::template Lane<Real> key,
                                             typename Phi::template Lane<Real> width, MaskOf<Real> mask,
                                             const Visit& visit) {
  using Integer = IntegerOf<Real>;
  using Lane = typename Phi::template Lane<Real>;
  if (begin == end) return;
  const Integer first = Integer(ScalarOf<Integer>(begin));
  const Integer last = Integer(ScalarOf<Integer>(end));
  Integer place = start;
  MaskOf<Real> inside = mask;
  if constexpr (Phi::circular) {
    place = select(place == last, first, place);
    const Integer home = place;
    while (any_of(inside)) {
      inside = inside && abs(Phi::wrap(gather<Lane>(phi, place, inside) - key)) <= width;
      if (none_of(inside)) break;
      visit(place, inside);
      place = place + Integer(1);
      place = select(place == last, first, place);
      inside = inside && place != home;
    }
  } else {
    inside = inside && place < last;
    while (any_of(inside)) {
      inside = inside && gather<Lane>(phi, place, inside) < key + width;
      if (none_of(inside)) break;
      visit(place, inside);
      place = place + Integer(1);
      inside = inside && place < last;
    }
  }
}

}  // namespace trackplex::search
