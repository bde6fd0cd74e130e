// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_reader.hpp>
#include <trackplex/io/madx/detail/madx_tables.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// The command TWISS.

namespace trackplex::io::detail {

/// Values at the start of a line.
inline constexpr std::string_view madx_twiss_start =
    " betx alfx mux bety alfy muy x px y py pt dx dpx dy dpy ";
/// Attributes of TWISS and BETA0 that must be 0: with another value there are no tables.
inline constexpr std::string_view madx_twiss_zero = " t deltap centre tapering r11 r12 r21 r22 ";
/// Attributes of TWISS and BETA0 without an effect on the columns of the tables.
inline constexpr std::string_view madx_twiss_silent =
    " chrom couple save ripken rmatrix sectormap sectoracc sectorpure sectorfile sectortable "
    "tolerance notable file keyorbit useorbit wx phix dmux wy phiy dmuy ddx ddpx ddy ddpy energy "
    "eigenvector eigenfile ";

/// Skips a value up to the next comma, or the end of the statement.
inline void MadxReader::skip_value() {
  for (int depth = 0; current().kind != Kind::end; ++at_) {
    if (depth == 0 && (current().is(',') || (blocks_ > 0 && current().is('}')))) return;
    depth += current().is('(') || current().is('{') ? 1 : 0;
    depth -= current().is(')') || current().is('}') ? 1 : 0;
  }
}

/// Takes a value of BETA0 or TWISS at the start.
inline void take_madx_start(MadxTwiss& twiss, const std::string& name, double value,
                            const MadxPlace& at) {
  if (MadxType::is_in(madx_twiss_start, name))
    twiss.start[name] = value;
  else if (MadxType::is_in(madx_twiss_zero, name) && value != 0.)
    twiss.refuse(at, "'" + name + "' is not supported", "leave it out");
}

/// Reads the attributes: returns those that count.
inline MadxAttributes MadxReader::twiss_attributes(MadxTwiss& twiss) {
  MadxAttributes given;
  const auto is_at_end = [this] {
    return current().kind == Kind::end || (blocks_ > 0 && current().is('}'));
  };
  while (!is_at_end()) {
    const bool is_off = current().is(',') && next().is('-');
    at_ += current().is(',') ? 1 + is_off : 0;
    if (!current().is_name()) {
      if (!is_at_end() && !current().is(','))
        twiss.refuse(current(), shown(current()) + " is no attribute", {});
      skip_value();
      continue;
    }
    const LatticeToken& name = tokens_[at_++];
    const std::string word = lower_case(name.text);
    if (MadxType::is_in(" sequence period range beta0 table ", word)) {
      given.insert_or_assign(word, attribute_value(name, true));
    } else if (!is_off && (MadxType::is_in(madx_twiss_start, word) ||
                           MadxType::is_in(madx_twiss_zero, word))) {
      given.insert_or_assign(word, attribute_value(name, false));
    } else if (!is_off && !MadxType::is_in(madx_twiss_silent, word)) {
      twiss.refuse(name, "'" + word + "' of TWISS is not supported", "leave it out");
    }
    if (!is_at_end() && !current().is(',') && !is_symbol(current(), "=") &&
        !is_symbol(current(), ":="))
      twiss.refuse(current(), "the value of '" + word + "' is not supported", "give one value");
    skip_value();
  }
  return given;
}

/// The sequence or line, and the part of it, in the definitions for TWISS.
inline void MadxReader::choose_for_twiss(MadxTwiss& twiss, const MadxAttributes& given,
                                         MadxModel& model) {
  twiss.sequence = text_of(given, "sequence");
  if (twiss.sequence.empty()) twiss.sequence = text_of(given, "period");
  if (twiss.sequence.empty()) twiss.sequence = model.used;
  if (twiss.sequence.empty())
    twiss.refuse(twiss.at, "no sequence is in use", "write USE before");
  else if (!model.sequence(twiss.sequence) && !model.line(twiss.sequence))
    twiss.refuse(twiss.at, "there is no sequence or line '" + twiss.sequence + "'",
                 closest_name(twiss.sequence, model.order));
  if (twiss.sequence != model.used) {
    model.used = twiss.sequence;
    model.in_use.reset();
    model.range.clear();
  }
  const auto range = given.find("range");
  if (range == given.end() || text_of(given, "range") == "#s/#e") return;
  if (!model.range.empty())
    twiss.refuse(range->second.at, "USE has a range, too", "give one of them");
  model.range = text_of(given, "range");
  model.range_at = range->second.at;
}

/// The values at the start of a line: those of BETA0, then those of TWISS itself.
inline void MadxReader::start_twiss(MadxTwiss& twiss, const MadxAttributes& given) {
  twiss.is_line = given.contains("betx") || given.contains("bety") || given.contains("beta0");
  if (const auto beta0 = given.find("beta0"); beta0 != given.end()) {
    const std::string name = lower_case(beta0->second.text);
    const auto known = model_.commands.find(name);
    if (known == model_.commands.end())
      return twiss.refuse(beta0->second.at, "there is no BETA0 '" + name + "'",
                          "write before: " + name + ": beta0, betx=...; or SAVEBETA and a TWISS");
    for (const auto& [attribute, value] : known->second)
      take_madx_start(twiss, attribute, values_(value.first()), value.at);
  } else if (given.contains("betx") != given.contains("bety")) {
    twiss.refuse(twiss.at, "one of BETX and BETY is missing", "give both, or none");
  }
  for (const auto& [attribute, value] : given)
    take_madx_start(twiss, attribute, values_(value.first()), value.at);
}

/// Keeps what the next TWISS of the sequence, by default that in use, is to save.
inline void MadxReader::savebeta(const LatticeToken& at, const MadxAttributes& given) {
  MadxSavedBeta saved{text_of(given, "label"), text_of(given, "place"), text_of(given, "sequence"),
                      at};
  if (saved.label.empty() || saved.place.empty())
    refuse_madx(at, "SAVEBETA has no label or no place", {},
                "savebeta, label=name, place=element, sequence=name;");
  if (saved.sequence.empty()) saved.sequence = model_.used;
  session_.saved_betas.push_back(std::move(saved));
}

/// Gives the values of a TWISS to the BETA0 of SAVEBETA, as values of a table that later ones do
/// not replace.
inline void MadxReader::save_betas(const std::string& sequence,
                                   const std::shared_ptr<const MadxTables>& tables) {
  std::erase_if(session_.saved_betas, [&](const MadxSavedBeta& saved) {
    if (saved.sequence != sequence) return false;
    const std::string place = saved.place == "#s"   ? sequence + "$start"
                              : saved.place == "#e" ? sequence + "$end"
                                                    : saved.place;
    const std::string table = "beta0 " + saved.label;
    model_.tables.insert_or_assign(table, tables);
    MadxAttributes& values = model_.commands[saved.label];
    values.clear();
    for (const std::string& name : MadxType::words(madx_twiss_start)) {
      MadxStep step{.kind = MadxStep::Kind::table};
      step.words = {table, place, name};
      step.at = saved.at;
      values.insert_or_assign(
          name, MadxAttribute{.values = {MadxExpression::of({step})}, .at = saved.at});
    }
    return true;
  });
}

/// Keeps the definitions, of which the tables are computed where they are used; there what they
/// lack is refused, too.
inline void MadxReader::twiss(const LatticeToken& at) {
  MadxTwiss twiss{.at = at};
  const MadxAttributes given = twiss_attributes(twiss);
  if (const std::string table = text_of(given, "table"); !table.empty()) twiss.table = table;
  session_.statements += 100 + long(model_.elements.size()) / 10;  // the copy takes as long
  MadxModel model = model_;
  model.macros.clear();
  if (model.has_deferred_tables)
    for (const auto& [name, tables] : model.tables) tables->prepare();
  else
    std::erase_if(model.tables,
                  [](const auto& table) { return !table.first.starts_with("beta0 "); });
  choose_for_twiss(twiss, given, model);
  start_twiss(twiss, given);
  const std::string table = twiss.table, sequence = twiss.sequence;
  const auto tables =
      std::make_shared<const MadxTwissTables>(std::move(model), session_.options, std::move(twiss));
  model_.tables.insert_or_assign(table, tables);
  model_.tables.insert_or_assign("summ", tables);
  save_betas(sequence, tables);
  values_.forget();
}

}  // namespace trackplex::io::detail
