// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <memory>
#include <utility>

namespace trackplex::beam {

/// Element with any Taylor map. Copies share the map, so that elements stay small.
class MapElement {
 public:
  double length = 0.;  ///< Path length of the reference particle, m.
  MapField field{};    ///< Its field, for spins; unknown by default.

  /// Makes an element from the path length of the reference particle, m, and a map.
  MapElement(double path, TransferMap map)
      : length(path), map_(std::make_shared<const TransferMap>(std::move(map))) {}

  /// Returns the map.
  const TransferMap& map() const { return *map_; }

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "map";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return map(); }
  void add_steps(StepBuilder& to) const { to.map(map(), field); }
  /// @}

 private:
  std::shared_ptr<const TransferMap> map_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/map_element.impl.hpp>
#endif
