// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Operation counts by kind, given by hand or counted with core's counting number type.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/counted.hpp>

namespace trackplex::perfmodel {

/// Mean number of operations of each kind, of one iteration or of one work item.
struct Operations {
  double add = 0.;       ///< additions and subtractions
  double multiply = 0.;  ///< multiplications
  double fma = 0.;       ///< fused multiply-adds
  double divide = 0.;    ///< divisions
  double sqrt = 0.;      ///< square roots
  double special = 0.;   ///< sine, cosine, logarithm, exponential
  double logic = 0.;     ///< comparisons, selections, signs, conversions
  double integer = 0.;   ///< integer operations
  double load = 0.;      ///< numbers loaded
  double store = 0.;     ///< numbers stored

  /// Returns the additions, multiplications and fma, which one pipeline executes.
  double arithmetic() const { return add + multiply + fma; }
  /// Returns the divisions and square roots.
  double divisions() const { return divide + sqrt; }
  /// Returns the floating-point operations: an fma counts as two, each other one as one.
  double flops() const { return add + multiply + 2. * fma + divide + sqrt + special; }

  /// Adds the counts of each kind.
  Operations& operator+=(const Operations& o);
  /// Returns the sum of each kind.
  friend Operations operator+(Operations a, const Operations& b) { return a += b; }
  /// Returns `n` times the counts of each kind.
  friend Operations operator*(double n, Operations o) {
    for (double* count : {&o.add, &o.multiply, &o.fma, &o.divide, &o.sqrt, &o.special, &o.logic,
                          &o.integer, &o.load, &o.store})
      *count *= n;
    return o;
  }
  /// Whether all counts are equal.
  friend bool operator==(const Operations&, const Operations&) = default;
};

/// Instructions of a sine, cosine, logarithm or exponential without hardware support: a
/// polynomial in single precision with its argument reduction. A convention.
inline constexpr double instructions_per_special_function = 20.;

/// Returns the instructions of some operations: one each, and `per_special` for a special function.
double instructions(const Operations& o, double per_special = instructions_per_special_function);

/// Converts the counts of the counting number type Counted (core/counted.hpp). It counts
/// floating-point operations only: indices and loop counters are not included, and the functions of
/// core/math.hpp count as polynomials, not as special functions.
Operations operations_of(const OperationCounts& counts);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/operations.impl.hpp>
#endif
