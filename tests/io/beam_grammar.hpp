// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Random statements of the languages of beam lines: MAD-X, elegant's lattices and runs with RPN,
/// SDDS and PALS.

namespace trackplex::test {

/// Texts of a grammar. A rule is a letter, and its texts refer to rules as `$` and their letter.
class BeamGrammar {
 public:
  explicit BeamGrammar(unsigned seed) : random_(seed) {}

  unsigned below(std::size_t n) { return unsigned(random_() % n); }

  /// A text of a rule; the deepest ones take its first text.
  std::string text(char rule, int depth = 0) {
    const auto& texts = rules().at(rule);
    const std::string_view chosen = texts[depth > 6 ? 0 : below(texts.size())];
    std::string result;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i] != '$' || chosen[++i] == '$')
        result += chosen[i];
      else
        result += text(chosen[i], depth + 1);
    return result;
  }

  /// A text with a statement more, less, twice, elsewhere or of the grammar.
  std::string changed(std::string_view of) {
    std::vector<std::string> all = statements(of);
    const char language = of.starts_with("SDDS")                           ? 'S'
                          : of.find("facility:") != std::string_view::npos ? 'P'
                                                                           : "MLR"[below(3)];
    for (unsigned n = 1 + below(3); n > 0; --n) {
      const std::size_t at = below(all.size() + 1);
      const std::size_t old = all.empty() ? 0 : below(all.size());
      switch (all.empty() ? 0 : below(6)) {
        case 1:
          all[old] = text(language) + "\n";
          break;
        case 2:
          all.erase(all.begin() + long(old));
          break;
        case 3:
          all.insert(all.begin() + long(at), std::string(all[old]));
          break;
        case 4:
          std::swap(all[old], all[below(all.size())]);
          break;
        default:
          all.insert(all.begin() + long(at), text(language) + "\n");
      }
    }
    std::string result;
    for (const std::string& statement : all) result += statement;
    return result;
  }

 private:
  using Rules = std::map<char, std::vector<std::string_view>>;

  static std::vector<std::string> statements(std::string_view of) {
    std::vector<std::string> all(1);
    for (const char c : of) {
      all.back() += c;
      if (c == ';' || c == '\n') all.emplace_back();
    }
    if (all.back().empty()) all.pop_back();
    return all;
  }

  static const Rules& rules();

  std::minstd_rand random_;
};

