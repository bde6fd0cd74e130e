// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A number type that counts operations: call a device function with `Counted<float>` instead of
/// `float`, inside `count_operations`, to get its cost. Host only.

#include <trackplex/core/number.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Numbers of floating-point operations, by kind.
struct OperationCounts {
  long add = 0;       ///< Additions and subtractions.
  long multiply = 0;  ///< Multiplications.
  long fma = 0;       ///< Fused multiply-adds.
  long divide = 0;    ///< Divisions.
  long sqrt = 0;      ///< Square roots.
  long compare = 0;   ///< Comparisons.
  long select = 0;    ///< `select`, `min` and `max`.
  long sign = 0;      ///< Negations, `abs` and `copysign`.
  long convert = 0;   ///< Conversions by `convert`.
  long load = 0;      ///< Elements read from memory.
  long store = 0;     ///< Elements written to memory.

  /// Returns the number of floating-point operations, an fma counting as two.
  long flops() const { return add + multiply + 2 * fma + divide + sqrt; }
  /// Returns the number of arithmetic instructions on a machine with fma: an fma counts as one.
  long arithmetic() const { return add + multiply + fma + divide + sqrt; }

  /// Whether all counts are equal.
  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

namespace detail {
inline OperationCounts& operation_counts() {
  thread_local OperationCounts counts;
  return counts;
}
}  // namespace detail

/// Calls `f()` and returns the operations that it performed on counted numbers in this thread.
/// Calls may be nested; the outer call does not count the operations of the inner one.
template <class F>
OperationCounts count_operations(F&& f) {
  const OperationCounts before = std::exchange(detail::operation_counts(), {});
  f();
  return std::exchange(detail::operation_counts(), before);
}

/// Floating-point number that counts the operations on it. It behaves as T does, with one lane; its
/// mask is `bool`.
template <std::floating_point T>
class Counted {
 public:
  T value;  ///< The number itself; access to it is not counted.

  Counted() = default;
  /// Converts a number; not counted. Floating-point numbers of higher precision are refused.
  template <Scalar U>
  requires(std::integral<U> || sizeof(U) <= sizeof(T)) Counted(U v) : value(static_cast<T>(v)) {}

