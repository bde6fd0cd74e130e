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
  bool keeps_spin = false;  ///< Whether spins stay as they are.

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

template <class Type, class List>
inline constexpr bool is_one_of = false;
template <class Type, class... Types>
inline constexpr bool is_one_of<Type, std::tuple<Types...>> = (std::is_same_v<Type, Types> || ...);

/// Makes actions of elements whose types are in a tuple. A separate template, so that translation
/// units can share the instances for the library's types.
template <class T, class ExecutionSpace, int Width, class Collective>
struct ActionMaker;
template <class T, class ExecutionSpace, int Width, class... Collective>
struct ActionMaker<T, ExecutionSpace, Width, std::tuple<Collective...>> {
  using Made = std::unique_ptr<AnyAction<T, ExecutionSpace>>;

  /// Returns the action of an element, or nothing if its type is not in the tuple.
  static Made make([[maybe_unused]] const ExecutionSpace& exec,
                   [[maybe_unused]] const Element& element, [[maybe_unused]] LineState& state) {
    Made made;
    static_cast<void>((make_one<Collective>(exec, element, state, made) || ...));
    return made;
  }

 private:
  template <class Kind>
  static bool make_one(const ExecutionSpace& exec, const Element& element, LineState& state,
                       Made& made) {
    using Action = typename Kind::template Action<T, ExecutionSpace, Width>;
    const Kind* kind = element.kind.as<Kind>();
    if (kind) {
      made = std::make_unique<ActionOf<T, ExecutionSpace, Action>>(exec, *kind, state);
      made->keeps_spin = keeps_spin<Kind> || is_one_of<Kind, ElementsThatKeepSpins>;
    }
    return kind != nullptr;
  }
};

template <class List, class Of>
inline constexpr bool has_all_of = false;
template <class List, class... Types>
inline constexpr bool has_all_of<List, std::tuple<Types...>> = (is_one_of<Types, List> && ...);

/// Custom types of a list that includes all collective elements of the library; else all its types.
template <class List>
struct OwnTypes;
template <class... Types>
struct OwnTypes<std::tuple<Types...>> {
  template <class Type>
  using IsOwn = std::bool_constant<!is_one_of<Type, CollectiveElements>>;
  using type = std::conditional_t<has_all_of<std::tuple<Types...>, CollectiveElements>,
                                  Selected<IsOwn, Types...>, std::tuple<Types...>>;
};

/// Actions of the elements of a line that have one, by the number of the element.
template <class T, class ExecutionSpace, int Width>
class LineActions {
 public:
  LineActions() = default;

  template <class... Types>
  LineActions(const ExecutionSpace& exec, const BeamLine& line, const ElementList<Types...>&) {
    using Collective = typename TypesOf<ElementList<Types...>>::Collective;
    for (const Element& element : line) state_.shared<LineLength>()->value += length_of(element);
    for (int i = 0; i < int(line.size()); ++i) {
      if (!is_collective(line[i])) continue;
      auto made = make<Collective>(exec, line[i]);
      if (!made)
        throw UsageError("element '" + line[i].name + "'", "the tracker does not know its type",
                         line[i].kind.type().name(),
                         "add it to its list: LineTracker<T, ExecutionSpace, ElementTypes<...>>");
      actions_[i] = std::move(made);
    }
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
  template <class Collective>
  std::unique_ptr<AnyAction<T, ExecutionSpace>> make(const ExecutionSpace& exec,
                                                     const Element& element) {
    using Own = typename OwnTypes<Collective>::type;
    try {
      auto made = ActionMaker<T, ExecutionSpace, Width, Own>::make(exec, element, state_);
      if constexpr (!std::is_same_v<Own, Collective>)
        if (!made)
          made = ActionMaker<T, ExecutionSpace, Width, CollectiveElements>::make(exec, element,
                                                                                 state_);
      return made;
    } catch (const Error& error) {
      throw UsageError("element " + element.name, error.what());
    }
  }

  LineState state_;
  std::map<int, std::unique_ptr<AnyAction<T, ExecutionSpace>>> actions_;
};

}  // namespace trackplex::beam::detail

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/detail/line_actions.instances.hpp>
#endif
