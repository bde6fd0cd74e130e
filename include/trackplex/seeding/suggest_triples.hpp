// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/layer_graph.hpp>
#include <trackplex/seeding/detector_triplet_cuts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::seeding {

/// Parameters of `suggest_triples`.
struct SuggestTriplesParams {
  int max_skipped = 1;      ///< max number of seeding layers that a track may miss between two of a
                            ///< triple
  double min_share = 0.03;  ///< smallest fraction of the rays leaving a layer that go to its
                            ///< successor
};

/// Suggests triples of layers for seeds: any three of the given layers that a track meets in
/// sequence according to the layer graph, with up to `max_skipped` other given layers in between.
/// They are in ascending order.
inline std::vector<TripleOfLayers> suggest_triples(const geometry::LayerGraph& graph,
                                                   const std::vector<int>& layers,
                                                   const SuggestTriplesParams& params = {}) {
  const auto next = [&](int from) {
    std::vector<int> list;
    const auto& successors = graph.successors[std::size_t(from)];
    const bool counted = graph.counts.size() == graph.successors.size();
    std::int64_t all = 0;
    if (counted)
      for (const auto n : graph.counts[std::size_t(from)]) all += n;
    for (std::size_t i = 0; i < successors.size(); ++i)
      if (std::find(layers.begin(), layers.end(), successors[i]) != layers.end() &&
          (!counted ||
           double(graph.counts[std::size_t(from)][i]) >= params.min_share * double(all)))
        list.push_back(successors[i]);
    return list;
  };
  std::vector<TripleOfLayers> triples;
  const auto add = [&](int a, int b, int c) {
    if (a != b && b != c && a != c) triples.push_back({{a, b, c}});
  };
  for (const int a : layers)
    for (const int b : next(a))
      for (const int c : next(b)) {
        add(a, b, c);
        if (params.max_skipped < 1) continue;
        for (const int d : next(c)) {
          add(a, b, d);
          add(a, c, d);
        }
      }
  const auto less = [](const TripleOfLayers& s, const TripleOfLayers& t) {
    return std::lexicographical_compare(&s[0], &s[0] + 3, &t[0], &t[0] + 3);
  };
  const auto equal = [](const TripleOfLayers& s, const TripleOfLayers& t) {
    return std::equal(&s[0], &s[0] + 3, &t[0]);
  };
  std::sort(triples.begin(), triples.end(), less);
  triples.erase(std::unique(triples.begin(), triples.end(), equal), triples.end());
  return triples;
}

}  // namespace trackplex::seeding
