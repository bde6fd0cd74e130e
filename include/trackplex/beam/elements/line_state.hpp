// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace trackplex::beam {

/// Length of a line, m: that of a turn in a ring.
struct LineLength {
  double value = 0.;  ///< Path length of the reference particle, m.
};

/// State that actions of elements of one tracked line share: cavities a phase reference, for
/// example. Objects are found by their type and a number.
class LineState {
 public:
  /// Returns the object of a type and a number, and creates it if needed.
  template <class State>
  std::shared_ptr<State> shared(long number = 0) {
    auto& found = states_[{std::type_index(typeid(State)), number}];
    if (!found) found = std::make_shared<State>();
    return std::static_pointer_cast<State>(found);
  }

 private:
  std::map<std::pair<std::type_index, long>, std::shared_ptr<void>> states_;
};

}  // namespace trackplex::beam
