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
    if (session_.edited == model_.used) model_.places.clear();
    return find_centres(model_.sequences.find(session_.edited)->second);
  }
  if (name == "endedit") return session_.edited.clear();
  MadxSequence& in = model_.sequences.find(session_.edited)->second;
  if (name == "install") return install(at, given, in);
  if (name == "move") return move(at, given, in);
  if (name == "flatten") return flatten(in);
  if (name == "reflect") return reflect(at, in);
  if (name == "cycle") return cycle(at, given, in);
  if (name == "remove") {
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

/// Finds where the nodes are. As in MAD-X, that is done where SEQEDIT, FLATTEN and CYCLE stand;
/// between them, places of INSTALL and MOVE count as centres.
inline void MadxReader::find_centres(MadxSequence& in) {
  const std::vector<double> centres = flattener().centres(in);
  for (std::size_t i = 0; i < centres.size(); ++i) in.nodes[i].centre = centres[i];
}

inline void MadxReader::set_place(MadxNode& node, double place) {
  node.from.clear();
  node.centre = place;
  node.position = MadxExpression::constant(place);
}
inline void MadxReader::remark_refer(const MadxSequence& in, const LatticeToken& at) {
  if (in.refer != 0.)
    remark("'" + at.text + "' takes centres for entries or exits, as REFER of '" + in.name +
               "' says: elements move by half of their lengths, as in MAD-X (FLATTEN it before)",
           at);
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
  const bool is_last = is_on(given, "last");
  const double place = values_(position->second.first());
  if (from != "selected") {
    MadxNode node{name, position->second.first(), from, at, {}};
    node.centre = place + (from.empty() ? 0. : centre_of(from, in, at));
    return insert(std::move(node), in, is_last);
  }
  MadxAttributes selection;
  selection["element"].text = "selected";
  const std::vector<double> centres = flattener().centres(in);
  std::vector<MadxNode> nodes;
  for (const std::size_t i : edited_nodes(at, selection, in)) {
    nodes.push_back({name, MadxExpression::constant(place + centres[i]), "", at, {}});
    nodes.back().centre = place + centres[i];
  }
  for (MadxNode& node : nodes) insert(std::move(node), in, is_last);
}

/// Centre of the element that FROM names.
inline double MadxReader::centre_of(const std::string& from, const MadxSequence& in,
                                    const LatticeToken& at) {
  MadxSequence with = in;
  with.nodes.push_back({"marker", {}, from, at, {}});
  return flattener().centres(with).back();
}

/// Puts a node before the others that are at its place or behind, or behind those at its place.
inline void MadxReader::insert(MadxNode node, MadxSequence& in, bool is_last) {
  const auto next = std::ranges::find_if(in.nodes, [&](const MadxNode& other) {
    return is_last ? other.centre > node.centre : other.centre >= node.centre;
  });
  in.nodes.insert(next, std::move(node));
  values_.forget();
}

/// Moves BY a length, or TO a place.
inline void MadxReader::move(const LatticeToken& at, const MadxAttributes& given,
                             MadxSequence& in) {
  const auto by = given.find("by"), to = given.find("to");
  if (by == given.end() && to == given.end())
    refuse_madx(at, "MOVE has no BY and no TO", {}, "move, element=q, by=0.1;");
  const std::string from = text_of(given, "from");
  const double length = values_((by != given.end() ? by : to)->second.first());
  std::vector<MadxNode> moved;
  std::vector<std::size_t> nodes = edited_nodes(at, given, in);
  for (auto i = nodes.rbegin(); i != nodes.rend(); ++i) {
    MadxNode node = in.nodes[*i];
    node.alignment.clear();
    if (by != given.end())
      set_place(node, node.centre + length);
    else
      set_place(node, length + (from.empty() ? 0. : centre_of(from, in, at)));
    moved.insert(moved.begin(), std::move(node));
  }
  for (auto i = nodes.rbegin(); i != nodes.rend(); ++i)
    in.nodes.erase(in.nodes.begin() + std::ptrdiff_t(*i));
  for (MadxNode& node : moved) insert(std::move(node), in, is_on(given, "last"));
  if (by != given.end() || !from.empty()) remark_refer(in, at);
}

/// Puts the elements of inner sequences at their places.
inline void MadxReader::flatten(MadxSequence& in) {
  in.nodes = nodes_of(flattener().flatten(in));
  in.refer = 0.;
  find_centres(in);
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
inline void MadxReader::reflect(const LatticeToken& at, MadxSequence& in) {
  const double length = values_(in.length);
  for (MadxNode& node : in.nodes) set_place(node, length - node.centre);
  std::ranges::reverse(in.nodes);
  remark_refer(in, at);
}

/// Starts a sequence at another element. As in MAD-X, a copy of that is at the end.
inline void MadxReader::cycle(const LatticeToken& at, const MadxAttributes& given,
                              MadxSequence& in) {
  const std::string name = text_of(given, "start");
  const auto start = std::ranges::find(in.nodes, name, &MadxNode::name);
  if (start == in.nodes.end() || model_.sequence(name))
    refuse_madx(at, "there is no '" + name + "' in '" + in.name + "'", "CYCLE names it",
                "START is the name of an element");
  std::rotate(in.nodes.begin(), start, in.nodes.end());
  if (in.nodes.back().name.find("_p_") == std::string::npos) {
    MadxNode end = in.nodes.front();
    const MadxElement* element = end.element ? end.element.get() : model_.element(name);
    MadxElement copy = element ? *element : MadxElement{name, name, name, {}, at};
    copy.name = end.name = in.name + name + "_p_";
    end.element.reset();
    if (flattener().length_of(in.nodes.front()) > 0.)
      remark("CYCLE adds a copy of '" + name + "' at the end, as in MAD-X: begin at a marker", at);
    model_.elements.insert_or_assign(end.name, std::move(copy));
    in.nodes.push_back(std::move(end));
  }
  const double length = values_(in.length), origin = in.nodes.front().centre;
  bool is_behind = false;
  for (MadxNode& node : in.nodes) {
    if (&node != &in.nodes.back() && !node.from.empty()) continue;
    double centre = node.centre - origin;
    if (centre < 0. || (is_behind && centre == 0.)) centre += length;
    is_behind = is_behind || centre > 0.;
    set_place(node, &node == &in.nodes.back() ? length : centre);
  }
  in.is_cycled = true;
  find_centres(in);
  remark_refer(in, at);
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
  const MadxExpression start = MadxExpression::constant(centres[first]);
  for (MadxNode& node : part.nodes) {
    node.alignment.clear();
    if (&node == &part.nodes.front()) {
      node.position = {};
    } else if (node.from.empty()) {
      node.position = combined(node.position, '-', start);
    } else if (find_node(part.nodes, node.from) == part.nodes.size()) {
      const std::size_t i = find_node(whole->nodes, node.from);
      const bool is_simple = i < whole->nodes.size() && whole->nodes[i].from.empty();
      const double from = is_simple
                              ? values_(whole->nodes[i].position)  // not its centre, as in MAD-X
                              : centre_of(node.from, *whole, at);
      node.position = combined(node.position, '+', MadxExpression::constant(from - centres[first]));
      node.from.clear();
    }
    if (&node == &part.nodes.front()) node.from.clear();
  }
  if (!model_.sequence(part.name)) model_.order.push_back(part.name);
  model_.errors.erase(part.name);
  model_.sequences.insert_or_assign(part.name, std::move(part));
  values_.forget();
}

}  // namespace trackplex::io::detail
