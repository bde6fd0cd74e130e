// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/frame.hpp>
#include <trackplex/geometry/vector.hpp>

#include <cmath>
#include <string>
#include <string_view>

namespace trackplex::geometry {

TRACKPLEX_INLINE std::string problem_of_axes(const Vector3<double>& u, const Vector3<double>& v,
                                             const Vector3<double>& w, double tolerance) {
  const auto differs = [&](double a, double b) { return !(std::abs(a - b) <= tolerance); };
  const auto problem_of_length = [&](const Vector3<double>& axis, const char* name) {
    return differs(dot(axis, axis), 1.) ? std::string("the axis ") + name + " has the length " +
                                              shortest(std::sqrt(dot(axis, axis)))
                                        : std::string();
  };
  if (auto problem = problem_of_length(u, "u"); !problem.empty()) return problem;
  if (auto problem = problem_of_length(v, "v"); !problem.empty()) return problem;
  if (differs(dot(u, v), 0.)) return "the axes u and v are not orthogonal";
  if (auto problem = problem_of_length(w, "w"); !problem.empty()) return problem;
  if (differs(dot(cross(u, v), w), 1.))
    return dot(cross(u, v), w) < 0. ? "the frame is left-handed, w = -(u x v)"
                                    : "the axis w is not u x v";
  return {};
}

TRACKPLEX_INLINE Frame<double> frame_of_axes(const Vector3<double>& centre,
                                             const Vector3<double>& u, const Vector3<double>& v,
                                             const Vector3<double>& w, std::string_view where) {
  if (const auto problem = problem_of_axes(u, v, w); !problem.empty())
    throw UsageError(where, problem, {}, "exchange u and v, or turn an axis round");
  const auto unit = [](const Vector3<double>& a) { return 1. / std::sqrt(dot(a, a)) * a; };
  const auto first = unit(u);
  return {centre, first, unit(v - dot(v, first) * first)};
}

}  // namespace trackplex::geometry
