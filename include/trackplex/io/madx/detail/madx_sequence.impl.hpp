// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/madx/detail/madx_commands.hpp>
#include <trackplex/io/madx/detail/madx_edit.hpp>
#include <trackplex/io/madx/detail/madx_errors.hpp>
#include <trackplex/io/madx/detail/madx_expand.hpp>
#include <trackplex/io/madx/detail/madx_lines.hpp>
#include <trackplex/io/madx/detail/madx_makethin.hpp>
#include <trackplex/io/madx/detail/madx_places.hpp>
#include <trackplex/io/madx/detail/madx_twiss.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE MadxFile::MadxFile(MadxOptions options) {
  session_.options = std::move(options);
  for (const auto& [name, value] : session_.options.variables) set(name, value);
}

TRACKPLEX_INLINE void MadxFile::read(std::string_view text, const std::string& name) {
  session_.is_finished = false;
  session_.depth = 0;
  session_.folder = std::filesystem::path(name).parent_path();
  detail::MadxReader(session_, text, name, session_.folder).read();
}

TRACKPLEX_INLINE double MadxFile::get(std::string_view variable) const {
  return detail::MadxValues(session_.model).variable(detail::lower_case(variable));
}

TRACKPLEX_INLINE void MadxFile::set(std::string_view variable, double value) {
  const std::string name = detail::lower_case(variable);
  session_.model.variables[name] = detail::MadxExpression::constant(value);
  session_.fixed.insert(name);
  session_.model.places.clear();
}

TRACKPLEX_INLINE bool MadxFile::has(std::string_view variable) const {
  return session_.model.variables.contains(detail::lower_case(variable));
}

TRACKPLEX_INLINE double MadxFile::get(std::string_view element, std::string_view attribute) const {
  const std::string name = detail::lower_case(element);
  if (!session_.model.element(name))
    throw UsageError("MadxFile", "there is no element '" + name + "'");
  return detail::MadxValues(session_.model).named(name, detail::lower_case(attribute));
}

TRACKPLEX_INLINE std::string MadxFile::used() const {
  const auto& model = session_.model;
  return !model.used.empty() || model.order.empty() ? model.used : model.order.back();
}

TRACKPLEX_INLINE std::optional<MadxBeam> MadxFile::beam(std::string_view sequence) const {
  const detail::MadxValues values(session_.model);
  const auto* beam = values.beam(detail::lower_case(sequence));
  return beam ? std::optional(beam->particles()) : std::nullopt;
}

TRACKPLEX_INLINE beam::BeamLine MadxFile::expand() const {
  if (used().empty()) throw UsageError("MadxFile", "there is no sequence");
  return expand(used());
}

TRACKPLEX_INLINE beam::BeamLine MadxFile::expand(std::string_view sequence,
                                                 std::int64_t limit) const {
  return expansion(sequence, limit).line;
}

TRACKPLEX_INLINE MadxExpansion MadxFile::expansion(std::string_view sequence,
                                                   std::int64_t limit) const {
  const std::string name = detail::lower_case(sequence);
  const auto& model = session_.model;
  if (!model.sequence(name) && !model.line(name))
    throw UsageError("MadxFile", "there is no sequence or line '" + name + "'", {},
                     detail::closest_name(name, model.order));
  detail::MadxExpander expander(model, session_.options, limit);
  MadxExpansion result{expander.expand(name), listed(expander.drifts()), {}, {}};
  for (const auto& [variable, at] : expander.undefined()) result.undefined.push_back(variable);
  result.remarks.assign(expander.remarks().begin(), expander.remarks().end());
  return result;
}

TRACKPLEX_INLINE std::string MadxFile::ignored() const { return listed(session_.ignored); }

TRACKPLEX_INLINE std::vector<std::string> MadxFile::undefined() const {
  std::vector<std::string> names;
  for (const auto& [name, at] : session_.undefined) names.push_back(name);
  return names;
}

TRACKPLEX_INLINE std::string MadxFile::listed(const std::map<std::string, int>& counts) {
  std::string list;
  for (const auto& [name, n] : counts)
    list.append(list.empty() ? "" : ", ").append(name + " (" + std::to_string(n) + ")");
  return list;
}

TRACKPLEX_INLINE MadxFile parse_madx(std::string_view text, const std::string& name,
                                     const MadxOptions& options) {
  MadxFile file(options);
  file.read(text, name);
  return file;
}

TRACKPLEX_INLINE MadxFile read_madx(const std::vector<std::filesystem::path>& paths,
                                    const MadxOptions& options) {
  MadxFile file(options);
  for (const auto& path : paths) file.read(read_file(path), path.string());
  return file;
}

}  // namespace trackplex::io
