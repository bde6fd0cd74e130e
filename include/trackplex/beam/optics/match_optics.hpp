// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Matching: strengths of a line for which tunes, chromaticities and Twiss functions have wanted
/// values. On the host.

#include <trackplex/beam/attributes.hpp>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/least_squares.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Optics along a line, with those of a ring.
struct OpticsAlong {
  std::vector<Optics> optics;                  ///< At the start and after each element.
  std::vector<TransferMap::Vector> orbit{};    ///< At the same places; empty: on the axis.
  std::optional<Chromaticity> chromaticity{};  ///< Chromaticities of a ring, where they are wanted.
  bool is_periodic = false;                    ///< Whether the optics repeat themselves.
};

/// Computes the optics of a ring or cell that repeat themselves, about the axis, with
/// chromaticities, from Taylor maps at a reference momentum p0 (beta gamma; 0: unknown).
/// @throws UsageError if the motion is not stable, or an element has no map
OpticsAlong periodic_optics_along(const BeamLine& line, double p0 = 0.);

/// Value that a number of the optics shall have, or a limit of it.
struct MatchTarget {
  /// Relation of the number to its value.
  enum class Relation { equal, at_most, at_least };

  /// Number, by the name that MAD-X, elegant or this library has for it, in upper or lower case
  /// (see `quantity_names`): "betx", "betax", "alfx", "qx", "dqx", ...
  std::string quantity;
  /// Place of a number that is not of the whole ring: "start", "end", or after the elements whose
  /// names match, with * for any letters and ? for one.
  std::string place{};
  int occurrence = 0;                   ///< Occurrence of the element in the line, from 1; 0: all.
  double value = 0.;                    ///< Wanted value, or limit.
  Relation relation = Relation::equal;  ///< Relation to it.
  double tolerance = 1e-6;              ///< Deviation that counts as 1, in the unit of the number.

  /// Returns the target as a text: "betax@end = 12".
  std::string text() const;
};

/// Returns the names of quantities of targets, for messages.
std::string quantity_names();
/// Returns true if a quantity is of a whole ring: a tune or a chromaticity.
/// @throws UsageError if there is no quantity of this name
bool is_of_ring(const std::string& quantity);
/// Returns true if a quantity is a chromaticity.
/// @throws UsageError as `is_of_ring`
bool is_chromaticity(const std::string& quantity);

/// Strength that may change.
struct MatchVariable {
  std::string name;   ///< Name, for messages and results.
  Unknown unknown{};  ///< Value to begin with, limits and step.
};

/// Variables that are attributes of the elements of a line.
class VariedElements {
 public:
  /// Takes the line with its present values.
  explicit VariedElements(BeamLine line) : line_(std::move(line)) {}

  /// Adds the attribute of all elements whose names match a pattern, with * and ?, as a variable;
  /// of a pattern with * or ? those that have the attribute. They keep one value, or with
  /// `is_factor` are multiplied by one factor.
  /// @throws UsageError if there are no such elements, they have not the attribute or different
  /// values (without `is_factor`) or none but 0 (with it), or it is a variable already
  MatchVariable add(const std::string& pattern, const ElementAttribute& attribute,
                    bool is_factor = false);
  /// Returns the line for values of the variables.
  /// @throws UsageError as `check_element`
  BeamLine operator()(const std::vector<double>& values) const;

 private:
  struct Varied {
    ElementAttribute attribute;
    std::vector<std::size_t> elements;
    bool is_factor;
  };

  std::vector<std::size_t> elements_with(const std::string& pattern,
                                         const ElementAttribute& attribute) const;
  void check_values(const std::string& name, const Varied& varied) const;

  BeamLine line_;
  std::vector<Varied> varied_;
};

/// Line and its optics as functions of the variables.
struct MatchFunctions {
  std::function<BeamLine(const std::vector<double>&)> line;  ///< Line, as `VariedElements`.
  /// Optics of a line. Where they throw a `UsageError` there are none, and other values are tried.
  std::function<OpticsAlong(const BeamLine&)> optics;
};

/// Result of matching.
struct MatchResult {
  /// Variable.
  struct Variable {
    std::string name;                ///< Name.
    double before = 0., after = 0.;  ///< Values.
    double lower = 0., upper = 0.;   ///< Limits.
    /// Returns true if it is at a limit.
    bool is_at_limit() const { return after <= lower || after >= upper; }
  };
  /// Target; of several places, that of the largest deviation.
  struct Target {
    std::string name;                ///< Target as a text.
    double before = 0., after = 0.;  ///< Values of the number.
    double wanted = 0.;              ///< Wanted value, or limit.
    bool is_met = false;             ///< Whether the deviation is within the tolerance.
  };

  BeamLine line;                    ///< Line with the values after.
  std::vector<Variable> variables;  ///< Variables.
  std::vector<Target> targets;      ///< Targets.
  double before = 0., after = 0.;   ///< Sums of squares of deviations over tolerances.
  int iterations = 0;               ///< Number of iterations of all attempts.
  int evaluations = 0;              ///< Number of times that the optics were computed.
  bool is_finished = false;         ///< Whether the sum is smallest, as far as steps tell.

  /// Returns true if all targets are met.
  bool is_matched() const;
  /// Tells which targets are not met and why; empty if all are.
  std::string complaint() const;
};

/// Finds values of the variables for which the targets are met as well as possible: `least_squares`
/// of the deviations over their tolerances. If some are not met, it begins again with 1e6 and 1e9
/// times the damping, and keeps the best result.
/// @throws UsageError if there are no variables or targets, a target has no place or its quantity
/// no such name, or the line has no optics to begin with; or as `least_squares`
MatchResult match_optics(const MatchFunctions& functions,
                         const std::vector<MatchVariable>& variables,
                         const std::vector<MatchTarget>& targets,
                         const LeastSquaresParams& params = {.damping = 1e-9});

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/match_optics.impl.hpp>
#endif
