// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/detail/elegant_patterns.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/elegant/elegant_run.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::io;

namespace {

const std::string setup =
    "&run_setup lattice=ring.lte, use_beamline=\"cell\", p_central=200 &end\n";

ElegantRun run(const std::string& text, const ElegantRunOptions& options = {}) {
  CAPTURE(text);
  return parse_elegant_run(text, "runs/a.ele", options);
}

void refuse_run(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused([&] { run(text); }, message);
}

simulation::BunchParams bunch(const std::string& items) {
  return *run(setup + "&bunched_beam " + items + " &end &track &end").bunch;
}

/// The strengths of the quadrupoles of a line of two with changes.
std::vector<double> strengths(std::vector<ElegantChange> changes, const std::string& more = {}) {
  const auto file = parse_elegant_lattice("QF: QUAD, L=0.5, K1=2\nQD: QUAD, L=0.5, K1=-1\n" + more +
                                              "D: DRIF, L=1\nA: LINE=(QF, QD, D)",
                                          "a.lte", {.changes = std::move(changes)});
  std::vector<double> found;
  for (const auto& element : file.expand())
    if (const auto* quadrupole = element.kind.as<beam::Quadrupole>())
      found.push_back(quadrupole->k1);
  return found;
}

}  // namespace

TEST_CASE("a run says which line, momentum, turns and bunch", "[io]") {
  const auto r = run(
      "! a run\n% 2 sto two\n&RUN_SETUP\n  lattice = \"ring.lte\", ! here\n  use_beamline = Ring,\n"
      "  p_central_mev = 511, default_order=1, rootname = %s\n&end\n"
      "&run_control n_steps=1, n_passes = \"(two 5 *)\" &end\n"
      "&bunched_beam n_particles_per_bunch = 100,\n emit_nx = 1e-6, beta_x = \"two\", alpha_x = "
      "-1,\n"
      " emit_y=2e-9 beta_y=3, eta_x = 0.5, etap_y=0.1, sigma_s=1e-3, sigma_dp=2e-3,\n"
      " distribution_type[0] = 3*\"gaussian\", distribution_cutoff[0] = 3*3,\n"
      " enforce_rms_values[0] = 1,1,1, centroid[0] = 1e-3, 2e-3, centroid[4] = 3e-3, 4e-3 &end\n"
      "&save_lattice filename=%s.new &end\n&track &end\n&run_setup lattice=other.lte &end\n");
  CHECK(r.lattice == "runs/ring.lte");
  CHECK(r.line == "Ring");
  CHECK(r.p0 == Catch::Approx(1000.).epsilon(1e-5));
  CHECK(r.turns == 10);
  CHECK(r.reading.default_order == 1);
  CHECK(r.reading.numbers.at("two") == 2.);
  CHECK(r.left_out == "save_lattice (line 14), run_setup after track (line 16)");
  const auto& b = r.bunch.value();
  CHECK(b.particles == 100);
  CHECK(b.charge == 0.);
  CHECK(b.x.emittance == Catch::Approx(1e-6 / r.p0));
  CHECK((b.x.beta == 2. && b.x.alpha == -1. && b.x.dispersion == 0.5));
  CHECK((b.y.emittance == 2e-9 && b.y.beta == 3. && b.y.dispersion_slope == 0.1));
  CHECK((b.x.position == 1e-3 && b.x.slope == 2e-3 && b.y.position == 0.));
  CHECK((b.mean_s == 3e-3 && b.mean_delta == Catch::Approx(4e-3)));
  CHECK((b.sigma_s == 1e-3 && b.sigma_delta == 2e-3 && b.chirp == 0.));
  CHECK((b.cutoff == 3. && b.exact_moments));
}

TEST_CASE("a run's bunch may be a file, or none", "[io]") {
  const auto r =
      run(setup + "&sdds_beam input=\"in.sdds\", input_type=\"elegant\" &end &track &end");
  CHECK(r.bunch_file == "runs/in.sdds");
  CHECK_FALSE(r.bunch);
  CHECK_FALSE(run(setup).bunch);
  refuse_run(setup + "&sdds_beam input=a, input_type=spiffe &end", "sdds_beam input_type");
}

