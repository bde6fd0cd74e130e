// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "track_bunch.hpp"

#include <trackplex/program/report.hpp>

#include <string>
#include <vector>

namespace beamline {

/// An element that lost particles.
struct LossPlace {
  int element = 0;
  int lost = 0;
};

/// What a run found, in the terms of its line.
struct Results {
  const Input& input;
  const Tracked& tracked;

  /// Elements that do something: all but markers and charges.
  int active_elements() const;
  int lost() const;
  /// The most first.
  std::vector<LossPlace> loss_places() const;
  /// Per particle, element and turn, of the median of all turns.
  double ns_per_particle_element(int turns) const;

  trackplex::program::Json to_json() const;
  /// The tables of line, bunch and losses.
  std::string text() const;
};

/// Where each element ends, m from the start of the line.
std::vector<double> ends_of(const trackplex::beam::BeamLine& line);

}  // namespace beamline
