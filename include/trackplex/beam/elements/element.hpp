// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Interface of elements. A kind of element is a struct of its parameters, in m and rad, which says
/// of itself, and nothing else does,
///
///     family             what it is, for reports and plots
///     length             path length of the reference particle, m (default: 0)
///     check(check)       which values it cannot have
///     map_to(order)      its Taylor map, to its own order, or to `order` if none tracks it; or
///     map_to(order, p0)  that map at a reference momentum beta gamma; 0: unknown
///     momentum_behind(p0)  the reference momentum behind it (default: p0)
///     add_steps(to)      how it acts on a particle: steps, one after another
///     strength()         its strength in any unit, whose sign plots show (default: 0)
///     axis_bend()        how the axis of the reference particle bends (default: it is straight)
///     part(i, n)         part i of n equal ones (default: one of the n-th part of the length)
///     is_whole           whether it cannot be cut into parts, value or function (default: false)
///     reversed()         what a reversed line has instead (default: the element itself)
///
/// or, in the place of add_steps(to),
///
///     coefficients()     numbers of its one step, see beam/steps/step_type.hpp
///     pass(c, v)         that step
///
/// or an action on the whole bunch, see beam/line_tracker.hpp:
///
///     Action<T, ExecutionSpace, Width>
///
/// Only the last line or lines, how it acts, must be there. Elements of the library are in
/// beam/elements/elements.hpp; those of users join them in every line.

#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/host_executor.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

namespace trackplex::beam {

namespace detail {
/// The backend that elements of lists are tried with: the host's.
template <class E>
concept HasAction = requires {
  typename E::template Action<double, HostExecutor, 1>;
};
}  // namespace detail

/// Struct that is a kind of element: it tells its steps, is a step, or acts on the whole bunch.
template <class E>
concept IsElement = std::copy_constructible<E> &&(requires(const E& e, StepBuilder& to) {
  e.add_steps(to);
} || IsStep<E> || detail::HasAction<E>);

/// Bend of the axis in an element: an arc of a circle.
struct AxisBend {
  double angle = 0.;  ///< Angle, rad; positive: towards negative x.
  double tilt = 0.;   ///< Rotation of its plane around the axis, rad, from x towards y.
  double k1 = 0.;     ///< Quadrupole strength of the magnet, 1/m^2; positive: focuses in its plane.
  double entrance = 0.,  ///< Angle of the entrance edge, rad: positive as in a rectangular magnet.
      exit = 0.;         ///< Angle of the exit edge, rad; 0 where the element has none.
};

/// Kind of an element with the parameters: a struct of any `IsElement`. Copies share it.
class ElementKind {
 public:
  /// Takes an element of any type.
  template <class E>
  requires(!std::same_as<E, ElementKind> && IsElement<E>) ElementKind(E element)
      : it_(std::make_shared<const Model<E>>(std::move(element))) {}

  /// Returns the element as one of a type; null if it is of another. It belongs to this object.
  template <class E>
  const E* as() const& {
    return type() == std::type_index(typeid(E)) ? &static_cast<const Model<E>&>(*it_).element
                                                : nullptr;
  }
  template <class E>
  const E* as() && = delete;  ///< It would end with the object.
  /// Returns its type.
  std::type_index type() const { return it_->type(); }
  /// Returns what it is, for reports and plots; "other" if the type does not say.
  const char* family() const { return it_->family(); }
  /// Tells whether it acts on the bunch as a whole.
  bool is_collective() const { return it_->is_collective(); }
  /// Tells whether it cannot be cut into parts.
  bool is_whole() const { return it_->is_whole(); }
  /// Returns the path length of the reference particle, m.
  double length() const { return it_->length(); }
  /// Returns its strength in the unit of its type, for plots.
  double strength() const { return it_->strength(); }
  /// Returns how the axis bends in it.
  AxisBend axis_bend() const { return it_->axis_bend(); }
  /// Checks its values.
  /// @throws UsageError with the element and the quantity if a value is refused
  void check(const ElementCheck& check) const { it_->check(check); }
  /// Returns its Taylor map: to its own order, or to `order` if none tracks it; at a reference
  /// momentum beta gamma (0: unknown).
  /// @throws UsageError if its type has no map
  TransferMap map_to(int order, double p0 = 0.) const { return it_->map_to(order, p0); }
  /// Returns the reference momentum beta gamma behind it.
  double momentum_behind(double p0) const { return it_->momentum_behind(p0); }
  /// Tells a builder its steps.
  void add_steps(StepBuilder& to) const { it_->add_steps(to); }
  /// Returns part i of n equal ones.
  ElementKind part(int i, int n) const { return it_->part(i, n); }
  /// Returns what a reversed line has instead.
  ElementKind reversed() const { return it_->reversed(*this); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::type_index type() const = 0;
    virtual const char* family() const = 0;
    virtual bool is_collective() const = 0;
    virtual bool is_whole() const = 0;
    virtual double length() const = 0;
    virtual double strength() const = 0;
    virtual AxisBend axis_bend() const = 0;
    virtual void check(const ElementCheck&) const = 0;
    virtual TransferMap map_to(int order, double p0) const = 0;
    virtual double momentum_behind(double p0) const = 0;
    virtual void add_steps(StepBuilder&) const = 0;
    virtual ElementKind part(int i, int n) const = 0;
    virtual ElementKind reversed(const ElementKind& itself) const = 0;
  };

