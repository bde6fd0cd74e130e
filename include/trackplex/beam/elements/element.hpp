// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Element interface. A kind of element is a struct of its parameters, in m and rad, with these
/// members:
///
///     family             kind, for reports and plots
///     length             path length of the reference particle, m (default: 0)
///     check(check)       checks its values
///     map_to(order)      Taylor map, to its own order, or to `order` if no map tracks it; or
///     map_to(order, p0)  the map at a reference momentum beta gamma; 0: unknown
///     momentum_behind(p0)  reference momentum at the exit (default: p0)
///     add_steps(to)      adds its steps, in order
///     strength()         strength in any unit, whose sign is shown in plots (default: 0)
///     axis_bend()        bend of the axis (default: straight)
///     part(i, n)         part i of n equal parts (default: the element with 1/n of its length)
///     is_whole           true if it cannot be split; value or function (default: false)
///     reversed()         element of a reversed line (default: the element itself)
///
/// or, instead of add_steps(to),
///
///     coefficients()     coefficients of its only step, see beam/steps/step_type.hpp
///     pass(c, v)         that step
///
/// or an action on the whole bunch, see beam/line_tracker.hpp:
///
///     Action<T, ExecutionSpace, Width>
///
/// Only the action, the last line or lines, is required. Elements of the library are in
/// beam/elements/elements.hpp; lines mix them with custom elements.

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
/// Host backend, to test elements of lists.
template <class E>
concept HasAction = requires {
  typename E::template Action<double, HostExecutor, 1>;
};
}  // namespace detail

/// Struct that is a kind of element: it adds steps, is a step, or acts on the whole bunch.
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
      exit = 0.;         ///< Angle of the exit edge, rad; 0 if the element has none.
};

/// Kind of an element with the parameters: a struct of any `IsElement`. Copies share it.
class ElementKind {
 public:
  /// Takes an element of any type.
  template <class E>
  requires(!std::same_as<E, ElementKind> && IsElement<E>) ElementKind(E element)
      : it_(std::make_shared<const Model<E>>(std::move(element))) {}

  /// Returns the element of a type, or null if it has another type. It belongs to this object.
  template <class E>
  const E* as() const& {
    return type() == std::type_index(typeid(E)) ? &static_cast<const Model<E>&>(*it_).element
                                                : nullptr;
  }
  template <class E>
  const E* as() && = delete;  ///< The pointer would dangle.
  /// Returns its type.
  std::type_index type() const { return it_->type(); }
  /// Returns its family, for reports and plots; "other" if the type has none.
  const char* family() const { return it_->family(); }
  /// Returns true if it acts on the whole bunch.
  bool is_collective() const { return it_->is_collective(); }
  /// Returns true if it cannot be split.
  bool is_whole() const { return it_->is_whole(); }
  /// Returns the path length of the reference particle, m.
  double length() const { return it_->length(); }
  /// Returns its strength in the unit of its type, for plots.
  double strength() const { return it_->strength(); }
  /// Returns the bend of the axis.
  AxisBend axis_bend() const { return it_->axis_bend(); }
  /// Checks its values.
  /// @throws UsageError with the element and the quantity if a value is refused
  void check(const ElementCheck& check) const { it_->check(check); }
  /// Returns its Taylor map, to its own order, or to `order` if no map tracks it, at a
  /// reference momentum beta gamma (0: unknown).
  /// @throws UsageError if its type has no map
  TransferMap map_to(int order, double p0 = 0.) const { return it_->map_to(order, p0); }
  /// Returns the reference momentum beta gamma at its exit.
  double momentum_behind(double p0) const { return it_->momentum_behind(p0); }
  /// Adds its steps to a builder.
  void add_steps(StepBuilder& to) const { it_->add_steps(to); }
  /// Returns part i of n equal parts.
  ElementKind part(int i, int n) const { return it_->part(i, n); }
  /// Returns the element of a reversed line.
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

/// Returns true if an element acts on the whole bunch.
inline bool is_collective(const Element& element) { return element.kind.is_collective(); }

/// Returns the path length of the reference particle in an element, m.
inline double length_of(const Element& element) { return element.kind.length(); }

}  // namespace trackplex::beam
