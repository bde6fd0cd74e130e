// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detectors/toy_tracking.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Index of the particle that left a hit; -1 for none.
class ToyHitOwner {
 public:
  /// @throws InputError if two tracks have one label
  ToyHitOwner(const ToyEvent& event, const std::string& name) : event_(&event), name_(name) {
    for (std::size_t i = 0; i < event.tracks.size(); ++i)
      if (!index_of_.emplace(event.tracks[i].label, std::int32_t(i)).second)
        throw InputError({name, "tracks", i},
                         "another track has its label, " + std::to_string(event.tracks[i].label));
  }

  /// @throws InputError if the hit's references lead nowhere
  std::int32_t operator()(std::size_t layer, std::size_t hit) const {
    const InputPlace place{name_ + ": layers[" + std::to_string(layer) + "]", "hits", hit};
    const std::int32_t number = event_->layers[layer][hit].true_hit;
    if (number == -1) return -1;
    if (number < 0 || std::size_t(number) >= event_->true_hits.size())
      throw InputError(place, "its true hit is number " + std::to_string(number),
                       "there are " + std::to_string(event_->true_hits.size()));
    const auto& truth = event_->true_hits[std::size_t(number)];
    if (truth.layer != std::int32_t(layer))
      throw InputError(place, "its true hit is on layer " + std::to_string(truth.layer));
    const auto found = index_of_.find(truth.track);
    if (found == index_of_.end())
      throw InputError(place,
                       "no track has the label of its true hit, " + std::to_string(truth.track));
    return found->second;
  }

 private:
  const ToyEvent* event_;
  std::string name_;
  std::unordered_map<std::int32_t, std::int32_t> index_of_;
};

inline void append_toy_particles(const ToyEvent& event, tracks::TrackingEvents& events) {
  for (const auto& track : event.tracks) {
    tracks::TrueParticle particle;
    for (int i = 0; i < 6; ++i) particle.start(i) = double(track.parameters[i]);
    particle.charge = track.charge;
    events.particles.push_back(particle);
  }
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

inline void append_tracking_event(const ToyEvent& event, const std::string& name,
                                  tracks::TrackingEvents& events) {
  if (int(event.layers.size()) != events.hits.layers())
    throw InputError({name, "layers"}, "their number is " + std::to_string(event.layers.size()),
                     "the first event has " + std::to_string(events.hits.layers()));
  const ToyHitOwner owner_of(event, name);
  for (std::size_t layer = 0; layer < event.layers.size(); ++layer) {
    for (std::size_t h = 0; h < event.layers[layer].size(); ++h) {
      const auto& hit = event.layers[layer][h];
      const auto& c = hit.covariance;  // xx, xy, yy, xz, yz, zz: the lower triangle
      events.hits.add(hit.position[0], hit.position[1], hit.position[2],
                      {c[0], c[1], c[2], c[3], c[4], c[5]});
      events.particle_of_hit.push_back(owner_of(layer, h));
    }
    events.hits.end_layer();
  }
  append_toy_particles(event, events);
}

inline ToyTrack toy_track(const tracks::TrueParticle& particle, std::int32_t label) {
  ToyTrack track;
  for (int i = 0; i < 6; ++i) track.parameters[i] = float(particle.start(i));
  track.charge = std::int16_t(particle.charge);
  for (auto& hit : track.hits) hit = -1;
  track.label = label;
  return track;
}

/// Appends the hits of a layer; one of a particle gets a true hit and is listed by its track.
inline void append_toy_layer(const tracks::TrackingEvents& events, int event_number, int layer,
                             ToyEvent& event) {
  const auto& hits = events.hits;
  const auto first = std::size_t(hits.offsets[std::size_t(event_number * hits.layers() + layer)]);
  auto& to = event.layers.emplace_back(std::size_t(hits.size(event_number, layer)));
  for (std::size_t h = 0; h < to.size(); ++h) {
    const std::size_t from = first + h;
    const float position[] = {hits.x[from], hits.y[from], hits.z[from]};
    std::copy_n(position, 3, to[h].position);
    std::copy_n(hits.covariance[from].begin(), 6, to[h].covariance);
    const std::int32_t particle = events.particle_of_hit[from];
    if (particle < 0) continue;
    auto& track = event.tracks.at(std::size_t(particle));
    to[h].true_hit = std::int32_t(event.true_hits.size());
    event.true_hits.push_back({particle, layer, track.good_hits, to[h].true_hit});
    ++track.good_hits;
    if (track.hits[layer] < 0) track.hits[layer] = std::int32_t(h);
    track.last_hit = layer;
  }
}

}  // namespace detail

TRACKPLEX_INLINE tracks::TrackingEvents tracking_events(const std::vector<ToyEvent>& toys,
                                                        const std::string& name) {
  if (!toys.empty() && toys[0].layers.empty())
    throw InputError({name, "events", 0}, "it has no layers");
  tracks::TrackingEvents events(toys.empty() ? 10 : int(toys[0].layers.size()));
  for (std::size_t e = 0; e < toys.size(); ++e)
    detail::append_tracking_event(toys[e], name + ": events[" + std::to_string(e) + "]", events);
  return events;
}

TRACKPLEX_INLINE std::vector<ToyEvent> toy_events(const tracks::TrackingEvents& events) {
  if (events.hits.layers() != 10)
    throw UsageError("toy_events", "the format has room for ten layers, no more and no fewer",
                     std::to_string(events.hits.layers()) + " layers");
  std::vector<ToyEvent> toys(std::size_t(events.events()));
  for (int e = 0; e < events.events(); ++e) {
    auto& toy = toys[std::size_t(e)];
    const auto first = std::size_t(events.particle_offsets[std::size_t(e)]);
    for (int i = 0; i < events.particle_count(e); ++i)
      toy.tracks.push_back(detail::toy_track(events.particles[first + std::size_t(i)], i));
    for (int layer = 0; layer < 10; ++layer) detail::append_toy_layer(events, e, layer, toy);
  }
  return toys;
}

}  // namespace trackplex::io
