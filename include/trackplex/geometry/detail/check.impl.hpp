// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/check.hpp>
#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/detail/overlaps.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace trackplex::geometry {
namespace detail {

/// Refuses a thickness that is not finite or negative.
TRACKPLEX_INLINE void check_material(const std::string& where, double thickness,
                                     double radiation_lengths) {
  for (const double number : {thickness, radiation_lengths})
    if (!(number >= 0.) || !std::isfinite(number))
      throw UsageError(where, "its thickness is no length", shortest(number),
                       "0 stands for no material");
}

TRACKPLEX_INLINE void check_layer(const std::string& where, const Layer& layer) {
  if (!std::isfinite(layer.position) || !std::isfinite(layer.low) || !std::isfinite(layer.high) ||
      !(layer.low <= layer.high))
    throw UsageError(where, "its position or extent is not possible",
                     "position " + shortest(layer.position) + " cm, from " + shortest(layer.low) +
                         " to " + shortest(layer.high) + " cm",
                     "give finite numbers, the smaller limit first");
  if (layer.kind == LayerKind::barrel ? !(layer.position > 0.) : !(layer.low >= 0.))
    throw UsageError(where, "a radius is not positive", {}, "radii count from the z axis");
  if (layer.kind == LayerKind::plane && !(std::abs(dot(layer.normal, layer.normal) - 1.) < 1e-5))
    throw UsageError(where, "its normal is no unit vector", {}, "divide it by its length");
  check_material(where, layer.thickness, layer.radiation_lengths);
}

TRACKPLEX_INLINE void check_module(const std::string& where, const Module& module,
                                   const Layer& layer, const CheckParams& params) {
  const auto& frame = module.frame;
  for (const auto& a : {frame.centre, frame.u, frame.v})
    if (!std::isfinite(a(0) + a(1) + a(2)))
      throw UsageError(where, "its frame is not finite", {}, "set its centre and both axes");
  if (const auto problem =
          problem_of_axes(frame.u, frame.v, frame.normal(), params.frame_tolerance);
      !problem.empty())
    throw UsageError(where, problem, "axes are orthogonal unit vectors",
                     "use frame_of_axes for rounded numbers");
  if (!module.bounds.is_valid())
    throw UsageError(where, "its bounds enclose no area", {},
                     "half lengths are above 0, inner radii below outer ones");
  check_material(where, module.thickness, module.radiation_lengths);
  if (!(module.pitch_u >= 0.) || !(module.pitch_v >= 0.))
    throw UsageError(where, "a pitch is negative", {}, "0 stands for not measured");
  const double distance = layer.distance(frame.centre);
  if (!(std::abs(distance) <= params.max_distance))
    throw UsageError(where, "it is off its layer",
                     "by " + shortest(distance) + " cm, at most " + shortest(params.max_distance) +
                         " cm are allowed",
                     "move it, put it on another layer, or raise CheckParams::max_distance");
}

}  // namespace detail

TRACKPLEX_INLINE void check(const DetectorDescription& detector, const CheckParams& params) {
  check_numbers(detector);
  const ModuleNumbers numbers(detector);
  for (int l = 0; l < int(detector.layers.size()); ++l) {
    const auto& layer = detector.layers[std::size_t(l)];
    detail::check_layer(name_of_layer(detector, l), layer);
    for (int i = layer.first_module; i < layer.first_module + layer.n_modules; ++i) {
      const auto& module = detector.modules[std::size_t(i)];
      const auto where = name_of_module(detector, i);
      detail::check_module(where, module, layer, params);
      const int same = module.identifier == 0 ? i : numbers.find(module.identifier);
      if (same != i)
        throw UsageError(where, "module " + std::to_string(same) + " has the same identifier",
                         std::to_string(module.identifier), "make it unique, or 0");
    }
    const auto overlap = params.overlaps
                             ? detail::find_overlap(detector, layer, params.overlap_tolerance)
                             : std::nullopt;
    if (overlap)
      throw UsageError(
          name_of_module(detector, overlap->first),
          "it overlaps module " + std::to_string(overlap->second),
          "they penetrate each other by more than " + shortest(params.overlap_tolerance) + " cm",
          "stagger, tilt or shrink them");
  }
}

}  // namespace trackplex::geometry
