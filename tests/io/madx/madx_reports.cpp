// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include "support/refusals.hpp"
#include "support/source_folder.hpp"

// What users write in MAD-X' language, one kind a file, and where MAD-X 5.09.03 (TRACK, ONEPASS)
// brings a particle that starts at x, all else 0.

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

std::filesystem::path report(const std::string& name) {
  return test::source_folder() / "tests/io/madx/reports" / name;
}

/// Coordinates (x, p_x/p_0, y, p_y/p_0) behind a line, and its length.
struct End {
  double x, px, y, py, length;
  bool is_lost = false;
};

struct Start {
  double x = 1e-3, px = 0., y = 0., py = 0.;
};

End track(const MadxFile& file, const Start& start) {
  const HostExecutor exec;
  const BeamLine line = file.expand();
  LineTracker<double, HostExecutor, ElementTypes<>, 1> tracker(exec, line, {0., 0.});
  ParticleTable table(1, file.beam(file.used())->p0());
  const double forward = std::sqrt(1. - start.px * start.px - start.py * start.py);
  table.v[x][0] = start.x;
  table.v[xp][0] = start.px / forward;
  table.v[y][0] = start.y;
  table.v[yp][0] = start.py / forward;
  auto bunch = upload<double>(exec, table);
  tracker.track(bunch, 1);
  table = download(exec, bunch);
  const double xp1 = table.v[xp][0], yp1 = table.v[yp][0];
  const double momentum = (1. + table.v[delta][0]) / std::sqrt(1. + xp1 * xp1 + yp1 * yp1);
  return {table.v[x][0],  momentum * xp1,  table.v[y][0],
          momentum * yp1, length_of(line), table.n_lost() > 0};
}

void check_end(const MadxFile& file, const Start& start, const End& expected,
               double tolerance = 1e-8) {
  const End end = track(file, start);
  CHECK(std::abs(end.x - expected.x) < tolerance);
  CHECK(std::abs(end.px - expected.px) < tolerance);
  CHECK(std::abs(end.y - expected.y) < tolerance);
  CHECK(std::abs(end.py - expected.py) < tolerance);
  CHECK(std::abs(end.length - expected.length) < 1e-8);
}

/// An element in the middle of 4 m, from x, px, y, py of 1e-3, 1e-4, 2e-3, -2e-4.
void check_element(const std::string& element, const End& expected, double tolerance = 1e-8,
                   const std::string& beam = "", const MadxOptions& options = {}) {
  CAPTURE(element, beam);
  const auto file = parse_madx("beam, particle=proton, pc=2" + beam + "; e: " + element +
                                   "; s: sequence, l=4; e, at=2; endsequence; use, sequence=s;",
                               "x.madx", options);
  check_end(file, {1e-3, 1e-4, 2e-3, -2e-4}, expected, tolerance);
}

/// Magnets of all kinds in 14 m, then statements of a file, then another USE.
void check_thin(const std::string& statements, const End& expected, double tolerance = 1e-8) {
  CAPTURE(statements);
  const auto file = parse_madx(
      "beam, particle=proton, pc=2; lq = 0.5; kq := 0.8; ab = 0.1; mq: quadrupole, l:=lq, tilt=0.1;"
      "qf: mq, k1:=kq; qd: mq, k1=-0.8, k1s=0.1;"
      "mb: sbend, l=1, angle=0.1, e1=0.02, e2=-0.01, k1=0.1, k2=0.5, hgap=0.02, fint=0.5;"
      "rb: rbend, l=1, angle:=ab, fintx=0.2, hgap=0.03, tilt=0.3;"
      "r0: rbend, l=1, angle=0.1, k0=0.11, kill_ent_fringe=true;"
      "sx: sextupole, l=0.3, k2=5, k2s=1, dx=1e-3; oc: octupole, l=0.3, k3=50;"
      "hk: hkicker, l=0.2, kick=1e-4; kk: kicker, l=0.4, hkick=1e-4, vkick=2e-4;"
      "mo: monitor, l=0.2; dr: drift, l=0.1;"
      "s: sequence, l=14; qf, at=1; qd, at=2; qf, at=0.9, from=qd; mb, at=4; rb, at=5.5; r0, at=7;"
      "sx, at=8.2; oc, at=9; hk, at=9.6; mo, at=10; dr, at=10.5; kk, at=11; qf, at=13;"
      "endsequence; use, sequence=s;" +
          statements + "use, sequence=s;",
      "x.madx", {.exact = true});
  check_end(file, {1e-3, 1e-4, 2e-3, -2e-4}, expected, tolerance);
}

}  // namespace