TEST_CASE("length and momentum spread may be those of an emittance, and correlated", "[io]") {
  const auto plane = bunch("emit_z=1e-6, beta_z=4, alpha_z=-2");
  CHECK(plane.sigma_s == Catch::Approx(2e-3));
  CHECK(plane.sigma_delta == Catch::Approx(0.5e-3));
  CHECK(plane.chirp == Catch::Approx(0.5));  // -alpha/beta
  const auto coupled = bunch("sigma_s=1e-3, sigma_dp=1e-2, dp_s_coupling=0.6");
  CHECK(coupled.sigma_delta == Catch::Approx(0.8e-2));
  CHECK(coupled.chirp == Catch::Approx(6.));
  CHECK(bunch("sigma_s=1, momentum_chirp=-3").chirp == -3.);
  const auto faster = bunch("Po=220, sigma_dp=1e-2, emit_nx=2.2e-6");
  CHECK(faster.mean_delta == Catch::Approx(0.1));
  CHECK(faster.sigma_delta == Catch::Approx(1.1e-2));
  CHECK(faster.x.emittance == Catch::Approx(1e-8));
}

TEST_CASE("a bunch may have the optics of twiss_output", "[io]") {
  const std::string twiss = "&twiss_output matched=0, beta_x=7, alpha_y=2 &end\n",
                    with = "&bunched_beam use_twiss_command_values=1, emit_x=1e-9 &end\n";
  const auto r = run(setup + twiss + with);
  CHECK((r.bunch->x.beta == 7. && r.bunch->y.alpha == 2. && !r.is_matched));
  CHECK(run(setup + "&twiss_output filename=%s.twi &end" + with).is_matched);
}

TEST_CASE("macros have values", "[io]") {
  const std::string text = "&run_setup lattice=<name>.lte, p_central=<p> &end";
  const auto r = run(text, {.macros = {{"name", "b"}, {"p", "1e3"}}});
  CHECK((r.lattice == "runs/b.lte" && r.p0 == 1000.));
  refuse_run(text, "runs/a.ele: line 1: the macro 'name' has no value; give it one (--set)");
  // the other form, of the longest name; comparisons and $ of expressions are none
  const auto other =
      run("% 1 2 < 2 1 > && ? 7 : 3 $ sto q\n"
          "&run_setup lattice=$name.lte, p_central=\"(q $p1 +)\" &end",
          {.macros = {{"name", "b"}, {"p", "1"}, {"p1", "1e3"}}});
  CHECK((other.lattice == "runs/b.lte" && other.p0 == 1007.));
  refuse_run("&run_setup lattice=b.lte, p_central=$p &end", "runs/a.ele: line 1");
}

TEST_CASE("what a run asks for and is not done is refused, or left out", "[io]") {
  const std::string errors = "&error_element name=*, item=DX, amplitude=1e-3 &end\n",
                    orbit = "&track center_on_orbit=1 &end";
  refuse_run(setup + errors,
             "runs/a.ele: line 2: 'error_element' is not followed here, and changes what happens");
  refuse_run(setup + orbit, "line 2: 'track center_on_orbit' is not followed");
  CHECK_NOTHROW(run(setup + "&track center_on_orbit=0 &end"));
  CHECK_NOTHROW(run(setup + "&vary_element disable=1, name=q &end"));
  CHECK(run(setup + errors + orbit, {.skip_unknown = true}).left_out ==
        "error_element (line 2), track center_on_orbit (line 3)");
  refuse_run(setup + "&bunched_beam emit_x=1e-9, distribution_type[0]=\"shell\" &end",
             "distribution_type cannot be 'shell' (only gaussian ones are generated); give the "
             "bunch as a file");
  refuse_run(setup + "&bunched_beam emitx=1 &end", "line 2: 'emitx' is no item of bunched_beam");
  refuse_run(setup + "&bunched_beam n_particles_per_bunch=1.5 &end", "it is no whole number");
  refuse_run(setup + "&bunched_beam n_particles_per_bunch={echo 1} &end", "of the shell");
  refuse_run("&run_setup lattice=a.lte &end", "p_central cannot be '' (it is above 0)");
  refuse_run("&track &end", "there is no run_setup with a lattice");
}

TEST_CASE("commands that are not well formed have a line", "[io]") {
  refuse_run("lattice=a", "runs/a.ele: line 1: 'lattice' is not expected here");
  refuse_run("\n&run_setup lattice=a\n", "line 2: the command 'run_setup' does not end");
  refuse_run("&run_setup lattice \n &end", "line 2: '=' is missing after 'lattice'");
  refuse_run("&run_setup lattice= &end", "line 1: a value is missing");
  refuse_run("&run_setup\n lattice=\"a\n\n", "line 2: a quotation mark is missing at the end");
  refuse_run("&a b[x] = 1 &end", "'x' is no number of a list");
  refuse_run("&a b = 100000*1 &end", "'b' has no values, or too many");
  refuse_run("&run_setup p_central = 2*500 &end", "line 1: 'p_central' has 2 values (it is one)");
}

