// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Changes of MAD-X' sequences: SEQEDIT and EXTRACT.

namespace trackplex::io::detail {

inline void MadxReader::edit(const std::string& name, const LatticeToken& at,
                             const MadxAttributes& given) {
  if (name == "seqedit") {
    session_.edited = text_of(given, "sequence");
    if (!model_.sequence(session_.edited))
      refuse_madx(at, "there is no sequence '" + session_.edited + "' to edit", {},
                  closest_name(session_.edited, model_.order));
    model_.errors.erase(session_.edited);
    return;
  }
  if (name == "endedit") return session_.edited.clear();
  MadxSequence& in = model_.sequences.find(session_.edited)->second;
  if (name == "install") return install(at, given, in);
  if (name == "move") return move(at, given, in);
  if (name == "flatten") return flatten(in);
  if (name == "reflect") return reflect(in);
  if (name == "cycle") {
    in.start = text_of(given, "start");
  } else if (name == "remove") {
    const std::vector<std::size_t> nodes = edited_nodes(at, given, in);
    keep_places(in, nodes);
    for (auto i = nodes.rbegin(); i != nodes.rend(); ++i)
      in.nodes.erase(in.nodes.begin() + std::ptrdiff_t(*i));
  } else if (name == "replace") {
    const std::string by = text_of(given, "by");
    if (!model_.element(by)) refuse_madx(at, "there is no element '" + by + "' to replace by");
    const std::vector<std::size_t> nodes = edited_nodes(at, given, in);
    keep_places(in, nodes);
    for (const std::size_t i : nodes) {
      in.nodes[i].name = by;
      in.nodes[i].element.reset();
    }
  } else {
    refuse_command(at);
  }
}

/// Elements whose places are relative to some that go stay where they are.
inline void MadxReader::keep_places(MadxSequence& in, const std::vector<std::size_t>& gone) {
  const std::vector<double> centres = flattener().centres(in);
  std::set<std::string> names;
  for (const std::size_t i : gone) names.insert(in.nodes[i].name);
  for (std::size_t i = 0; i < in.nodes.size(); ++i) {
    MadxNode& node = in.nodes[i];
    if (node.from.empty() || !names.contains(MadxNodeName(node.from).name)) continue;
    node.position = MadxExpression::constant(centres[i] - flattener().reference(in, node));
    node.from.clear();
  }
}

/// Indices of the nodes that ELEMENT names: one, or those of SELECT, FLAG=SEQEDIT.
inline std::vector<std::size_t> MadxReader::edited_nodes(const LatticeToken& at,
                                                         const MadxAttributes& given,
                                                         const MadxSequence& in) {
  const std::string name = text_of(given, "element");
  if (name != "selected") {
    const std::size_t i = find_node(in.nodes, name);
    if (i == in.nodes.size())
      refuse_madx(at, "there is no '" + name + "' in '" + in.name + "'", {},
                  "ELEMENT names it; name[n] is the n-th one of that name");
    return {i};
  }
  std::vector<MadxPlaced> all;
  std::map<std::string, int> n;
  for (const MadxNode& node : in.nodes) all.push_back({node.name, ++n[node.name], node.at});
  return selected("seqedit", all);
}

inline void MadxReader::install(const LatticeToken& at, const MadxAttributes& given,
                                MadxSequence& in) {
  const std::string name = text_of(given, "element"), of_class = text_of(given, "class");
  const auto position = given.find("at");
  if (name.empty() || position == given.end())
    refuse_madx(at, "INSTALL needs an element and its place", {}, "install, element=q, at=1;");
  if (!of_class.empty() && !model_.element(name)) {
    if (!model_.element(of_class) && !madx_type(of_class))
      refuse_madx(at, "there is no class '" + of_class + "'");
    MadxElement element{name, of_class, model_.type_of(of_class), {}, at};
    if (const MadxAttributes* inherited = model_.attributes(of_class))
      element.attributes = *inherited;
    model_.elements.insert_or_assign(name, std::move(element));
  }
  if (!model_.element(name)) refuse_madx(at, "there is no element '" + name + "' to install");
  const std::string from = text_of(given, "from");
  if (from != "selected") {
    insert({name, position->second.first(), from, at, {}}, in, is_on(given, "last"));
    return;
  }
  MadxAttributes selection;
  selection["element"].text = "selected";
  const std::vector<std::size_t> nodes = edited_nodes(at, selection, in);
  const std::vector<double> centres = flattener().centres(in);
  for (const std::size_t i : nodes)
    insert({name,
            combined(position->second.first(), '+', MadxExpression::constant(centres[i])),
            "",
            at,
            {}},
           in, is_on(given, "last"));
}

/// Puts a node before the others that are at its place or behind, or behind those at its place.
inline void MadxReader::insert(MadxNode node, MadxSequence& in, bool is_last) {
  in.nodes.push_back(std::move(node));
  const std::vector<double> centres = flattener().centres(in);
  std::size_t i = 0;
  while (i + 1 < centres.size() &&
         (is_last ? centres[i] <= centres.back() : centres[i] < centres.back()))
    ++i;
  std::rotate(in.nodes.begin() + std::ptrdiff_t(i), in.nodes.end() - 1, in.nodes.end());
  values_.forget();
}

/// Moves BY a length, or TO a place.
inline void MadxReader::move(const LatticeToken& at, const MadxAttributes& given,
                             MadxSequence& in) {
  const auto by = given.find("by"), to = given.find("to");
  if (by == given.end() && to == given.end())
    refuse_madx(at, "MOVE has no BY and no TO", {}, "move, element=q, by=0.1;");
  const std::string from = text_of(given, "from");
  std::vector<MadxNode> moved;
  std::vector<std::size_t> nodes = edited_nodes(at, given, in);
  for (auto i = nodes.rbegin(); i != nodes.rend(); ++i) {
    MadxNode node = in.nodes[*i];
    node.alignment.clear();
    if (by != given.end()) {
      node.position = combined(node.position, '+', by->second.first());
    } else {
      node.position = to->second.first();
      node.from = from;
    }
    in.nodes.erase(in.nodes.begin() + std::ptrdiff_t(*i));
    moved.insert(moved.begin(), std::move(node));
  }
  for (MadxNode& node : moved) insert(std::move(node), in, is_on(given, "last"));
}

/// Puts the elements of inner sequences at their places.
inline void MadxReader::flatten(MadxSequence& in) {
  in.nodes = nodes_of(flattener().flatten(in));
  in.refer = 0.;
  in.start.clear();
}

/// Nodes at the centres of elements.
inline std::vector<MadxNode> MadxReader::nodes_of(const std::vector<MadxPlaced>& placed) {
  std::vector<MadxNode> nodes;
  for (const MadxPlaced& part : placed) {
    MadxNode node{
        part.name, MadxExpression::constant(part.entry + 0.5 * part.length), "", part.at, {}};
    if (part.alignment) node.alignment = *part.alignment;
    node.element = part.element;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// Turns the order of the elements, not the elements.
inline void MadxReader::reflect(MadxSequence& in) {
  const std::vector<double> centres = flattener().centres(in);
  const double length = values_(in.length);
  for (std::size_t i = 0; i < in.nodes.size(); ++i) {
    MadxNode& node = in.nodes[i];
    node.position = MadxExpression::constant(length - centres[i]);
    node.from.clear();
  }
  std::ranges::reverse(in.nodes);
  in.refer = 0.;
}

/// Makes a sequence of the part from the centre of one element to that of another.
inline void MadxReader::extract(const LatticeToken& at, const MadxAttributes& given) {
  const std::string name = text_of(given, "sequence");
  const MadxSequence* whole = model_.sequence(name);
  if (!whole)
    refuse_madx(at, "there is no sequence '" + name + "' to extract from", {},
                closest_name(name, model_.order));
  const auto find = [&](const char* end) {
    const std::string element = text_of(given, end);
    const std::size_t i = find_node(whole->nodes, element);
    if (i == whole->nodes.size())
      refuse_madx(at, "there is no '" + element + "' in '" + name + "'",
                  std::string("EXTRACT begins or ends there, ") + end);
    return i;
  };
  const std::size_t first = find("from"), last = find("to");
  if (last < first) refuse_madx(at, "EXTRACT ends before it begins");
  const std::vector<double> centres = flattener().centres(*whole);
  MadxSequence part{.name = text_of(given, "newname"), .refer = whole->refer, .at = at};
  if (part.name.empty()) part.name = name + "_1";
  if (madx_type(part.name) || model_.element(part.name) || model_.line(part.name))
    refuse_madx(at, "'" + part.name + "' cannot be a sequence",
                "it is an element, a line or a type");
  part.refpos = text_of(given, "refpos");
  part.length = MadxExpression::constant(centres[last] - centres[first]);
  part.nodes.assign(whole->nodes.begin() + std::ptrdiff_t(first),
                    whole->nodes.begin() + std::ptrdiff_t(last) + 1);
  for (std::size_t i = first; i <= last; ++i) {
    MadxNode& node = part.nodes[i - first];
    node.alignment.clear();
    if (!node.from.empty() && find_node(part.nodes, node.from) < part.nodes.size()) continue;
    const double place = centres[i] - centres[first] - flattener().reference(*whole, node);
    node.position =
        node.from.empty()
            ? combined(node.position, '-', MadxExpression::constant(values_(node.position) - place))
            : MadxExpression::constant(place);
    node.from.clear();
  }
  if (!model_.sequence(part.name)) model_.order.push_back(part.name);
  model_.errors.erase(part.name);
  model_.sequences.insert_or_assign(part.name, std::move(part));
  values_.forget();
}

}  // namespace trackplex::io::detail