  /// a + b; counted in `add`.
  friend Counted operator+(Counted a, Counted b) {
    return counts().add++, Counted(a.value + b.value);
  }
  /// a - b; counted in `add`.
  friend Counted operator-(Counted a, Counted b) {
    return counts().add++, Counted(a.value - b.value);
  }
  /// a * b; counted in `multiply`.
  friend Counted operator*(Counted a, Counted b) {
    return counts().multiply++, Counted(a.value * b.value);
  }
  /// a / b; counted in `divide`.
  friend Counted operator/(Counted a, Counted b) {
    return counts().divide++, Counted(a.value / b.value);
  }
  /// -a; counted in `sign`.
  friend Counted operator-(Counted a) { return counts().sign++, Counted(-a.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }  ///< Adds b.
  Counted& operator-=(Counted b) { return *this = *this - b; }  ///< Subtracts b.
  Counted& operator*=(Counted b) { return *this = *this * b; }  ///< Multiplies by b.
  Counted& operator/=(Counted b) { return *this = *this / b; }  ///< Divides by b.

  /// a < b; all comparisons are counted in `compare`.
  friend bool operator<(Counted a, Counted b) { return counts().compare++, a.value < b.value; }
  /// a <= b.
  friend bool operator<=(Counted a, Counted b) { return counts().compare++, a.value <= b.value; }
  /// a > b.
  friend bool operator>(Counted a, Counted b) { return counts().compare++, a.value > b.value; }
  /// a >= b.
  friend bool operator>=(Counted a, Counted b) { return counts().compare++, a.value >= b.value; }
  /// a == b.
  friend bool operator==(Counted a, Counted b) { return counts().compare++, a.value == b.value; }
  /// a != b.
  friend bool operator!=(Counted a, Counted b) { return counts().compare++, a.value != b.value; }

  /// a * b + c with one rounding; counted in `fma`.
  friend Counted fma(Counted a, Counted b, Counted c) {
    return counts().fma++, Counted(trackplex::fma(a.value, b.value, c.value));
  }
  /// Square root; counted in `sqrt`.
  friend Counted sqrt(Counted a) { return counts().sqrt++, Counted(trackplex::sqrt(a.value)); }
  /// Absolute value; counted in `sign`.
  friend Counted abs(Counted a) { return counts().sign++, Counted(trackplex::abs(a.value)); }
  /// |a| with the sign bit of s; counted in `sign`.
  friend Counted copysign(Counted a, Counted s) {
    return counts().sign++, Counted(trackplex::copysign(a.value, s.value));
  }
  /// The smaller argument; counted in `select`.
  friend Counted min(Counted a, Counted b) {
    return counts().select++, Counted(trackplex::min(a.value, b.value));
  }
  /// The larger argument; counted in `select`.
  friend Counted max(Counted a, Counted b) {
    return counts().select++, Counted(trackplex::max(a.value, b.value));
  }
  /// a where the mask is set, else b; counted in `select`.
  friend Counted select(bool mask, Counted a, Counted b) { return counts().select++, mask ? a : b; }

  friend T extract(Counted a, int /*lane*/) { return a.value; }       ///< Its only lane.
  friend void insert(Counted& a, int /*lane*/, T v) { a.value = v; }  ///< Sets its only lane.
  friend T sum_of(Counted a) { return a.value; }                      ///< Sum of the only lane.
  friend T min_of(Counted a) { return a.value; }                      ///< Minimum of the only lane.
  friend T max_of(Counted a) { return a.value; }                      ///< Maximum of the only lane.

 private:
  static OperationCounts& counts() { return detail::operation_counts(); }
};

namespace detail {
template <class T>
struct CountedIfReal {
  using type = T;
};
template <std::floating_point T>
struct CountedIfReal<T> {
  using type = Counted<T>;
};
template <class N>
inline constexpr bool is_counted = false;
template <class T>
inline constexpr bool is_counted<Counted<T>> = true;
}  // namespace detail

/// `Counted<float>` or `Counted<double>`.
template <class N>
concept CountedNumber = detail::is_counted<N>;

/// Traits of counted numbers: one lane, masks that are `bool`, integers that are not counted.
template <std::floating_point T>
struct NumberTraits<Counted<T>> {
  using ScalarType = T;   ///< Type of an element.
  using MaskType = bool;  ///< Result of a comparison.
  /// Counted type of another element type; an integer type is itself.
  template <Scalar U>
  using Rebind = typename detail::CountedIfReal<U>::type;
  static constexpr int width = 1;  ///< Number of lanes.
};

/// Converts a counted number to a scalar, as static_cast does; counted in `convert`.
template <Scalar To, std::floating_point T>
To convert(Counted<T> a) {
  return detail::operation_counts().convert++, static_cast<To>(a.value);
}
/// Converts a scalar to a counted number; counted in `convert`.
template <CountedNumber To, Scalar From>
To convert(From a) {
  return detail::operation_counts().convert++, To(static_cast<ScalarOf<To>>(a));
}
/// Converts between precisions; counted in `convert`.
template <CountedNumber To, std::floating_point T>
To convert(Counted<T> a) {
  return detail::operation_counts().convert++, To(static_cast<ScalarOf<To>>(a.value));
}
/// Returns the bits of a counted number as an integer of equal size; not counted.
template <Scalar To, std::floating_point T>
To bit_cast(Counted<T> a) {
  return trackplex::bit_cast<To>(a.value);
}

/// Reads *p; counted in `load`.
template <CountedNumber N, Scalar T>
N load(const T* p) {
  return detail::operation_counts().load++, N(static_cast<ScalarOf<N>>(*p));
}
/// Reads *p if n > 0, which is counted in `load`; else returns 0.
template <CountedNumber N, Scalar T>
N load_first(const T* p, int n) {
  return n > 0 ? load<N>(p) : N(0);
}
/// Writes a to *p; counted in `store`.
template <Scalar T, std::floating_point U>
void store(T* p, Counted<U> a) {
  detail::operation_counts().store++;
  *p = static_cast<T>(a.value);
}
/// Writes a to *p if n > 0; counted in `store`.
template <Scalar T, std::floating_point U>
void store_first(T* p, Counted<U> a, int n) {
  if (n > 0) store(p, a);
}
/// Reads p[index]; counted in `load`.
template <CountedNumber N, Scalar T, std::integral I>
N gather(const T* p, I index) {
  return load<N>(p + index);
}
/// Reads p[index] if the mask is set, which is counted in `load`; else returns 0.
template <CountedNumber N, Scalar T, std::integral I>
N gather(const T* p, I index, bool mask) {
  return mask ? load<N>(p + index) : N(0);
}
/// Writes a to p[index] if the mask is set; counted in `store`.
template <Scalar T, std::integral I, std::floating_point U>
void scatter(T* p, I index, Counted<U> a, bool mask) {
  if (mask) store(p + index, a);
}

}  // namespace trackplex
