// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/workspace.hpp>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class SetCharge;

/// Sets the charge of the whole bunch, lost particles included (CHARGE).
struct Charge {
  double total = 0.;         ///< Charge, C.
  double per_particle = 0.;  ///< That of a particle, C, in the place of the total if it is not 0.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "charge";
  void check(const ElementCheck& check) const {
    check.finite("charge", total);
    check.finite("charge of a particle", per_particle);
  }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = SetCharge<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of a `Charge`.
template <class T, class ExecutionSpace, int Width>
class SetCharge {
 public:
  static constexpr bool takes_lost = true;  ///< Lost particles may be among the others.

  /// Takes the charge of an element.
  SetCharge(const ExecutionSpace&, const Charge& charge)
      : total_(charge.total), per_particle_(charge.per_particle) {}

  /// Sets the charge of each particle of a bunch.
  void operator()(const ExecutionSpace&, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>&) const {
    if (per_particle_ != 0.)
      bunch.particle_charge = per_particle_;
    else if (bunch.size_of_all() > 0)
      bunch.particle_charge = total_ / double(bunch.size_of_all());
  }

 private:
  double total_, per_particle_;
};

}  // namespace trackplex::beam
