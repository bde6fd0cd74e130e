// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "settings.hpp"
#include "setup.hpp"

#include <common/program.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace detector_tracker {

/// An event of a batch.
struct EventOfBatch {
  const tracks::DetectorEvents* batch;
  int event;

  /// Place of its first hit in the batch, and number of its hits.
  std::size_t first_hit() const { return std::size_t(batch->hits.first(event)); }
  std::size_t hits() const { return std::size_t(batch->hits.first(event + 1)) - first_hit(); }
  /// Its hits as a list of one event: those of the batch, which stays, if it has no other event.
  std::shared_ptr<const hits::HostDetectorHits> hits_of_event() const {
    if (batch->events() == 1) return {std::shared_ptr<void>(), &batch->hits};
    return std::make_shared<hits::HostDetectorHits>(batch->part(event, 1).hits);
  }
  std::span<const tracks::TrueParticle> particles() const {
    return {batch->particles.data() + batch->particle_offsets[std::size_t(event)],
            batch->particles.data() + batch->particle_offsets[std::size_t(event) + 1]};
  }
};

/// Events in batches that are processed one after the other.
struct Events {
  std::vector<tracks::DetectorEvents> batches{};
  program::Json description{};

  bool has_particles() const;  ///< whether the particles are known
  bool has_truth() const;      ///< whether the particle of each hit is known
  std::vector<EventOfBatch> list() const;
  /// The events of these numbers, in ascending order: those that a run has finished.
  Events some(const std::vector<std::size_t>& numbers) const;
};

/// Makes n events with `add(i, events)`, in batches of the size that the settings ask for.
template <class Add>
std::vector<tracks::DetectorEvents> batches_of(const Settings& settings,
                                               const geometry::DetectorDescription& detector,
                                               std::size_t n, program::ProgressBar progress,
                                               const Add& add) {
  const auto size = settings.batch();
  std::vector<tracks::DetectorEvents> batches;
  for (std::size_t i = 0; i < n; ++i, progress.advance()) {
    if (i % size == 0) batches.emplace_back(detector);
    add(i, batches.back());
  }
  return batches;
}

/// Reads or generates the events that the settings ask for.
/// @throws UsageError, InputError if that is not possible
Events events_of(const program::Program& program, const Settings& settings, const Setup& setup);

}  // namespace detector_tracker
