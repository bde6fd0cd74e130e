// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Operation counts by kind: by hand, or from a run of the kernel on core's counting number type.

#include <trackplex/core/counted.hpp>

namespace trackplex::perfmodel {

/// Mean operations of one iteration or one work item.
struct Operations {
  double add = 0.;  ///< additions and subtractions
  double multiply = 0.;
  double fma = 0.;
  double divide = 0.;
  double sqrt = 0.;
  double special = 0.;  ///< sine, cosine, logarithm, exponential
  double logic = 0.;    ///< comparisons, selections, signs, conversions
  double integer = 0.;
  double load = 0.;
  double store = 0.;

  /// Additions, multiplications and fma, which one pipeline executes.
  double arithmetic() const { return add + multiply + fma; }
  /// Divisions and square roots.
  double divisions() const { return divide + sqrt; }
  /// Floating-point operations, an fma counting as two, all others as one.
  double flops() const { return add + multiply + 2. * fma + divide + sqrt + special; }

  Operations& operator+=(const Operations& o) {
    add += o.add, multiply += o.multiply, fma += o.fma, divide += o.divide, sqrt += o.sqrt;
    special += o.special, logic += o.logic, integer += o.integer, load += o.load, store += o.store;
    return *this;
  }
  friend Operations operator+(Operations a, const Operations& b) { return a += b; }
  friend Operations operator*(double n, Operations o) {
    for (double* count : {&o.add, &o.multiply, &o.fma, &o.divide, &o.sqrt, &o.special, &o.logic,
                          &o.integer, &o.load, &o.store})
      *count *= n;
    return o;
  }
  friend bool operator==(const Operations&, const Operations&) = default;
};

/// Cost of a sine, cosine, logarithm or exponential where no hardware computes it: the length of
/// a polynomial in single precision with its argument reduction. A convention.
inline constexpr double instructions_per_special_function = 20.;

/// The instructions of some operations: one each, but of special functions.
inline double instructions(const Operations& o,
                           double per_special = instructions_per_special_function) {
  return o.arithmetic() + o.divisions() + per_special * o.special + o.logic + o.integer + o.load +
         o.store;
}

/// Operations that the counting number type has counted. It sees floating-point numbers only:
/// indices and loop counters are not in it, and the functions of core/math.hpp are counted as the
/// polynomials that they are, not as special functions.
inline Operations operations_of(const OperationCounts& counts) {
  return {.add = double(counts.add),
          .multiply = double(counts.multiply),
          .fma = double(counts.fma),
          .divide = double(counts.divide),
          .sqrt = double(counts.sqrt),
          .logic = double(counts.compare + counts.select + counts.sign + counts.convert),
          .load = double(counts.load),
          .store = double(counts.store)};
}

}  // namespace trackplex::perfmodel