// N: name, X: number, E: expression, T: type, A: attribute, B: attributes, P: place, I: pattern,
// M: statement of MAD-X; Q: RPN, V: value, K: keyword, Y: parameters, W: members of a line, L:
// statement of a lattice; R: of a run; S: line of SDDS; P: lines of PALS, Z: group of parameters
inline const BeamGrammar::Rules& BeamGrammar::rules() {
  static const Rules all = {
      {'N',
       {"q1", "q2", "b1", "d1", "m1", "k1", "s1", "s2", "Q1", "\"q1\"", "l1", "v1", "v2", "errs",
        "b0"}},
      {'X', {"1", "0", "0.5", "-1", "1e-3", "2.5d-1", "1D2", "1e400", ".5", "7", "4."}},
      {'E',
       {"$X",
        "$X",
        "$N",
        "$N",
        "$N->l",
        "$N->k1",
        "beam->pc",
        "beam%$N->gamma",
        "$N->knl[1]",
        "-$E",
        "$E+$E",
        "$E*$E",
        "$E/$E",
        "$E-$E",
        "$E^$E",
        "($E)",
        "2^-1",
        "sin($E)",
        "atan2($E,$E)",
        "exist($N)",
        "table(twiss,$N,betx)",
        "table(summ,q1)",
        "ranf()",
        "pi",
        "twopi",
        "gauss()",
        "sqrt($E)",
        "(($E))"}},
      {'T', {"quadrupole", "sbend",       "rbend",      "drift",      "marker",    "multipole",
             "sextupole",  "octupole",    "kicker",     "hkicker",    "solenoid",  "rfcavity",
             "dipedge",    "matrix",      "xrotation",  "yrotation",  "srotation", "translation",
             "monitor",    "rcollimator", "collimator", "crabcavity", "changeref", "beambeam",
             "wire",       "tkicker",     "$N",         "$N"}},
      {'O', {"=", ":="}},
      {'A',
       {"l$O$E",
        "k1$O$E",
        "k1s$O$E",
        "k2=$E",
        "k0=$E",
        "knl$O{$E,$E}",
        "ksl={0,$E,$E}",
        "angle$O$E",
        "tilt=$E",
        "e1=$E",
        "e2=$E",
        "hgap=$E",
        "fint=$E",
        "at=$E",
        "at$O$E",
        "from=$N",
        "from=previous",
        "apertype=circle",
        "apertype=octagon",
        "apertype=racetrack",
        "aperture={$E,$E}",
        "aperture={$E,$E,$E,$E}",
        "aper_tilt=$E",
        "aper_vx={$E,$E,$E}",
        "aper_vy={$E,$E,$E}",
        "dx=$E",
        "dpsi=$E",
        "kick=$E",
        "hkick=$E",
        "volt=$E",
        "freq=$E",
        "lag=$E",
        "harmon=$E",
        "bv=-1",
        "kill_ent_fringe",
        "thick",
        "slice=$E",
        "refpos=$N",
        "refer=entry",
        "refer=exit",
        "kick1=$E",
        "rm11=$E",
        "rm56=$E",
        "h=$E",
        "entrance=$X",
        "lrad=$E",
        "-thick",
        "knl[1]=$E"}},
      {'B', {"", ", $A", ", $A, $A", ", $A$B", ",$A,,$A"}},
      {'P', {"$N", "$N[2]", "#s", "#e", "#s/#e", "$N/$N", "$N[1]/$N[2]", "$N/#e", "#s/$N[3]"}},
      {'I',
       {"\"^q.*\"", "\"q1\"", "\"[qb]\\\\.*\"", "\"q[0-9]\"", "\"*\"", "\"(\"", "\".\"", "\"[\"",
        "\"q\\\\1$$\""}},
      {'M',
       {"$N: $T$B;",
        "$N: $T$B;",
        "$N$B;",
        "$N->$A;",
        "$N->$A;",
        "$N $O $E;",
        "$N := $E;",
        "const $N = $E;",
        "real $N = $E;",
        "shared $N: $T$B;",
        "$N: sequence, l=$E, refer=entry; $N, at=$E; $N: $N, at=$E; $N, at=$E, from=$N; "
        "endsequence;",
        "$N: sequence, l=10$B; $N: $T, at=1$B; q1, at=2; s2, at=5$B; endsequence;",
        "$N: line=($N, 2*$N, -$N, 2*($N, $N));",
        "$N($N,$N): line=($N, $N);",
        "$N: line=($N($N,$N), -$N);",
        "use, sequence=$N;",
        "use, period=$N, range=$P;",
        "use, sequence=$N, range=$P;",
        "beam, particle=proton, pc=$E;",
        "beam, energy=$E;",
        "beam, sequence=$N, particle=electron, gamma=$E, bv=-1;",
        "resbeam, sequence=$N;",
        "beta0, betx=$E;",
        "$N: beta0, betx=$E, bety:=$E;",
        "$N->betx=$E;",
        "savebeta, label=$N, place=$P;",
        "twiss, beta0=$N;",
        "twiss, sequence=$N;",
        "twiss, betx=$E, bety=$E;",
        "twiss;",
        "select, flag=error, pattern=$I;",
        "select, flag=error, class=$T, range=$P;",
        "select, flag=error, clear;",
        "select, flag=seqedit, class=$T;",
        "select, flag=makethin, class=$T, slice=$E;",
        "ealign$B;",
        "ealign, dx=$E, dpsi=$E;",
        "efcomp, order=$X, dkn={$E,$E}, dks={$E};",
        "efcomp, order=1, radius=$E, dknr={$E};",
        "eoption, add=true;",
        "eoption, add=false, seed=$X;",
        "seqedit, sequence=$N;",
        "install, element=$N, class=$T, at=$E, from=$N;",
        "install, element=$N, at=$E;",
        "move, element=$N, to=$E;",
        "move, element=$N, by=$E;",
        "move, element=selected, by=$E;",
        "remove, element=$N;",
        "remove, element=selected;",
        "replace, element=$N, by=$N;",
        "cycle, start=$N;",
        "reflect;",
        "flatten;",
        "endedit;",
        "extract, sequence=$N, from=$P, to=$P, newname=$N;",
        "makethin, sequence=$N, style=teapot, makedipedge=true;",
        "makethin, sequence=$N;",
        "$N($N): macro={ $M };",
        "$N(k1,k2): macro={ $N = k1; $M $M }",
        "exec, $N($E,$E);",
        "exec, $N($$$N);",
        "exec, $N;",
        "if ($E > $E) { $M } else { $M }",
        "if ($E == 1 && $E < 2) { $M } elseif ($E) { $M }",
        "v1 = 0; while (v1 < 3) { v1 = v1 + 1; $M }",
        "call, file=\"none\";",
        "option, update_from_parent=true;",
        "option, rbarc=false;",
        "value, $E;",
        "return;",
        "/* $M */",
        "// $M",
        "! $M",
        "title, \"$N\";",
        "match, sequence=$N;",
        "vary, name=$N;",
        "$N, at=1;",
        "endsequence;",
        "survey;",
        "stop;",
        "create, table=t, column=a;"}},
      {'Q',
       {"$X",
        "$X",
        "$N",
        "$N",
        "$Q $Q +",
        "$Q $Q *",
        "$Q $Q /",
        "$Q $Q -",
        "$Q $Q pow",
        "$Q sto $N",
        "$Q sto $N pop",
        "$Q sin",
        "$Q sqrt",
        "$Q log",
        "$Q ln",
        "$Q $Q atan2",
        "$Q $Q > ? $Q : $Q $$",
        "$Q $Q = ? $Q : $Q $$ sto $N",
        "$Q acosh",
        "$Q chs",
        "$Q =",
        "$Q $Q swap",
        "$Q dup *",
        "pi",
        "$Q int",
        "pop",
        "+",
        "$Q $Q max",
        "$Q rec",
        "cle",
        "\"$Q\"",
        "$Q abs",
        "? :",
        "$Q exp",
        "1 2 atan2"}},
      {'V', {"$X", "$N", "\"$Q\"", "\"$Q\"", "\"%s.w1\"", "none", "\"$N=x+y\""}},
      {'K', {"DRIF",     "QUAD",   "SBEN",   "RBEN",    "KQUAD",   "CSBEND",  "KSEXT",    "SEXT",
             "MARK",     "RFCA",   "HKICK",  "WATCH",   "RCOL",    "CHARGE",  "MALIGN",   "EMATRIX",
             "MATR",     "SOLE",   "MULT",   "TWISS",   "RECIRC",  "SCRAPER", "ILMATRIX", "WIGGLER",
             "MBUMPER",  "BUMPER", "RAMPP",  "FRFMODE", "TRFMODE", "RFMODE",  "SCRIPT",   "ALPH",
             "CWIGGLER", "MAXAMP", "ENERGY", "$N",      "qua",     "CSB",     "LSCDRIFT"}},
      {'Z', {"L",          "K1",       "K2",       "ANGLE",  "E1",    "TILT",   "DX",       "ORDER",
             "N_KICKS",    "BORE",     "B",        "VOLT",   "FREQ",  "PHASE",  "R11",      "T566",
             "EDGE_ORDER", "FILENAME", "WAVEFORM", "RADIUS", "K",     "POLES",  "STRENGTH", "X_MAX",
             "Q",          "RA",       "BIN_SIZE", "N_BINS", "TOTAL", "COMMAND"}},
      {'Y', {"", ", $Z=$V", ", $Z=$V, $Z=$V", ", $Z=$V, &\n  $Z=$V", ",$Z=$V$Y"}},
      {'W', {"$N", "$N", "-$N", "2*$N", "3*($W)", "$W,$W", "$W, &\n $W", "-($W)", "0*$N"}},
      {'L',
       {"$N: $K$Y",
        "$N: $K$Y",
        "$N: $K$Y",
        "\"Q 1\": $K$Y",
        "$N: LINE=($W)",
        "$N: LINE=($W)",
        "% $Q",
        "% $Q sto $N",
        "% $Q &\n  $Q sto $N",
        "% $Q sto v1 $Q sto v2 pop",
        "! $N",
        "#INCLUDE: none",
        "USE, $N",
        "RETURN",
        "$N = $E",
        "$N: $K &\n$Y",
        "\"$N\": $K$Y",
        "% {$Q} sto $N",
        "$N, L=1",
        "$N: $N"}},
      {'J',
       {"p_central=$X", "p_central=\"$Q\"", "lattice=none.lte", "use_beamline=$N",
        "default_order=$X", "name=$N, item=$Z, value=$X", "name=\"*\", item=L, value=\"$Q\"",
        "n_passes=$X", "expression=\"$Q\"", "sigma_dp=$X", "emit_x=\"$Q\"", "beta_x=$X, ",
        "name=$N, type=$K, new_type=$K", "filename=none, ", "$Z=$V", "magnets=%s.mag"}},
      {'R',
       {"&run_setup $J, $J, lattice=none.lte &end", "&run_control $J &end",
        "&bunched_beam $J, $J &end", "&track &end", "&alter_elements $J, $J &end",
        "&twiss_output &end", "&load_parameters $J &end", "&transmute_elements $J &end",
        "&rpn_expression $J &end", "% $Q sto $N", "% $Q", "&vary_element $J &end",
        "&sdds_beam input=none &end", "&error_element $J &end", "&$N $J &end", "! $N",
        "&run_setup\n $J\n $J\n&end"}},
      {'S',
       {"&column name=$N, type=double &end",
        "&column name=W, units=V, type=$U, &end",
        "&parameter name=$N, type=$U, fixed_value=$X &end",
        "&parameter name=$N, type=$U &end",
        "&array name=$N, type=$U, dimensions=$X &end",
        "&include filename=none &end",
        "&data mode=ascii &end",
        "&data mode=ascii, no_row_counts=1 &end",
        "&data mode=binary &end",
        "&data mode=binary, column_major_order=1 &end",
        "&data mode=ascii, lines_per_row=$X, additional_header_lines=$X &end",
        "&description text=\"$N\" &end",
        "&associate filename=\"$N\" &end",
        "$X",
        "$X $X",
        "$X $X $X",
        "! $N",
        "SDDS$X",
        "!# little-endian",
        "!# big-endian",
        "\"$N $X\""}},
      {'P',
       {"    - $N:\n        kind: Drift\n        length: $E",
        "    - $N:\n        kind: Quadrupole\n        length: $E\n$Z",
        "    - $N:\n        inherit: $N\n$Z",
        "    - $N:\n        kind: SBend\n        length: $X\n$Z",
        "    - $N:\n        kind: RFCavity\n$Z",
        "    - $N:\n        kind: BeamLine\n        line:\n          - $N\n          - $N",
        "    - $N:\n        kind: BeamLine\n        line: [$N, $N, {$N: {repeat: $X}}]",
        "          - $N:\n              repeat: $X", "          - $N:\n              direction: -1",
        "    - set: {parameter: $N>length, value: $E}", "    - include: none.pals.yaml",
        "    - $N:\n        kind: Lattice\n        branches: [$N]", "    - use: $N",
        "          - $N", "$Z"}},
      {'Z',
       {"        MagneticMultipoleP: {Bn1: $E}",
        "        MagneticMultipoleP:\n          Kn$X: $E\n          tilt1: $E",
        "        BendP: {g_ref: $E, e1: $E}", "        BendP:\n          angle_ref: $X",
        "        RFP: {voltage: $E, frequency: $E, phase: $X}",
        "        ReferenceP: {species_ref: proton, pc_ref: $X}",
        "        ApertureP: {x_limits: [$X, $X]}", "        BodyShiftP: {x_offset: $X}"}},
      {'U',
       {"double", "float", "long", "ulong64", "short", "string", "character", "longdouble", "$N"}},
  };
  return all;
}

}  // namespace trackplex::test