TEST_CASE("elements are changed by name and type", "[io]") {
  using Kind = ElegantChange::Kind;
  CHECK(strengths({}) == std::vector{2., -1.});
  CHECK(strengths({{.name = "qf", .parameter = "K1", .value = 3.}}) == std::vector{3., -1.});
  CHECK(strengths({{.name = "Q?", .parameter = "k1", .value = 0.5, .kind = Kind::enlarge}}) ==
        std::vector{3., -1.5});
  CHECK(
      strengths({{.name = "*", .parameter = "K1", .value = 1., .kind = Kind::add, .type = "QUA*"},
                 {.name = "*", .parameter = "K1", .value = 4., .type = "QUAD", .except = "*F"}}) ==
      std::vector{3., 4.});
  CHECK(strengths({{.name = "X", .parameter = "K1", .may_match_nothing = true}}).size() == 2);
  CHECK(strengths({{.name = "*", .parameter = "K1", .may_lack_the_parameter = true}}) ==
        std::vector{0., 0.});
  CHECK(strengths({{.name = "Q[D-E]", .parameter = "K1", .value = 3.}}) == std::vector{2., 3.});
  CHECK(strengths({{.name = "^Q[^D]", .parameter = "K1", .value = 3., .type = "Q*"}}) ==
        std::vector{2., 3.});
  test::check_refused([] { strengths({{.name = "X", .parameter = "K1", .place = "here"}}); },
                      "here: no element 'X' is defined whose K1 could be changed");
  test::check_refused([] { strengths({{.name = "D", .parameter = "K1", .place = "here"}}); },
                      "'K1' is no parameter of DRIF (the change is that of here)");
  test::check_refused([] { strengths({{.name = "D", .parameter = "L", .text = "x"}}); },
                      "L is a number");
}

TEST_CASE("a run changes types, and takes parameters from files", "[io]") {
  const auto folder = std::filesystem::temp_directory_path();
  Table table{"parameters",
              {{"ElementName", "", ColumnType::string},
               {"ElementParameter", "", ColumnType::string},
               {"ParameterValue", "", ColumnType::float64},
               {"ParameterMode", "", ColumnType::string}}};
  table.add_row("QF", "K1", 0.5, "absolute");
  table.add_row("QD", "K1", 0.1, "fractional");
  table.add_row("QD", "L", 9., "ignore");
  write_table(folder / "a.param.sdds", table);
  const auto read = [&](const std::string& more) {
    write_file(folder / "a.ele", setup + more);
    const auto options = read_elegant_run(folder / "a.ele").reading;
    return parse_elegant_lattice(
               "QF: QUAD, L=1, K1=0.2\nQD: QUAD, L=2, K1=-1\nC: RCOL, L=0.5, X_MAX=1e-3\n"
               "T: TFBDRIVER, L=3\n"
               "A: LINE=(QF, QD, C, T)",
               "a.lte", options)
        .expand();
  };
  const auto line = read(
      "&transmute_elements name=*, type=?COL, new_type=DRIF &end"
      "&transmute_elements name=T, type=tfb*, new_type=MARK &end"
      "&load_parameters filename=a.param.sdds, change_defined_values=1 &end");
  CHECK(line[0].kind.as<beam::Quadrupole>()->k1 == 0.5);
  CHECK(line[1].kind.as<beam::Quadrupole>()->k1 == Catch::Approx(-1.1));
  CHECK(line[1].kind.length() == 2.);
  CHECK(line[2].kind.as<beam::Drift>()->length == 0.5);
  CHECK(line[3].kind.as<beam::Marker>() != nullptr);
  const auto some = read(
      "&transmute_elements type=TFBDRIVER &end"
      "&load_parameters filename_list=\"no.sdds a.param.sdds\", allow_missing_files=1, "
      "exclude_name_pattern=?D &end");
  CHECK(some[1].kind.as<beam::Quadrupole>()->k1 == -1.);
  test::check_refused([&] { read("&load_parameters filename=no.sdds &end"); }, "no.sdds");
}

TEST_CASE("elements like others are changed by their own names", "[io]") {
  const auto k1 = [](const std::string& name, const std::string& of) {
    const auto file =
        parse_elegant_lattice("QF: QUAD, K1=2\nQ2: QF\nA: LINE=(QF, Q2)", "a.lte",
                              {.changes = {{.name = name, .parameter = "K1", .value = 3.}}});
    return file.expand(of)[0].kind.as<beam::Quadrupole>()->k1;
  };
  CHECK((k1("QF", "QF") == 3. && k1("QF", "Q2") == 2.));
  CHECK((k1("Q2", "QF") == 2. && k1("Q2", "Q2") == 3.));
  CHECK((k1("Q[0-9F]", "QF") == 3. && k1("Q[0-9F]", "Q2") == 3.));
}