TEST_CASE("files as users of MAD-X write them", "[io]") {
  struct Case {
    const char* file;
    double start;
    End end;
    std::size_t remarks = 0;
    double tolerance = 1e-8;
  };
  const Case cases[] = {
      {"beamarrow.seq", 1e-3, {0.0009007274322, -9.916874752e-05, 0., 0., 2.}},
      {"beta0.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"bv.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"dnum.seq", 1e-3, {0.0007577261635, -0.0004794255386, 0., 0., 1.}},
      {"efrel.seq", 1e-3, {0.000877462708, -0.000479884627, 0., 0., 0.5}},
      {"entr.seq", 1e-3, {0.001, -5.004170838e-06, 0., 0., 1.}},
      {"eoption_add.seq", 0., {0.0007768880336, 0.0007735987337, 0., 0., 2.}},
      {"extract.seq", 1e-3, {0.0005180133666, -0.0004794255386, 0., 0., 2.}},
      {"install.seq", 1e-3, {-0.0002149755194, -0.0007265465481, 0., 0., 4.}},
      {"killfr.seq", 1e-3, {0.0009900124944, -9.983341665e-06, 0., 0., 2.}},
      {"linearg.seq", 1e-3, {-0.0008463139628, -0.0003037653265, 0., 0., 4.}},
      {"macro.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"octagon.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"parent_arrow.seq", 1e-3, {0.0009501820747, -4.979192693e-05, 0., 0., 2.}},
      {"placeupd.seq", 1e-3, {0.0009501820747, -4.979192693e-05, 0., 0., 2.}, 1},
      {"redefined_in_sequence.seq", 1e-3, {0.0002247566525, -0.0003867993668, 0., 0., 4.}, 1},
      {"regex.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"reuse_by_name.seq", 1e-3, {-0.0002519984127, -0.0004730989846, 0., 0., 4.}},
      {"splitnum.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}},
      {"thin.seq", 1e-3, {0.0006115560483, -0.0003867993668, 0., 0., 2.}, 1},
      {"tilted_bend_dx.seq", 0., {0., 0., 0., 0., 1.}, 0, 2e-7},
      {"tilted_bend_dy.seq", 0., {0., 0., 1.149244235e-07, 0.0002397127693, 1.}, 0, 2e-7},
      {"use_range.seq", 1e-3, {0.001, 0., 0., 0., 2.}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.file);
    const auto file = read_madx({report(c.file)});
    CHECK(file.remarks().size() == c.remarks);
    check_end(file, {c.start}, c.end, c.tolerance);
  }
}

TEST_CASE("what is refused in files of MAD-X says why", "[io]") {
  test::check_refused([] { read_madx({report("amp.seq")}); }, "lines are continued so in MAD8");
  test::check_refused([] { read_madx({report("matchj.seq")}); },
                      "give beamline --vary and --target");
}

TEST_CASE("MAD-X files call others beside them, or in the folder where one works", "[io]") {
  CHECK(read_madx({report("callcwd.seq")}).expand().size() == 3);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(report(""));
  CHECK(read_madx({"callcwd.seq"}).expand().size() == 3);
  CHECK(read_madx({"sub/a.seq"}).expand().size() == 3);
  std::filesystem::current_path(before);
}

TEST_CASE("elements of MAD-X end where MAD-X has them", "[io]") {
  check_element("multipole, ksl={0.01, 0.1}",
                {0.001720000022, 0.000259999999, 0.001439999985, -7.99999995e-05, 4.});
  check_element("xrotation, angle=0.01", {0.00140001121, 0.0001, 0.02120070427, 0.009799843084, 4.},
                1e-8, "",
                {.exact = true});  // TRACK has exact drifts, which differ after a rotation
  check_element("xrotation, angle=0.01",
                {0.00140000881, 0.0001, -0.01880062431, -0.01019982308, 4.}, 1e-8, ", bv=-1",
                {.exact = true});
  check_element("translation, dx=1e-3, ds=0.5",
                {0.0004500000113, 0.0001, 0.001099999977, -0.0002, 4.});
  check_element("multipole, knl={0.1}, dx=1e-3, dy=1e-3, tilt=0.3",
                {0.00139404253, 0.0001, 0.001198128277, -0.0002, 4.});
  check_element("multipole, knl={0.1}, dpsi=0.01",
                {0.001409993498, 0.0001049567032, -0.0007967087304, -0.001198323121, 4.}, 1e-7);
  check_element("multipole, knl={0.1}, ksl={0.05}, dpsi=0.1",
                {0.002393233571, 0.0005961850246, -0.01873626471, -0.0101672674, 4.}, 3e-6);
  check_element("multipole, ksl={0.05}, dpsi=0.1", {0.0014000000, 0.0001, 0.0012, -0.0002, 4.},
                1e-7);
  check_element("multipole, knl={-0.1, 0.1}, lrad=2, tilt=0.4, dx=1e-3, dy=2e-3, ds=1e-3, dpsi=0.1",
                {-0.007326711859, -0.004215699013, 0.0190453493, 0.00874864866, 4.}, 1e-6);
  check_element("multipole, knl={0.1}, dpsi=0.1",
                {0.0004079967197, -0.0003963835384, 0.02113455284, 0.009767147332, 4.}, 1e-6,
                ", bv=-1");
  check_element("sbend, l=1, angle=0.1, dpsi=0.1",
                {0.002366560441, 0.0005827367097, -0.01874232558, -0.01016860999, 4.}, 3e-6);
  check_element("kicker, hkick=1e-3, vkick=-1e-3, chkick=1e-4",
                {-0.000800001635, -0.001, 0.003200001302, 0.0008, 4.}, 1e-8, ", bv=-1");
  check_element("sbend, l=1, angle=0.5, tilt=0.4, dx=1e-3, dy=2e-3, ds=1e-3",
                {0.001637582521, 9.368296724e-05, 0.00130022115, -0.0002026707986, 4.}, 5e-8);
}

TEST_CASE("MAKETHIN slices as MAD-X does", "[io]") {
  const std::string select =
      "select, flag=makethin, class=mq, slice=3; select, flag=makethin, class=rbend, slice=2;"
      "select, flag=makethin, pattern=\"^k\", slice=2;"
      "select, flag=makethin, class=sextupole, slice=4;"
      "select, flag=makethin, class=octupole, slice=5; makethin, sequence=s";
  const End teapot = {-0.05038362313, 0.01303088516, 0.01743573481, 0.009170183721, 14.};
  check_thin("makethin, sequence=s;",
             {-0.04970988613, 0.0140219165, 0.01576928286, 0.008557443261, 14.});
  check_thin(select + ";", teapot);
  check_thin(select + ", style=simple;",
             {-0.05032449908, 0.01314096519, 0.01725232658, 0.009100977407, 14.});
  check_thin(select + ", style=collim;",
             {-0.05057630075, 0.01271024444, 0.01798671039, 0.009383374544, 14.});
  check_thin(select + ", style=hybrid, makeendmarkers;",
             {-0.05038364713, 0.01303088305, 0.01743572773, 0.009170179986, 14.});
  check_thin(select + ", makedipedge=false;",
             {-0.05037197304, 0.01300028677, 0.01800115937, 0.009370161989, 14.});
  // strengths are the expressions of the thick magnets
  check_thin(select + "; kq=0.6; ab=0.12;",
             {-0.05433085573, 0.007202734794, 0.009368407424, 0.005293419292, 14.});
  check_thin("select, flag=makethin, range=qd/mb, slice=2; makethin, sequence=s;",
             {-0.05046115546, 0.01304817165, 0.01747303339, 0.009189685716, 14.});
  // some stay thick: quadrupoles of TRACK have other terms beyond the linear ones
  const End whole = {-0.05046643541, 0.01304999808, 0.01749172366, 0.009194031889, 14.};
  const std::string bends = "select, flag=makethin, class=sbend, slice=3; makethin, sequence=s;";
  check_thin("select, flag=makethin, class=mq, slice=0;" + bends, whole, 2e-7);
  check_thin("select, flag=makethin, class=mq, thick=true;" + bends, whole, 2e-7);
  // again, it has nothing to slice
  check_thin(select + "; use, sequence=s; makethin, sequence=s;", teapot);
}

TEST_CASE("MAKETHIN leaves other sequences as they were", "[io]") {
  const std::string s =
      "beam, particle=proton, pc=2; q: quadrupole, l=0.5, k1:=k; k = 0.8;"
      "t: sequence, l=2; q, at=1; endsequence; s: sequence, l=2; q, at=1; endsequence;"
      "use, sequence=s; select, flag=makethin, slice=4; makethin, sequence=s;";
  const End thick = {0.0006115560483, -0.0003867993668, 0., 0., 2.};
  const auto names = [](const BeamLine& line) {
    std::string text;
    for (const Element& element : line) text += element.name + " ";
    return text;
  };
  check_end(parse_madx(s, "x.madx"), {}, thick);
  check_end(parse_madx(s + "use, sequence=t;", "x.madx"), {}, thick);
  const auto file = parse_madx(s + "use, sequence=s;", "x.madx");
  CHECK(names(file.expand("t")) == "drift_0 q drift_1 ");
  CHECK(names(file.expand("s")) ==
        "drift_0 q..1 drift_1 q..2 drift_2 q drift_3 q..3 drift_4 q..4 drift_5 ");
  CHECK(file.get("q..1", "k1l") == 0.1);
  // one that is sliced later has the same slices
  CHECK(names(parse_madx(s + "select, flag=makethin, clear; select, flag=makethin, slice=2;"
                             "use, sequence=t; makethin, sequence=t; use, sequence=t;",
                         "x.madx")
                  .expand()) == names(file.expand("s")));
  // errors are those of the slices
  const auto in_error = parse_madx(s + "use, sequence=s; select, flag=error, class=multipole;"
                                       "ealign, dx=1e-3;",
                                   "x.madx");
  CHECK(track(in_error, {0.}).x > 1e-4);
}

TEST_CASE("racetracks and octagons limit the beam", "[io]") {
  const auto is_lost = [](const std::string& aperture, double x0, double y0) {
    const auto file = parse_madx("beam; e: marker, " + aperture +
                                     "; s: sequence, l=1; e, at=0.5; endsequence; use, sequence=s;",
                                 "x.madx");
    return track(file, {x0, 0., y0, 0.}).is_lost;
  };
  const std::string racetrack = "apertype=racetrack, aperture={0.04, 0.03, 0.01, 0.02}";
  CHECK_FALSE(is_lost(racetrack, 0.0399, 0.0099));
  CHECK_FALSE(is_lost(racetrack, -0.037, -0.024));
  CHECK(is_lost(racetrack, 0.0375, -0.0245));
  CHECK(is_lost(racetrack, 0.0401, 0.));
  CHECK_FALSE(is_lost(racetrack + ", aper_tilt=pi/2", 0.0301, 0.));  // as in TRACK
  const std::string octagon = "apertype=octagon, aperture={0.05, 0.04, pi/8, 3*pi/8}";
  CHECK_FALSE(is_lost(octagon, 0.0499, 0.02));
  CHECK_FALSE(is_lost(octagon, -0.016, 0.0399));
  CHECK(is_lost(octagon, 0.0499, -0.0217));
  CHECK(is_lost(octagon, -0.035, -0.035));
}

TEST_CASE("attributes as MAD-X takes them", "[io]") {
  // without a value: 0, but for FINT; true is no number
  check_element("quadrupole, l=0.5, k1=0.8, tilt",
                {0.0004702286669, -0.0003643236982, 0.002522701299, 0.0004618854834, 4.});
  check_element("sbend, l=0.5, angle=0.1, fint, hgap=0.02, e1=0.1, e2=0.1",
                {0.001448164772, 0.0001241991263, 0.001076872455, -0.0002612849679, 4.}, 2e-7);
  check_element("quadrupole, l=0.5, k1=true, k1s=0.3",
                {0.001884820339, 0.0003422380604, 0.001565416844, -1.694478347e-05, 4.});
  check_element("multipole, knl={0,0.4}, tilt",
                {0.0004399998726, -0.000380000002, 0.002480000131, 0.000439999996, 4.});
  // KICK goes before the kick of its plane
  check_element("hkicker, kick=2e-3, hkick=1e-3",
                {0.00540000935, 0.0021, 0.0011999991, -0.0002, 4.}, 2e-8);
  check_element("vkicker, kick=2e-3, vkick=1e-3",
                {0.00140000033, 0.0001, 0.00520000584, 0.0018, 4.}, 2e-8);
  check_element("hkicker, hkick=1e-3", {0.00340000138, 0.0011, 0.00119999974, -0.0002, 4.}, 2e-8);
  check_element("quadrupole, l=0.5, k1=round(2.5)/5",
                {0.0009278014277, -0.0001360613429, 0.001851041687, 0.0001254439522, 4.});
  // XSIZE, YSIZE and APER_TILT limit no particle of TRACK
  check_element("ecollimator, l=0.5, xsize=0.8e-3, ysize=1e-3",
                {0.00140000001, 0.0001, 0.00119999998, -0.0002, 4.});
  for (const char* absent : {"marker, tilt=0.1", "drift, l=1, aperture={1}", "kicker, kick=1e-3",
                             "hkicker, vkick=1e-3", "solenoid, l=1, ks=0.5, tilt=0.3"})
    test::check_refused([&] { check_element(absent, {}); }, "is no attribute of");
}

TEST_CASE("lists and places of elements as MAD-X takes them", "[io]") {
  const Start start = {1e-3, 1e-4, 2e-3, -2e-4};
  const auto check = [&](const std::string& statements, const End& expected) {
    CAPTURE(statements);
    check_end(parse_madx("beam, particle=proton, pc=2;" + statements, "x.madx"), start, expected);
  };
  const std::string s = "s: sequence, l=2; q, at=1; endsequence; use, sequence=s;";
  // a shorter list leaves the rest of the longer one
  check("m: multipole, knl={0,0.4,200}; q: m, knl={0,0.1};" + s,
        {0.001293000017, 0.0001929999974, 0.002176000028, 0.0003759999993, 2.});
  check("q: multipole, knl={0,0.4,200}; q, knl={0.001};" + s,
        {0.0009629999404, -0.0001370000034, 0.002716000386, 0.0009159999978, 2.});
  // the place that an element had where it was defined
  const End end = {-5.404957564e-05, -0.0004982987988, 0.00461607925, 0.00173764954, 4.};
  const std::string q = "q: quadrupole, l=0.5, k1=0.8; s: sequence, l=4; q1: q, at=1;";
  check(q + "q2: q, at=q1->at+2; endsequence; use, sequence=s;", end);
  check(q + "k=q1->at; q2: q, at=k+2; endsequence; use, sequence=s;", end);
  check(q + "q3: q1, at=3; q1->at=7; endsequence; use, sequence=s;", end);
  CHECK(parse_madx("q: quadrupole; k = q->at; f = q->fintx;", "x.madx").get("k") == 1e20);
  CHECK(parse_madx("q: quadrupole; f = q->fintx;", "x.madx").get("f") == -1.);
  CHECK(parse_madx("m: matrix; f = m->rm11 + 10*m->rm12;", "x.madx").get("f") == 1.);
  // a number of a sequence, and of what MAKETHIN has made a marker
  const auto file = parse_madx("q: quadrupole, l=0.5, k1=0.8;" + s +
                                   "s->l=6; select, flag=makethin, slice=2;"
                                   "makethin, sequence=s; q->k1=2; q, k1=3;",
                               "x.madx");
  CHECK(length_of(file.expand("s")) == 2.);
  REQUIRE(file.remarks().size() == 3);
  CHECK(file.remarks()[0].starts_with("'s->l' of a sequence changes nothing"));
  CHECK(file.remarks()[2].starts_with("'k1' of 'q' changes nothing: MAKETHIN"));
}

TEST_CASE("SEQEDIT and EXTRACT leave elements where MAD-X has them", "[io]") {
  const auto check = [&](const std::string& sequence, const std::string& commands,
                         const End& expected, std::size_t remarks = 0) {
    CAPTURE(sequence, commands);
    const auto file = parse_madx(
        "beam, particle=proton, pc=2; qf: quadrupole, l=0.5, k1=0.8;"
        "qd: quadrupole, l=0.3, k1=-0.7; m: marker;" +
            sequence + commands,
        "x.madx");
    check_end(file, {1e-3}, expected);
    CHECK(file.remarks().size() == remarks);
  };
  const auto sequence = [](const std::string& refer) {
    return "s: sequence, l=6, refer=" + refer +
           "; m1: m, at=0.5; q1: qf, at=1; q2: qd, at=2.5; m2: m, at=3.5; q3: qf, at=4.5;"
           "endsequence;";
  };
  const auto edit = [&](const std::string& refer, const std::string& command, const End& expected,
                        std::size_t remarks = 0) {
    check(sequence(refer), "seqedit, sequence=s; " + command + " endedit; use, sequence=s;",
          expected, remarks);
  };
  // places of REFER other than the centre
  edit("entry", "move, element=q2, by=0.2;", {-5.213956224e-04, -2.269424279e-04, 0., 0., 6.}, 1);
  edit("exit", "move, element=q2, by=0.2;", {-6.133817789e-04, -2.272599269e-04, 0., 0., 6.}, 1);
  edit("entry", "flatten; move, element=q2, by=0.2;",
       {-4.886129488e-04, -2.276568001e-04, 0., 0., 6.});
  edit("entry", "move, element=q2, to=0.4, from=m2;",
       {-6.976252489e-04, -2.619466127e-04, 0., 0., 6.}, 1);
  edit("entry", "reflect;", {-5.145755945e-04, -2.289267909e-04, 0., 0., 6.}, 1);
  edit("exit", "reflect;", {-5.145755945e-04, -2.289267909e-04, 0., 0., 6.}, 1);
  edit("entry", "cycle, start=m2;", {-8.405674988e-04, -5.021590549e-04, 0., 0., 6.}, 1);
  edit("entry", "flatten; cycle, start=m2; reflect;",
       {-6.953895623e-05, -5.106112928e-04, 0., 0., 6.});
  // CYCLE adds a copy of the element at the end, and counts elements of one name anew
  edit("entry", "cycle, start=q2;", {-2.696743957e-04, -6.159527106e-04, 0., 0., 6.3}, 2);
  check(
      "s: sequence, l=6; m1: m, at=0.5; q1: qf, at=1; q2: qd, at=2.5; m2: m, at=3.5; q1, at=4.5;"
      "endsequence;",
      "seqedit, sequence=s; cycle, start=m2; endedit; use, sequence=s, range=q1[2]/#e;",
      {1.206948923e-04, -2.979973527e-04, 0., 0., 2.75});
  check(sequence("entry"), "extract, sequence=s, from=q1, to=m2, newname=t; use, sequence=t;",
        {3.251716338e-04, -2.69268143e-04, 0., 0., 2.25});
  // ends of a range by their names
  check(sequence("entry"), "use, sequence=s, range=s$start/q2;",
        {4.138974212e-04, -2.897890071e-04, 0., 0., 2.8});
  check(sequence("entry"), "use, sequence=s, range=q2/s$end;",
        {1.010845617e-03, -3.472474193e-04, 0., 0., 3.5});
  // FROM names elements inside of other sequences, too
  check(
      "a: sequence, l=2; qa: qf, at=0.5; endsequence; s: sequence, l=6; a, at=1.5;"
      "q2: qd, at=2, from=qa; q3: qf, at=4, from=a; endsequence;",
      "use, sequence=s;", {-6.730236692e-04, -9.77866815e-05, 0., 0., 6.});
  check(
      "a: sequence, l=2, refpos=ma; ma: m, at=0.2; qa: qf, at=0.5; endsequence;"
      "s: sequence, l=6; a, at=1; q2: qd, at=2, from=qa; endsequence;",
      "use, sequence=s;", {-6.900808919e-04, -3.39039081e-04, 0., 0., 6.});
  const auto nested = [&](const std::string& refer, const std::string& refpos,
                          const std::string& place, const End& expected) {
    check("a: sequence, l=2, refer=" + refer + refpos +
              "; qa: qf, at=0.6; mr: m, at=1.2; endsequence; s: sequence, l=8, refer=" + refer +
              "; a, at=2; q2: qd, " + place + "; endsequence;",
          "use, sequence=s;", expected);
  };
  const std::string of_a = "at=1.5, from=a", of_qa = "at=2, from=qa", refpos = ", refpos=mr";
  nested("entry", "", of_a, {-7.781133508e-04, -3.226223897e-04, 0., 0., 8.});
  nested("entry", "", of_qa, {-8.867404576e-04, -3.513515994e-04, 0., 0., 8.});
  nested("entry", refpos, of_a, {-1.572171103e-03, -4.211225374e-04, 0., 0., 8.});
  nested("entry", refpos, of_qa, {-1.60641306e-03, -4.334350558e-04, 0., 0., 8.});
  nested("exit", "", of_qa, {-1.611679211e-03, -3.267265625e-04, 0., 0., 8.});
  nested("centre", refpos, of_a, {-1.37596235e-03, -3.472474266e-04, 0., 0., 8.});
  nested("centre", refpos, of_qa, {-1.334255183e-03, -3.39039081e-04, 0., 0., 8.});
}

TEST_CASE("lengths and places of elements are those at USE", "[io]") {
  const auto check = [&](const std::string& statements, const End& expected) {
    CAPTURE(statements);
    auto file = parse_madx(
        "beam, particle=proton, pc=2; lq=0.5; p=1;"
        "q: quadrupole, l:=lq, k1=0.8; s: sequence, l=3; q, at:=p; endsequence;"
        "use, sequence=s; lq=0.3; p=1.5;" +
            statements,
        "x.madx");
    check_end(file, {1e-3}, expected);
    return file;
  };
  auto file = check("q->k1=0.4;", {6.062195096e-04, -1.966832937e-04, 0., 0., 3.});
  REQUIRE(file.expansion("s").remarks.size() == 1);
  CHECK(file.expansion("s").remarks[0].starts_with("lengths and places are those at USE"));
  // a line, of which drifts get longer
  check_end(parse_madx("beam, particle=proton, pc=2; d: drift, l=0.3; q: quadrupole, l=0.5, k1=0.5;"
                       "l: line=(d, q, d); use, sequence=l; d->l=0.5;",
                       "x.madx"),
            {1e-3}, {8.647010962e-04, -2.44824122e-04, 0., 0., 1.1});
  const End later = {6.440895004e-04, -2.371303502e-04, 0., 0., 3.};
  check("use, sequence=s;", later);
  file.set("p", 1.5);  // what a program sets counts
  file.set("lq", 0.3);
  file.read("q->k1=0.8;", "y.madx");
  check_end(file, {1e-3}, later);
}

TEST_CASE("words and values that MAD-X counts as 0", "[io]") {
  const std::string s = "s: sequence, l=2; q, at=1; endsequence; use, sequence=s;";
  const std::string beam = "beam, particle=proton, pc=2;";
  const auto check = [&](const std::string& statements, const End& expected) {
    CAPTURE(statements);
    const auto file = parse_madx(beam + statements + s, "x.madx");
    check_end(file, {1e-3}, expected, 2e-6);
    return file.undefined();
  };
  // true and false are words of flags, and no variables
  const End quadrupole = {8.516347746e-04, -1.481320187e-04, 0., 0., 2.};
  CHECK(check("kq=true; q: quadrupole, l=0.5, k1=0.3+kq;", quadrupole) ==
        std::vector<std::string>{"true"});
  CHECK(check("q: quadrupole, l=0.5, k1=0.3, tilt=true;", quadrupole).empty());
  check("q: sbend, l=0.5, angle=0.1, e1=0.2, kill_ent_fringe=true;",
        {9.800291528e-04, -1.996668333e-05, 0., 0., 2.});
  check("q: sbend, l=0.5, angle=0.1, e1=0.2, kill_ent_fringe=false;",
        {1.030520988e-03, 2.037278261e-05, 0., 0., 2.});
  const auto fails = [&](const std::string& statements, const std::string& why) {
    test::check_refused([&] { (void)parse_madx(beam + statements, "x.madx").expand(); }, why);
  };
  fails("q: quadrupole, l=0.5, k1:=s->l;" + s, "MAD-X counts 's->l' as 0");
  fails("q: quadrupole, l=0.5, k1:=beam->freq0;" + s, "'freq0' of the beam has no value");
  fails("a=0.2; m(x): macro={ k=x; }; exec, m(a*2);" + s, "MAD-X takes 'a' alone, and '*'");
  fails("m(x): macro={ k=x; }; exec, m(-0.2);" + s, "an argument is one word");
}

TEST_CASE("what MAD-X reads without commas, behind ; and of whole numbers", "[io]") {
  const auto check = [&](const std::string& statements, const End& expected) {
    CAPTURE(statements);
    check_end(parse_madx("beam, particle=proton, pc=2; q: quadrupole, l=0.5; d: drift, l=0.4;" +
                             statements + "use, sequence=s;",
                         "x.madx"),
              {1e-3}, expected);
  };
  const std::string s = "s: sequence, l=2; q, at=1; endsequence;";
  const End half = {7.54530238e-04, -2.44824122e-04, 0., 0., 2.};
  check("if (1>2) { k=0.1; }; else { k=0.5; }; q->k1=k;" + s, half);
  check("if (1>2) { k=0.1; }; elseif (1<3) { k=0.5; }; q->k1=k;" + s, half);
  check("if (1<2) { k=0.5; }; elseif (1<3) { k=0.1; }; q->k1=k;" + s, half);
  check("int n:=x; x=5.7; q, k1:=n*0.1;" + s, half);
  const End line = {7.422890315e-04, -2.44824122e-04, 0., 0., 1.7};
  for (const char* items : {"(d,q,2*d)", "(d,q,2*d,)", "(d q 2*d)", "(d q,(d d))"})
    check("q->k1=0.5; s: line=" + std::string(items) + ";", line);
}

TEST_CASE("SELECT chooses an element of a repeated sequence once", "[io]") {
  const std::string ring =
      "beam, particle=proton, pc=2; qf: quadrupole, l=0.5, k1=0.8; qd: quadrupole, l=0.3, k1=-0.7;"
      "a: sequence, l=2; qa: qf, at=1; endsequence;"
      "s: sequence, l=8; a, at=1; q2: qd, at=3; a, at=5; qf, at=7; endsequence; use, sequence=s;";
  const auto check = [&](const std::string& selection, const End& expected, std::size_t remarks) {
    CAPTURE(selection);
    const auto file =
        parse_madx(ring + "select, flag=error, " + selection + "; ealign, dx=1e-3;", "x.madx");
    check_end(file, {1e-3}, expected);
    CHECK(file.remarks().size() == remarks);
  };
  check("class=quadrupole", {1.364455568e-04, -8.629961771e-05, 0., 0., 8.}, 1);
  check("full", {1.364455568e-04, -8.629961771e-05, 0., 0., 8.}, 1);
  check("pattern='^qa'", {1.14638712e-04, -6.268947523e-04, 0., 0., 8.}, 1);
  check("range=qa", {1.14638712e-04, -6.268947523e-04, 0., 0., 8.}, 0);
  check("range=qa/q2", {-2.519984127e-04, -4.730989846e-04, 0., 0., 8.}, 0);
  check("range=q2/qf", {2.428912536e-04, 7.661302809e-04, 0., 0., 8.}, 0);
  test::check_refused(
      [&] { (void)parse_madx(ring + "use, sequence=s, range=qa[2]/#e;", "x.madx").expand(); },
      "there is no 'qa[2]' in the sequence");
}
