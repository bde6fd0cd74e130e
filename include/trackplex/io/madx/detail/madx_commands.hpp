// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Commands of MAD-X, conditions and loops.

namespace trackplex::io::detail {

/// Commands without an effect on sequences, which are passed over: they compute and print.
inline constexpr std::string_view madx_passive_commands =
    " title value print printf show help assign system chdir coption twiss survey plot setplot "
    "resplot save savebeta write create fill fill_knob setvars setvars_lin setvars_knob delete "
    "readtable dumpsequ coguess ibs aperture touschek emit sodd dynap track start observe run "
    "endtrack resbeam set esave eprint ptc_create_universe ptc_create_layout ptc_setswitch "
    "ptc_twiss "
    "ptc_normal ptc_end ptc_observe ptc_start ptc_track ptc_trackline ptc_track_end ptc_align "
    "correct usemonitor usekick putorbit getorbit getkick getdisp readmytable shrink renamefile "
    "copyfile removefile ";
/// Commands that change a machine in a way that is not implemented.
inline constexpr std::string_view madx_refused_commands =
    " match endmatch vary constraint global weight lmdif jacobian simplex migrad use_macro "
    "makethin "
    "sixtrack seterr sxfread readcorr ";

inline void MadxReader::command(const std::string& name, const LatticeToken& at) {
  if (name == "return") {
    is_returned_ = true;
    return;
  }
  if (name == "stop" || name == "exit" || name == "quit") {
    session_.is_finished = true;
    return;
  }
  if (MadxType::is_in(madx_refused_commands, name))
    refuse_madx(at, "'" + name + "' is not supported",
                "what it does to the machine is not computed here",
                "write the values that it finds");
  if (name == "exec")
    refuse_madx(at, "macros are not supported", {}, "write the statements of the macro");
  if (MadxType::is_in(madx_passive_commands, name)) {
    while (current().kind != Kind::end && !(blocks_ > 0 && current().is('}'))) ++at_;
    ++session_.ignored[name];
    return;
  }
  MadxAttributes given = attributes();
  if (name == "call") return call(at, given);
  if (name == "use") return use(at, given);
  if (name == "beam") return update_beam(std::move(given));
  if (name == "select") return select(given);
  if (name == "ealign") return errors(at, std::move(given), true);
  if (name == "efcomp") return errors(at, std::move(given), false);
  if (name == "option") {
    if (const auto chord = given.find("rbarc"); chord != given.end())
      model_.chord = values_(chord->second.first()) != 0.;
    return;
  }
  if (name == "eoption") return;
  if (name == "seqedit" || !session_.edited.empty()) return edit(name, at, given);
  refuse_command(at);
}

inline void MadxReader::refuse_command(const LatticeToken& at) const {
  std::vector<std::string_view> names = {"beam",   "use",    "call",   "select", "ealign",
                                         "return", "option", "efcomp", "stop",   "endsequence"};
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
        expect("(", "behind " + word.text);
        is_true = condition();
        expect(")", "behind the condition");
      }
    }
    is_done = is_done || is_true;
    if (is_true)
      block(word);
    else
      skip_block(word);
  } while (!is_returned_ && !session_.is_finished &&
           (current().text == "elseif" || current().text == "else"));
}