  template <class E>
  struct Model final : Interface {
    static_assert(!(detail::HasAction<E> &&
                    (IsStep<E> || requires(const E& e, StepBuilder& to) { e.add_steps(to); })),
                  "an element either acts on the whole bunch or tells its steps");
    E element;

    explicit Model(E e) : element(std::move(e)) {}

    std::type_index type() const override { return typeid(E); }
    const char* family() const override {
      if constexpr (requires { element.family; }) return element.family;
      return "other";
    }
    bool is_collective() const override { return detail::HasAction<E>; }
    bool is_whole() const override {
      if constexpr (requires { element.is_whole(); }) {
        return element.is_whole();
      } else if constexpr (requires { element.is_whole; }) {
        return element.is_whole;
      }
      return false;
    }
    double length() const override {
      if constexpr (requires { element.length(); }) {
        return element.length();
      } else if constexpr (requires { element.length; }) {
        return element.length;
      }
      return 0.;
    }
    double strength() const override {
      if constexpr (requires { element.strength(); }) return element.strength();
      return 0.;
    }
    AxisBend axis_bend() const override {
      if constexpr (requires { element.axis_bend(); }) return element.axis_bend();
      return {};
    }
    void check(const ElementCheck& check) const override {
      if constexpr (requires { element.check(check); }) element.check(check);
    }
    double momentum_behind(double p0) const override {
      if constexpr (requires { element.momentum_behind(p0); }) return element.momentum_behind(p0);
      return p0;
    }
    TransferMap map_to(int order, double p0) const override {
      if constexpr (requires { element.map_to(order, p0); }) return element.map_to(order, p0);
      if constexpr (requires { element.map_to(order); }) return element.map_to(order);
      throw UsageError("map_of", "this type of element has no Taylor map", typeid(E).name(),
                       "give it a function TransferMap map_to(int order) const");
    }
    void add_steps(StepBuilder& to) const override {
      if constexpr (requires { element.add_steps(to); }) {
        element.add_steps(to);
      } else if constexpr (IsStep<E>) {
        to.add(element);
      }
    }
    ElementKind part(int i, int n) const override {
      E part = element;
      if constexpr (requires { element.part(i, n); }) {
        part = element.part(i, n);
      } else if constexpr (requires { part.length /= n; }) {
        part.length /= n;
      }
      return part;
    }
    ElementKind reversed(const ElementKind& itself) const override {
      if constexpr (requires { element.reversed(); }) return element.reversed();
      return itself;
    }
  };

  std::shared_ptr<const Interface> it_;
};

/// Element of a line: a name and its kind with the parameters.
struct Element {
  std::string name;  ///< Name, for messages and files.
  ElementKind kind;  ///< Kind with its parameters.
};

/// Beam line: elements in the order in which particles pass them.
using BeamLine = std::vector<Element>;

/// Checks the values of an element: all are finite, and lengths and apertures are not negative,
/// except for those of `Drift`, `ExactDrift` and `MapElement`. Lattices, trackers and maps call it
/// for their elements.
/// @throws UsageError with the element and the quantity if a value is refused
inline void check_element(const Element& element) {
  element.kind.check(ElementCheck(element.name));
}

/// Tells whether an element acts on the bunch as a whole.
inline bool is_collective(const Element& element) { return element.kind.is_collective(); }

/// Returns the path length of the reference particle in an element, m.
inline double length_of(const Element& element) { return element.kind.length(); }

}  // namespace trackplex::beam
