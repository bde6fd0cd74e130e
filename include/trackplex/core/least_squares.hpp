// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Least squares of a few unknowns within limits, on the host: the method of K. Levenberg
/// (Quarterly of Applied Mathematics 2 (1944) 164) and D. W. Marquardt (SIAM Journal 11 (1963)
/// 431), with unknowns scaled as by J. J. Moré (Lecture Notes in Mathematics 630 (1978) 105).

#include <trackplex/core/compiled.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace trackplex {

/// Unknown of `least_squares`.
struct Unknown {
  double value = 0.;                                        ///< Value to begin with.
  double lower = -std::numeric_limits<double>::infinity(),  ///< Lower limit.
      upper = std::numeric_limits<double>::infinity();      ///< Upper limit.
  /// Step of differences to both sides; 0: 1e-4 of the value, or 1e-4 if that is 0.
  double step = 0.;
};

/// Parameters of `least_squares`.
struct LeastSquaresParams {
  int iterations = 100;  ///< Max number of iterations, each with derivatives of its own.
  /// Damping to begin with, lambda below: small for full steps, 1 for careful ones.
  double damping = 1e-3;
};

/// Result of `least_squares`.
struct LeastSquares {
  std::vector<double> values;     ///< Values of the unknowns.
  std::vector<double> residuals;  ///< Residuals at these values.
  int iterations = 0;             ///< Number of iterations.
  int evaluations = 0;            ///< Number of calls of the residuals.
  /// Whether no step reduces the sum of squares further; else the iterations were not enough.
  bool is_finished = false;
};

/// Residuals as a function of the unknowns: always of the same number; none where they are not
/// defined.
using Residuals = std::function<std::optional<std::vector<double>>(const std::vector<double>&)>;

/// Finds a minimum of the sum of squares of residuals within the limits. There may be more
/// unknowns than residuals, or less. Derivatives are differences to both sides; to one side at a
/// limit, or where the residuals are not defined on the other side. Each step solves
/// \f$ \min|J p+r|^2+\lambda|D p|^2 \f$ by Householder's reflections, with the largest norms of the
/// columns of J so far in D. Unknowns at a limit that the gradient presses against are left out,
/// steps are cut at the limits, and those to places without residuals are shortened.
/// @throws UsageError if there are no unknowns, one is not finite or its limits exclude each other,
/// or the residuals are not defined at the values to begin with
LeastSquares least_squares(const Residuals& residuals, const std::vector<Unknown>& unknowns,
                           const LeastSquaresParams& params = {});

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/least_squares.impl.hpp>
#endif