inline void MadxReader::loop() {
  const LatticeToken& word = tokens_[at_];
  const std::size_t begin = at_;
  for (int n = 0;; ++n) {
    if (n > 100'000) refuse_madx(word, "the loop does not end");
    at_ = begin + 1;
    expect("(", "behind while");
    const bool is_true = condition();
    expect(")", "behind the condition");
    if (!is_true) return skip_block(word);
    block(word);
    if (is_returned_ || session_.is_finished) return;
  }
}

inline void MadxReader::block(const LatticeToken& of) {
  expect("{", "behind " + of.text);
  ++blocks_;
  while (!current().is('}')) {
    if (at_ + 1 == tokens_.size()) refuse_madx(of, "'}' is missing", "behind " + of.text);
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

inline bool MadxReader::condition() {
  bool any = false;
  bool all = comparison();
  while (is_symbol(current(), "&&") || is_symbol(current(), "||")) {
    const bool is_and = tokens_[at_++].text == "&&";
    const bool other = comparison();
    if (!is_and) any = any || all;
    all = is_and ? all && other : other;
  }
  return any || all;
}

inline bool MadxReader::comparison() {
  const double a = values_(MadxExpressionParser(tokens_, at_).parse());
  static constexpr std::array<std::string_view, 7> symbols = {
      "==", "<>", "<=", ">=", "<", ">", "="};
  for (const std::string_view symbol : symbols) {
    if (!is_symbol(current(), symbol)) continue;
    ++at_;
    const double b = values_(MadxExpressionParser(tokens_, at_).parse());
    return symbol == "==" || symbol == "=" ? a == b
           : symbol == "<>"                ? a != b
           : symbol == "<="                ? a <= b
           : symbol == ">="                ? a >= b
           : symbol == "<"                 ? a < b
                                           : a > b;
  }
  return a != 0.;
}

// Other files, sequences that are used, errors

inline void MadxReader::call(const LatticeToken& at, const MadxAttributes& given) {
  const auto file = given.find("file");
  if (file == given.end() || file->second.text.empty())
    refuse_madx(at, "CALL has no file", {}, "call, file = \"name\";");
  if (session_.depth == 50)
    refuse_madx(at, "files call each other too deeply", {}, "no file may call itself");
  const auto path = std::filesystem::path(*file_).parent_path() / file->second.text;
  ++session_.depth;
  const std::string text = read_file(path);
  MadxReader(session_, text, path.string()).read();
  --session_.depth;
  values_.forget();
}

inline void MadxReader::use(const LatticeToken& at, const MadxAttributes& given) {
  for (const auto& [attribute, value] : given) {
    std::string name = lower_case(value.text);
    if (attribute != "sequence" && attribute != "period") {
      if (given.size() > 1 || !value.text.empty()) continue;  // RANGE has no effect on particles
      name = attribute;                                       // USE, name;
    }
    if (!model_.sequence(name) && !model_.line(name)) {
      refuse_madx(value.at, "there is no sequence or line '" + name + "'", {},
                  closest_name(name, model_.order));
    }
    model_.used = name;
    std::erase_if(model_.errors, [&](const MadxErrors& e) { return e.sequence == name; });
    values_.forget();
    return;
  }
  refuse_madx(at, "USE has no sequence", {}, "use, sequence = name;");
}

inline void MadxReader::select(const MadxAttributes& given) {
  const auto text = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? std::string() : lower_case(found->second.text);
  };
  if (text("flag") != "error") {
    ++session_.ignored["select"];
    return;
  }
  const auto is_on = [&](const char* name) {
    const auto found = given.find(name);
    return found != given.end() && values_(found->second.first()) != 0.;
  };
  if (is_on("clear")) session_.selections.clear();
  MadxSelection selection{text("pattern"), text("class"), text("range"), {}};
  const bool is_given =
      !selection.pattern.empty() || !selection.of_class.empty() || !selection.begin.empty();
  if (!is_given && !is_on("full")) return;
  if (const auto slash = selection.begin.find('/'); slash != std::string::npos) {
    selection.end = selection.begin.substr(slash + 1);
    selection.begin.resize(slash);
  } else {
    selection.end = selection.begin;
  }
  session_.selections.push_back(std::move(selection));
}

inline void MadxReader::errors(const LatticeToken& at, MadxAttributes given, bool is_alignment) {
  if (model_.used.empty())
    refuse_madx(at, "errors are those of the sequence in use", {},
                "write before: use, sequence=...;");
  for (const auto& [name, value] : given) {
    const std::string_view known =
        is_alignment ? " dx dy ds dphi dtheta dpsi mrex mrey mredx mredy arex arey mscalx mscaly "
                     : " dkn dks ";
    if (!MadxType::is_in(known, name))
      refuse_madx(value.at, "'" + name + "' of " + at.text + " is not supported", {},
                  is_alignment ? "" : "give absolute errors, dkn and dks");
    for (const char* angle : {"dphi", "dtheta"})
      if (name == angle && values_(value.first()) != 0.)
        refuse_madx(value.at, "rotations around x and y are not supported", {},
                    "dx, dy, ds and dpsi are");
  }
  model_.errors.push_back({model_.used, session_.selections, std::move(given), is_alignment});
}

inline void MadxReader::edit(const std::string& name, const LatticeToken& at,
                             const MadxAttributes& given) {
  const auto text = [&](const char* attribute) {
    const auto found = given.find(attribute);
    return found == given.end() ? std::string() : lower_case(found->second.text);
  };
  if (name == "seqedit") {
    session_.edited = text("sequence");
    if (!model_.sequence(session_.edited))
      refuse_madx(at, "there is no sequence '" + session_.edited + "' to edit");
  } else if (name == "endedit") {
    session_.edited.clear();
  } else if (name == "cycle") {
    model_.sequences[session_.edited].start = text("start");
  } else if (name != "flatten") {  // sequences are flat where they are expanded
    refuse_madx(at, "'" + name + "' is not supported in SEQEDIT", {},
                "FLATTEN and CYCLE are; change the sequence itself");
  }
}

}  // namespace trackplex::io::detail