TEST_CASE("patterns of names", "[io]") {
  const auto matches = [](const char* pattern, const char* name, bool case_matters = false) {
    return io::detail::matches_elegant_pattern(pattern, name, case_matters);
  };
  CHECK((matches("q[0-9]*", "Q12") && !matches("q[0-9]", "QA") && !matches("q[0-9]", "Q12")));
  CHECK((matches("*[xy]?", "aXb") && !matches("*[xy]?", "aX") && matches("[^ab]", "c")));
  CHECK((!matches("[^ab]", "A") && matches("[^ab]", "A", true) && !matches("[a-c]", "B", true)));
  CHECK((matches("a\\*b", "a*b") && !matches("a\\*b", "axb") && matches("[a", "[a")));
  CHECK((matches("^q*", "d1") && !matches("^q*", "Q1") && matches("*", "") && !matches("", "a")));
  CHECK((io::detail::matches_elegant_patterns("Q?, D*", "D12") &&
         !io::detail::matches_elegant_patterns("Q?, D*", "Q12")));
}

/// Strength of the quadrupole `q1: QUAD, L=0.5, K1=0.8` or of another type in a run with commands;
/// the values are those of elegant.
static double strength_after(const std::string& commands, const std::string& type = "QUAD") {
  const auto folder = std::filesystem::temp_directory_path();
  write_file(folder / "strength.ele", setup + commands);
  const auto options = read_elegant_run(folder / "strength.ele").reading;
  const auto element =
      parse_elegant_lattice("q1: " + type + ", L=0.5, K1=0.8\nl: LINE=(q1)", "a.lte", options)
          .expand()[0];
  const auto* quadrupole = element.kind.as<beam::Quadrupole>();
  return quadrupole ? quadrupole->k1 : element.kind.as<beam::CanonicalQuadrupole>()->k1;
}

TEST_CASE("alter_elements changes as in elegant", "[io]") {
  const auto altered = [](const std::string& how, const std::string& type = "QUAD") {
    return strength_after("&alter_elements item=K1, " + how + " &end", type);
  };
  CHECK(altered("name=Q1, value=0.5, multiplicative=1") == Catch::Approx(0.4));
  CHECK(altered("name=Q1, value=-1, multiplicative=1") == Catch::Approx(-0.8));
  CHECK(altered("name=Q1, value=0.5, multiplicative=1", "KQUAD") == Catch::Approx(0.4));
  CHECK(altered("name=*, type=QUAD, value=3, multiplicative=1") == Catch::Approx(2.4));
  CHECK(altered("name=Q1, value=0.5, differential=1") == Catch::Approx(1.3));
  CHECK(altered("name=Q1, value=0.5, differential=1, multiplicative=1") == Catch::Approx(1.2));
  CHECK(strength_after("&alter_elements name=Q1, item=K1, value=2, multiplicative=1 &end"
                       "&alter_elements name=Q1, item=K1, value=0.5, multiplicative=1 &end") ==
        Catch::Approx(0.8));
}

TEST_CASE("files of parameters are read after alter_elements, unless they change definitions",
          "[io]") {
  const auto folder = std::filesystem::temp_directory_path();
  Table table{"parameters",
              {{"ElementName", "", ColumnType::string},
               {"ElementParameter", "", ColumnType::string},
               {"ParameterValue", "", ColumnType::float64}}};
  table.add_row("Q1", "K1", 0.3);
  write_table(folder / "strength.sdds", table);
  const auto after = [](const std::string& load, const std::string& alter) {
    return strength_after("&load_parameters filename=strength.sdds, " + load + " &end" +
                          "&alter_elements name=Q1, item=K1, value=0.2, " + alter + " &end");
  };
  CHECK(after("", "differential=1") == 0.3);
  CHECK(after("change_defined_values=1", "differential=1") == 0.5);
  CHECK(after("", "differential=1, alter_at_each_step=1") == 0.5);
  CHECK(after("", "differential=1, alter_at_each_step=1, alter_before_load_parameters=1") == 0.3);
}

