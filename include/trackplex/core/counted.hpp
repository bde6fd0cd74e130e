// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A number type that counts operations: run a kernel's device function on `Counted<float>` instead
/// of `float` and read off what it costs. Host only.

#include <trackplex/core/number.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Operations on floating-point numbers, by kind.
struct OperationCounts {
  long add = 0;  ///< additions and subtractions
  long multiply = 0;
  long fma = 0;
  long divide = 0;
  long sqrt = 0;
  long compare = 0;
  long select = 0;   ///< select, min and max
  long sign = 0;     ///< negation, abs, copysign
  long convert = 0;  ///< to and from integers
  long load = 0;
  long store = 0;

  /// Floating-point operations, an fma counting as two.
  long flops() const { return add + multiply + 2 * fma + divide + sqrt; }
  /// Arithmetic instructions on a machine with fma.
  long arithmetic() const { return add + multiply + fma + divide + sqrt; }

  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

namespace detail {
inline OperationCounts& operation_counts() {
  thread_local OperationCounts counts;
  return counts;
}
}  // namespace detail

/// The operations that `f()` does on counted numbers in this thread.
template <class F>
OperationCounts count_operations(F&& f) {
  const OperationCounts before = std::exchange(detail::operation_counts(), {});
  f();
  return std::exchange(detail::operation_counts(), before);
}

/// A floating-point number that counts what is done with it.
template <std::floating_point T>
class Counted {
 public:
  T value;

  Counted() = default;
  template <Scalar U>
  requires(std::integral<U> || sizeof(U) <= sizeof(T)) Counted(U v) : value(static_cast<T>(v)) {}

  friend Counted operator+(Counted a, Counted b) {
    return counts().add++, Counted(a.value + b.value);
  }
  friend Counted operator-(Counted a, Counted b) {
    return counts().add++, Counted(a.value - b.value);
  }
  friend Counted operator*(Counted a, Counted b) {
    return counts().multiply++, Counted(a.value * b.value);
  }
  friend Counted operator/(Counted a, Counted b) {
    return counts().divide++, Counted(a.value / b.value);
  }
  friend Counted operator-(Counted a) { return counts().sign++, Counted(-a.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }

  friend bool operator<(Counted a, Counted b) { return counts().compare++, a.value < b.value; }
  friend bool operator<=(Counted a, Counted b) { return counts().compare++, a.value <= b.value; }
  friend bool operator>(Counted a, Counted b) { return counts().compare++, a.value > b.value; }
  friend bool operator>=(Counted a, Counted b) { return counts().compare++, a.value >= b.value; }
  friend bool operator==(Counted a, Counted b) { return counts().compare++, a.value == b.value; }
  friend bool operator!=(Counted a, Counted b) { return counts().compare++, a.value != b.value; }

  friend Counted fma(Counted a, Counted b, Counted c) {
    return counts().fma++, Counted(trackplex::fma(a.value, b.value, c.value));
  }
  friend Counted sqrt(Counted a) { return counts().sqrt++, Counted(trackplex::sqrt(a.value)); }
  friend Counted abs(Counted a) { return counts().sign++, Counted(trackplex::abs(a.value)); }
  friend Counted copysign(Counted a, Counted s) {
    return counts().sign++, Counted(trackplex::copysign(a.value, s.value));
  }
  friend Counted min(Counted a, Counted b) {
    return counts().select++, Counted(trackplex::min(a.value, b.value));
  }
  friend Counted max(Counted a, Counted b) {
    return counts().select++, Counted(trackplex::max(a.value, b.value));
  }
  friend Counted select(bool mask, Counted a, Counted b) { return counts().select++, mask ? a : b; }

  friend T extract(Counted a, int /*lane*/) { return a.value; }
  friend void insert(Counted& a, int /*lane*/, T v) { a.value = v; }
  friend T sum_of(Counted a) { return a.value; }
  friend T min_of(Counted a) { return a.value; }
  friend T max_of(Counted a) { return a.value; }

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

template <class N>
concept CountedNumber = detail::is_counted<N>;

template <std::floating_point T>
struct NumberTraits<Counted<T>> {
  using ScalarType = T;
  using MaskType = bool;
  template <Scalar U>
  using Rebind = typename detail::CountedIfReal<U>::type;
  static constexpr int width = 1;
};

template <Scalar To, std::floating_point T>
To convert(Counted<T> a) {
  return detail::operation_counts().convert++, static_cast<To>(a.value);
}
template <CountedNumber To, Scalar From>
To convert(From a) {
  return detail::operation_counts().convert++, To(static_cast<ScalarOf<To>>(a));
}
template <CountedNumber To, std::floating_point T>
To convert(Counted<T> a) {
  return detail::operation_counts().convert++, To(static_cast<ScalarOf<To>>(a.value));
}
template <Scalar To, std::floating_point T>
To bit_cast(Counted<T> a) {
  return trackplex::bit_cast<To>(a.value);
}

template <CountedNumber N, Scalar T>
N load(const T* p) {
  return detail::operation_counts().load++, N(static_cast<ScalarOf<N>>(*p));
}
template <CountedNumber N, Scalar T>
N load_first(const T* p, int n) {
  return n > 0 ? load<N>(p) : N(0);
}
template <Scalar T, std::floating_point U>
void store(T* p, Counted<U> a) {
  detail::operation_counts().store++;
  *p = static_cast<T>(a.value);
}
template <Scalar T, std::floating_point U>
void store_first(T* p, Counted<U> a, int n) {
  if (n > 0) store(p, a);
}
template <CountedNumber N, Scalar T, std::integral I>
N gather(const T* p, I index) {
  return load<N>(p + index);
}
template <CountedNumber N, Scalar T, std::integral I>
N gather(const T* p, I index, bool mask) {
  return mask ? load<N>(p + index) : N(0);
}
template <Scalar T, std::integral I, std::floating_point U>
void scatter(T* p, I index, Counted<U> a, bool mask) {
  if (mask) store(p + index, a);
}

}  // namespace trackplex
