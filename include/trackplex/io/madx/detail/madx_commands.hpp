// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// @file
/// Commands of MAD-X, conditions and loops.

namespace trackplex::io::detail {

/// Commands that are carried out.
inline constexpr std::string_view madx_read_commands =
    " beam beta0 call chdir cycle ealign efcomp endedit endsequence eoption exec exit extract "
    "flatten "
    "install makethin move option quit reflect remove replace resbeam return savebeta select "
    "seqedit sequence stop twiss use ";
/// Commands without an effect on sequences, which are passed over: they compute and print.
inline constexpr std::string_view madx_passive_commands =
    " aperture assign coguess coption copyfile create delete deselect distribution "
    "dumpsequ dynap emit endtrack eprint esave etable fill fill_knob getdisp getkick getorbit help "
    "ibs observe plot print printf ptc_align ptc_create_layout ptc_create_universe "
    "ptc_end "
    "ptc_moments ptc_normal ptc_observe ptc_select ptc_setswitch ptc_start ptc_track ptc_track_end "
    "ptc_trackline ptc_twiss putdisp putkick putorbit readmytable readtable removefile renamefile "
    "resplot run save save_state set setplot show shrink sodd start survey sxfwrite system title "
    "touschek track "
    "usekick usemonitor value write ";
/// Commands that change a machine by what MAD-X computes.
inline constexpr std::string_view madx_refused_commands =
    " add2expr constraint correct couple endmatch fix global gweight jacobian level lmdif match "
    "migrad "
    "readcorr rmatrix seterr setcorr setvars setvars_const setvars_knob setvars_lin siman simplex "
    "sixtrack sxfread taper threader tmatrix use_macro vary weight ";

inline bool MadxReader::is_command(std::string_view name) {
  return MadxType::is_in(madx_read_commands, name) ||
         MadxType::is_in(madx_passive_commands, name) ||
         MadxType::is_in(madx_refused_commands, name);
}

inline void MadxReader::command(const std::string& name, const LatticeToken& at) {
  if (name == "return") {
    is_returned_ = true;
    return;
  }
  if (name == "stop" || name == "exit" || name == "quit") {
    session_.is_finished = true;
    return;
  }
  const bool is_refused = MadxType::is_in(madx_refused_commands, name);
  if (is_refused && session_.options.skip_unknown)
    remark("'" + name + "' is left out: what it does to the machine is not computed", at);
  else if (name == "match")
    refuse_madx(at, "'match' is not supported in files",
                "strengths are searched for outside of them",
                "give beamline --vary and --target, or call beam::match_optics");
  else if (is_refused)
    refuse_madx(at, "'" + name + "' is not supported",
                "what it does to the machine is not computed here",
                "write the values that it finds, or leave it out (beamline --skip-unknown does)");
  if (name == "exec") return exec(at);
  if (is_refused || MadxType::is_in(madx_passive_commands, name)) {
    while (current().kind != Kind::end && !(blocks_ > 0 && current().is('}'))) ++at_;
    ++session_.ignored[name];
    return;
  }
  if (!is_command(name)) refuse_command(at);
  if (name == "twiss") return twiss(at);
  const MadxAttributes given = attributes(name == "move" ? " by to " : "");
  if (name == "call") return call(at, given);
  if (name == "chdir") return chdir(at, given);
  if (name == "use") return use(at, given);
  if (name == "beam") return beam(given, at);
  if (name == "resbeam")
    return void(model_.beams.insert_or_assign(text_of(given, "sequence"), MadxBeamState{}));
  if (name == "savebeta") return savebeta(at, given);
  if (name == "select") return select(at, given);
  if (name == "ealign") return ealign(at, given);
  if (name == "efcomp") return efcomp(at, given);
  if (name == "option") return option(given);
  if (name == "eoption") return eoption(given);
  if (name == "extract") return extract(at, given);
  if (name == "makethin") return makethin(at, given);
  if (name == "seqedit" || !session_.edited.empty()) return edit(name, at, given);
  refuse_command(at);
}

inline void MadxReader::option(const MadxAttributes& given) {
  if (given.contains("rbarc")) model_.chord = is_on(given, "rbarc");
  if (given.contains("update_from_parent"))
    session_.updates_children = is_on(given, "update_from_parent");
  values_.forget();
}

/// Takes the values where the statement stands.
inline void MadxReader::beam(const MadxAttributes& given, const LatticeToken& at) {
  MadxNumbers numbers;
  std::string particle;
  MadxBeamState state;
  MadxPlace place = at;
  for (const auto& [name, value] : given) {
    if (name == "particle") {
      particle = lower_case(value.text);
    } else if (name != "sequence") {
      if (!state.value(name)) refuse_madx(value.at, "'" + name + "' is no attribute of BEAM");
      numbers[name] = values_(value.first());
      if (MadxBeamState::is_momentum(name)) place = value.at;
    }
  }
  const std::string sequence = text_of(given, "sequence");
  if (const auto known = model_.beams.find(sequence); known != model_.beams.end())
    state = known->second;
  state.update(particle, numbers, place);
  model_.beams.insert_or_assign(sequence, std::move(state));
  values_.forget();
}

/// Executes a macro: its arguments are replaced in its text, wherever they are.
inline void MadxReader::exec(const LatticeToken& at) {
  if (current().is(',')) ++at_;
  const LatticeToken& name = take_name("the name of a macro");
  const auto macro = model_.macros.find(name.text);
  if (macro == model_.macros.end())
    refuse_madx(name, "there is no macro '" + name.text + "'", {}, "define it before");
  std::string text = macro->second.text;
  std::size_t n = 0;
  for (const std::string& value : exec_arguments()) {
    if (n == macro->second.arguments.size() || value.empty()) break;
    replace_all(text, macro->second.arguments[n++], value);
    if (text.size() > max_macro)
      refuse_madx(at, "the text of the macro '" + name.text + "' is too long");
  }
  run(at, text, *file_ + ": macro '" + name.text + "'", folder_);
}

/// Values of arguments as they are written, each one word; that of $name is the number of the
/// variable.
inline std::vector<std::string> MadxReader::exec_arguments() {
  std::vector<std::string> values;
  if (!current().is('(')) return values;
  do {
    const std::size_t first = ++at_, begin = begins_[first];
    for (; !current().is(',') && !current().is(')'); ++at_) {
      if (current().kind == Kind::end) refuse_madx(current(), "')' is missing after arguments");
      if (at_ > first)
        refuse_madx(tokens_[first], "an argument is one word",
                    "MAD-X takes '" + tokens_[first].text + "' alone, and '" + current().text +
                        "' for the next one",
                    "give the value a name");
    }
    std::string value = lower_case(text_.substr(begin, begins_[at_] - begin));
    value.erase(value.find_last_not_of(" \t\r\n") + 1);
    if (value.starts_with('$')) value = std::to_string(long(values_.variable(value.substr(1))));
    values.push_back(std::move(value));
  } while (current().is(','));
  ++at_;
  return values;
}

inline void MadxReader::replace_all(std::string& in, const std::string& what,
                                    const std::string& by) {
  for (std::size_t at = 0; (at = lower_case(in).find(what, at)) != in.npos; at += by.size())
    in.replace(at, what.size(), by);
}

/// Reads other statements in the place of this one.
inline void MadxReader::run(const LatticeToken& at, std::string_view text, const std::string& name,
                            const std::filesystem::path& folder) {
  if (session_.depth == 50)
    refuse_madx(at, "files or macros call each other too deeply", {}, "none may call itself");
  ++session_.depth;
  MadxReader(session_, text, name, folder).read();
  --session_.depth;
  values_.forget();
}

inline void MadxReader::refuse_command(const LatticeToken& at) const {
  if (const std::string type = lower_case(at.text); madx_type(type))
    refuse_madx(at, "'" + at.text + "' is a type of element, and no element",
                "MAD-X skips statements that begin with a type",
                "write name: " + type + ", ...; or for its default " + type + "->l = ...;");
  std::vector<std::string> names = MadxType::words(madx_read_commands);
  for (const auto& [name, element] : model_.elements) names.push_back(name);
  for (const auto& [name, sequence] : model_.sequences) names.push_back(name);
  refuse_madx(at, "'" + at.text + "' is no command, and no element that is defined", {},
              closest_name(at.text, names, "definitions stand before their use"));
}

// Conditions and loops

inline bool MadxReader::is_control() {
  const std::string& word = current().text;
  if (word != "if" && word != "while") return false;
  if (blocks_ > MadxExpressionParser::max_depth)
    refuse_madx(current(), "blocks are nested too deeply");
  if (word == "if")
    branches();
  else
    loop();
  return true;
}

inline void MadxReader::branches() {
  bool is_done = false;
  do {
    const LatticeToken& word = tokens_[at_++];
    bool is_true = !is_done;
    if (word.text != "else") {
      if (is_done) {
        skip_parentheses();
      } else {
        expect("(", "after " + word.text);
        is_true = condition();
        expect(")", "after the condition");
      }
    }
    is_done = is_done || is_true;
    if (is_true)
      block(word);
    else
      skip_block(word);
    if (current().kind == Kind::end && (next().text == "elseif" || next().text == "else")) ++at_;
  } while (!is_returned_ && !session_.is_finished &&
           (current().text == "elseif" || current().text == "else"));
}

inline void MadxReader::loop() {
  const LatticeToken& word = tokens_[at_];
  const std::size_t begin = at_;
  for (int n = 0;; ++n) {
    if (n > 100'000) refuse_madx(word, "the loop does not end");
    at_ = begin + 1;
    expect("(", "after while");
    const bool is_true = condition();
    expect(")", "after the condition");
    if (!is_true) return skip_block(word);
    block(word);
    if (is_returned_ || session_.is_finished) return;
  }
}

inline void MadxReader::block(const LatticeToken& of) {
  expect("{", "after " + of.text);
  ++blocks_;
  while (!current().is('}')) {
    if (at_ + 1 == tokens_.size()) refuse_madx(of, "'}' is missing", "after " + of.text);
    statement();
    if (is_returned_ || session_.is_finished) return;
  }
  --blocks_;
  ++at_;
}

inline void MadxReader::skip_parentheses() {
  const LatticeToken& open = current();
  int depth = 0;
  do {
    if (current().kind == Kind::end) refuse_madx(open, "')' is missing");
    depth += current().is('(') ? 1 : current().is(')') ? -1 : 0;
    ++at_;
  } while (depth > 0);
}

/// One comparison, or two with && or ||: MAD-X counts other conditions as false.
inline bool MadxReader::condition() {
  const auto is_logical = [&] { return is_symbol(current(), "&&") || is_symbol(current(), "||"); };
  const bool first = comparison();
  if (!is_logical()) return first;
  const bool is_and = tokens_[at_++].text == "&&";
  const bool second = comparison();
  if (is_logical())
    refuse_madx(current(), "a condition has one && or || at most", "MAD-X counts others as false",
                "put one IF into another");
  return is_and ? first && second : first || second;
}

inline bool MadxReader::comparison() {
  const double a = values_(parse_expression());
  static constexpr std::array<std::string_view, 6> symbols = {"==", "<>", "<=", ">=", "<", ">"};
  for (const std::string_view symbol : symbols) {
    if (!is_symbol(current(), symbol)) continue;
    ++at_;
    const double b = values_(parse_expression());
    return symbol == "=="   ? a == b
           : symbol == "<>" ? a != b
           : symbol == "<=" ? a <= b
           : symbol == ">=" ? a >= b
           : symbol == "<"  ? a < b
                            : a > b;
  }
  refuse_madx(current(), "a comparison is missing before " + shown(current()),
              "MAD-X counts a condition without one as false",
              is_symbol(current(), "=") ? "write ==" : "write for example: x <> 0");
}

// Other files, sequences that are used, errors

inline void MadxReader::call(const LatticeToken& at, const MadxAttributes& given) {
  const auto file = given.find("file");
  if (file == given.end() || file->second.text.empty())
    refuse_madx(at, "CALL has no file", {}, "call, file = \"name\";");
  const std::filesystem::path path = called_file(file->second.text, at);
  run(at, read_file(path), path.string(), path.parent_path());
}

/// Moves the working folder, which is that of the first file here, too.
inline void MadxReader::chdir(const LatticeToken& at, const MadxAttributes& given) {
  const auto folder = given.find("dir");
  if (folder == given.end() || folder->second.text.empty())
    refuse_madx(at, "CHDIR has no folder", {}, "chdir, dir = \"name\";");
  session_.changed /= folder->second.text;
}

/// A file in the folder of the one that calls, or else in the working folder, or that of the first
/// file; after CHDIR first in these.
inline std::filesystem::path MadxReader::called_file(const std::string& name,
                                                     const LatticeToken& at) {
  std::error_code error;
  const auto is_there = [&](const std::filesystem::path& path) {
    return std::filesystem::exists(path, error);
  };
  const std::filesystem::path beside = folder_ / name, working = session_.changed / name;
  const std::filesystem::path first = session_.folder / working;
  if (!session_.changed.empty())
    for (const std::filesystem::path& path : {first, working})
      if (is_there(path)) return path;
  if (is_there(beside)) {
    if (is_there(working) && !std::filesystem::equivalent(beside, working, error))
      remark("'" + name + "' is in the working folder, too: that beside the calling file is read",
             at);
    return beside;
  }
  if (is_there(working)) return working;
  return is_there(first) ? first : beside;
}

inline void MadxReader::use(const LatticeToken& at, const MadxAttributes& given) {
  std::string name = text_of(given, "period");
  if (name.empty()) name = text_of(given, "sequence");
  if (name.empty() && given.size() == 1 && given.begin()->second.text.empty())
    name = given.begin()->first;  // USE, name;
  if (name.empty()) refuse_madx(at, "USE has no sequence", {}, "use, sequence = name;");
  if (!model_.sequence(name) && !model_.line(name))
    refuse_madx(at, "there is no sequence or line '" + name + "'", {},
                closest_name(name, model_.order));
  model_.used = name;
  model_.in_use.reset();
  const auto is_of_makethin = [&](const std::string& remark) {
    return remark.starts_with("'" + name + "' stays thick");
  };
  std::erase_if(session_.remarks, is_of_makethin);
  std::erase_if(session_.known_remarks, is_of_makethin);
  session_.is_active = true;
  model_.range = text_of(given, "range");
  model_.range_at = at;
  model_.errors.erase(name);
  values_.forget();
  keep_places_of_use();
}

/// As in MAD-X, lengths and places that change later count from the next USE on.
inline void MadxReader::keep_places_of_use() {
  model_.places.clear();
  try {
    for (const MadxPlaced& placed : flattener().flatten(model_.used))
      model_.places.push_back({placed.name, placed.entry, placed.length});
  } catch (const InputError&) {  // what is wrong is said where the sequence is expanded
    model_.places.clear();
  }
}

}  // namespace trackplex::io::detail
