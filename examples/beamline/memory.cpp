// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <trackplex/beam/tracking_steps.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace beamline {

namespace {

/// Tells whether particles keep their direction cosines over stops after all elements.
bool keeps_cosines(const beam::BeamLine& line, const TrackingSettings& settings) {
  const auto steps = beam::tracking_steps(line, settings.limits, [](int) { return true; });
  return std::ranges::any_of(steps.segments,
                             [](const beam::Segment& segment) { return segment.keeps_cosines; });
}

}  // namespace

bool keeps_start(const Input& input, const TrackingSettings& settings) {
  return settings.repeat > 1 || !input.injection.empty();
}

int bytes_per_particle(const Input& input, const TrackingSettings& settings, int number) {
  const int n_numbers = beam::n_coordinates + (input.has_spins() ? beam::n_spin_components : 0);
  const int of_number_and_loss = int(sizeof(std::int64_t) + sizeof(beam::Loss));
  const int bunch = n_numbers * number + of_number_and_loss;
  const int table = n_numbers * int(sizeof(double)) + of_number_and_loss;
  int bytes = bunch;
  if (keeps_start(input, settings)) bytes += bunch;
  if (input.has_spins()) bytes += beam::n_coordinates * number;  // for their moments
  const auto acts_on_bunch = [](const beam::Element& element) {
    return element.kind.is_collective();
  };
  if (std::ranges::any_of(input.line, acts_on_bunch)) bytes += number;  // arrival times
  const bool stops = settings.record != RecordAt::nowhere || settings.watch ||
                     settings.show_element || !settings.plotted_line.empty();
  if (stops && keeps_cosines(input.line, settings)) bytes += 2 * number;
  return bytes + table * (int(input.particles.has_value()) + int(settings.keeps_first_particles) +
                          int(settings.keeps_last_particles));
}

double memory_of_machine() {
  return double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
}

}  // namespace beamline
