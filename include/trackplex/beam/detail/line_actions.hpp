// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/element_list.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/index_in_list.hpp>
#include <trackplex/core/workspace.hpp>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace trackplex::beam::detail {

/// Action on the whole bunch of an element of any type.
template <class T, class ExecutionSpace>
class AnyAction {
 public:
  virtual ~AnyAction() = default;
  virtual void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                          Workspace<ExecutionSpace>& workspace, const Loss& here) = 0;
  virtual bool takes_lost() const = 0;
};

template <class T, class ExecutionSpace, class Action>
class ActionOf final : public AnyAction<T, ExecutionSpace> {
 public:
  Action action;

  template <class Element>
  ActionOf(const ExecutionSpace& exec, const Element& element, LineState& state)
      : action(make(exec, element, state)) {}

  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, const Loss& here) override {
    if constexpr (requires { action(exec, bunch, workspace, here); }) {
      action(exec, bunch, workspace, here);
    } else {
      action(exec, bunch, workspace);
    }
  }
  bool takes_lost() const override {
    if constexpr (requires { Action::takes_lost; }) return Action::takes_lost;
    return false;
  }

 private:
  template <class Element>
  static Action make(const ExecutionSpace& exec, const Element& element, LineState& state) {
    if constexpr (requires { Action(exec, element, state); }) {
      return Action(exec, element, state);
    } else {
      return Action(exec, element);
    }
  }
};

/// Makes the action of an element. A separate template, so that translation units can share its
/// instances.
template <class T, class ExecutionSpace, int Width, class Kind>
std::unique_ptr<AnyAction<T, ExecutionSpace>> make_action(const ExecutionSpace& exec,
                                                          const Kind& kind, LineState& state) {
  using Action = typename Kind::template Action<T, ExecutionSpace, Width>;
  return std::make_unique<ActionOf<T, ExecutionSpace, Action>>(exec, kind, state);
}

/// Actions of the elements of a line that have one, by the number of the element.
template <class T, class ExecutionSpace, int Width>
class LineActions {
 public:
  LineActions() = default;

  template <class... Types>
  LineActions(const ExecutionSpace& exec, const BeamLine& line, const ElementList<Types...>&) {
    using Collective = typename TypesOf<ElementList<Types...>>::Collective;
    for (int i = 0; i < int(line.size()); ++i)
      if (is_collective(line[i]) && !make(exec, line[i], i, std::type_identity<Collective>{}))
        throw UsageError("element '" + line[i].name + "'", "the tracker does not know its type",
                         line[i].kind.type().name(),
                         "add it to its list: LineTracker<T, ExecutionSpace, With<...>>");
  }

  AnyAction<T, ExecutionSpace>& operator[](int element) { return *actions_.at(element); }

  template <class Element>
  const auto& of(int element) const {
    using Wanted =
        ActionOf<T, ExecutionSpace, typename Element::template Action<T, ExecutionSpace, Width>>;
    const auto found = actions_.find(element);
    const auto* it =
        found == actions_.end() ? nullptr : dynamic_cast<const Wanted*>(found->second.get());
    if (!it)
      throw UsageError("LineTracker", "element " + std::to_string(element) + " has no such action");
    return it->action;
  }

 private:
  template <class... Collective>
  bool make(const ExecutionSpace& exec, const Element& element, [[maybe_unused]] int at,
            std::type_identity<std::tuple<Collective...>>) {
    return (make_one<Collective>(exec, element, at) || ...);
  }

  template <class Kind>
  bool make_one(const ExecutionSpace& exec, const Element& element, int at) {
    const Kind* kind = element.kind.as<Kind>();
    if (!kind) return false;
    try {
      actions_[at] = make_action<T, ExecutionSpace, Width>(exec, *kind, state_);
    } catch (const Error& error) {
      throw UsageError("element " + element.name, error.what());
    }
    return true;
  }

  LineState state_;
  std::map<int, std::unique_ptr<AnyAction<T, ExecutionSpace>>> actions_;
};

}  // namespace trackplex::beam::detail

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/detail/line_actions.instances.hpp>
#endif