TEST_CASE("files of parameters may have those of every element of a name", "[io]") {
  const auto folder = std::filesystem::temp_directory_path();
  const auto strength = [&](const std::vector<double>& values, const std::string& line,
                            const std::string& more = {}) {
    Table table{"parameters",
                {{"ElementName", "", ColumnType::string},
                 {"ElementParameter", "", ColumnType::string},
                 {"ParameterValue", "", ColumnType::float64},
                 {"ElementOccurence", "", ColumnType::int64}}};
    for (std::size_t i = 0; i < values.size(); ++i)
      table.add_row("Q1", "K1", values[i], std::int64_t(i + 1));
    write_table(folder / "every.sdds", table);
    write_file(folder / "every.ele",
               setup + "&load_parameters filename=every.sdds" + more + " &end");
    const auto options = read_elegant_run(folder / "every.ele").reading;
    return parse_elegant_lattice("q1: QUAD, L=0.5, K1=0.8\nl: LINE=(" + line + ")", "a.lte",
                                 options)
        .expand()[0]
        .kind.as<beam::Quadrupole>()
        ->k1;
  };
  CHECK(strength({0.3}, "q1") == 0.3);
  CHECK(strength({0.3, 0.3}, "q1, q1") == 0.3);
  CHECK(strength({0.3, 0.3}, "q1", ", allow_missing_elements=1") == 0.3);
  test::check_refused([&] { strength({0.3}, "q1, q1"); },
                      "those of 1 elements 'q1', the line has 2");
  test::check_refused([&] { strength({0.3, 0.3}, "q1"); }, "the line has 1");
  test::check_refused(
      [&] {
        strength({0.3, 0.4}, "q1, q1");
      },
      "single ones of the elements of a name");
}

TEST_CASE("numbers of runs are expressions in parentheses only", "[io]") {
  const auto momentum = [](const std::string& value) {
    return run("% 500 sto half\n&run_setup lattice=a.lte, p_central=\"" + value + "\" &end").p0;
  };
  CHECK(momentum("(500 2 *)") == 1000.);
  CHECK(momentum(" 500 ") == 500.);
  CHECK(momentum("half") == 500.);
  test::check_refused(
      [&] { momentum("500 2 *"); },
      "p_central cannot be '500 2 *' (expressions of several words are evaluated in "
      "parentheses only); write \"(500 2 *)\"");
}

TEST_CASE("a run has the values of its first step", "[io]") {
  const std::string vary = "&vary_element name=q, item=K1, index_number=0, initial=3, final=4";
  const auto changes = [&](const std::string& control, const std::string& how) {
    return run(setup + "&run_control " + control + " &end" + vary + how + " &end").reading.changes;
  };
  CHECK(changes("n_steps=1", "").empty());
  const auto set = changes("n_indices=1", "");
  CHECK((set.at(0).name == "q" && set[0].parameter == "K1" && set[0].value == 3.));
  CHECK(changes("n_indices=1", ", multiplicative=1").at(0).value == 2.);  // added of it
  CHECK(changes("n_indices=1", ", differential=1").at(0).kind == ElegantChange::Kind::add);
  CHECK(run(setup + "&run_control n_steps=9 &end").left_out ==
        "run_control after its first step (line 2)");
}

TEST_CASE("a run changes elements, and says the order of maps", "[io]") {
  const auto r = run(setup +
                     "&alter_elements name=Q*, type=QUAD, item=K1, value=0.1, differential=1 &end"
                     "&alter_elements name=QD item=ORDER, value=3, allow_missing_elements=1 &end");
  const auto file =
      parse_elegant_lattice("QF: QUAD, L=1, K1=0.2\nQD: QUAD, L=1\nA: LINE=(QF, QD)", "a.lte",
                            {.default_order = 1, .changes = r.reading.changes});
  const auto line = file.expand();
  const auto *f = line[0].kind.as<beam::Quadrupole>(), *d = line[1].kind.as<beam::Quadrupole>();
  CHECK((f->k1 == Catch::Approx(0.3) && f->order == 1));
  CHECK((d->k1 == 0.1 && d->order == 3));
  refuse_run(setup + "&alter_elements name=Q*, item=K1, start_occurence=2 &end",
             "'alter_elements start_occurence' is not followed");
}

TEST_CASE("names of numbers have a case, and expressions go on after &", "[io]") {
  const std::string numbers = "% 1000 sto pc\n% 500 sto PC\n% 2 &\n 10 * sto n\n";
  const auto r = run(numbers + "&run_setup lattice=r.lte, p_central=\"pc\" &end\n" +
                     "&run_control n_passes=n &end\n&track &end");
  CHECK(r.p0 == 1000.);
  CHECK(r.turns == 20);
  CHECK(run(numbers + "&run_setup lattice=r.lte, p_central=PC &end").p0 == 500.);
  refuse_run(numbers + "&run_setup lattice=r.lte, p_central=Pc &end",
             "there is no number 'Pc'; did you mean");
  refuse_run("&run_setup lattice=r.lte, p_central=1.5d3 &end", "'1.5d3' has an exponent D");
}
