// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <sstream>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/detail/write_bunch.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

ParticleTable random_table(int n, double path_length) {
  ParticleTable table(n, 200.);
  table.reference.path_length = path_length;
  std::mt19937_64 random(3);
  const double scale[] = {1e-3, 5e-4, 8e-4, 4e-4, 3e-4, 5e-3};
  for (int c = 0; c < n_coordinates; ++c)
    for (double& value : table.v[c]) value = scale[c] * (double(random() >> 11) * 0x1p-52 - 1.);
  for (int i = 0; i < n; ++i) table.ids[i] = 3 * i - 5;
  return table;
}

std::string bunch_csv(const ParticleTable& particles) { return table_csv(bunch_table(particles)); }

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Some columns of a text, with names of their own.
std::string columns_of(const std::string& text, const std::vector<int>& columns,
                       const std::string& names) {
  std::istringstream in(text);
  std::string line, out = names + "\n";
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
    for (std::size_t c = 0; c < columns.size(); ++c)
      out += (c ? "," : "") + fields.at(std::size_t(columns[c]));
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("bunches survive a file to the bit", "[io]") {
  const auto table = random_table(1000, 0.);
  const auto path = std::filesystem::temp_directory_path() / "trackplex_bunch.csv";
  write_bunch(path, table);
  const auto again = read_bunch(path, {.p0 = 200.});
  std::filesystem::remove(path);
  for (int c = 0; c < n_coordinates; ++c) CHECK(again.v[c] == table.v[c]);
  CHECK(again.ids == table.ids);
  CHECK(again.n_lost() == 0);
  CHECK(again.reference.p0 == 200.);
  CHECK(bunch_csv(table).starts_with("id,x[m],xp[rad],y[m],yp[rad],t[s],p,s[m],delta\n"));
}

TEST_CASE("times and momenta bring s and delta back", "[io]") {
  for (const double length : {0., 20.}) {
    CAPTURE(length);
    const auto table = random_table(1000, length);
    const std::string times = columns_of(bunch_csv(table), {1, 2, 3, 4, 5, 6}, "x,xp,y,yp,t,p");
    const auto again = parse_bunch_csv(times, "b.csv", {.p0 = 200., .path_length = length});
    CHECK(again.v[x] == table.v[x]);
    // an ulp of the whole way, and of the momentum
    CHECK(largest_difference(again.v[s], table.v[s]) <= 2. * epsilon * (length + 3e-4));
    CHECK(largest_difference(again.v[delta], table.v[delta]) <= epsilon);
    // the whole way is in the file
    const auto absolute = parse_bunch_csv(bunch_csv(table), "b.csv", {.p0 = 200.});
    double mean = 0.;
    for (const double value : absolute.v[s]) mean += value / 1000.;
    CHECK(std::abs(mean - length) < 1e-4);
  }
}

TEST_CASE("lost particles survive a file", "[io]") {
  auto table = random_table(5, 0.);
  table.losses[1] = {0, 7};
  table.losses[4] = {12, 0};
  table.v[x][4] = std::numeric_limits<double>::infinity();
  table.v[yp][4] = std::nan("");
  const auto again = parse_bunch_csv(bunch_csv(table), "b.csv", {.p0 = 200.});
  CHECK(again.n_lost() == 2);
  CHECK(again.losses[1].element == 7);
  CHECK(again.losses[4].turn == 12);
  CHECK(again.losses[0].turn == Loss::none);
  CHECK(again.losses[0].element == Loss::none);
  CHECK(std::isinf(again.v[x][4]));
  CHECK(std::isnan(again.v[yp][4]));
}

TEST_CASE("columns come in any order", "[io]") {
  const std::string text =
      "\xef\xbb\xbf p , yp,y ,xp,x, t\r\n 100,4e0,3, 2, +1,1e-9\r\n\r\n300,.5,-6,7.,8,0";
  const auto table = parse_bunch_csv(text, "b.csv");
  REQUIRE(table.size() == 2);
  CHECK(table.reference.p0 == 200.);  // the mean
  CHECK(table.v[x] == std::vector<double>{1., 8.});
  CHECK(table.v[yp] == std::vector<double>{4., 0.5});
  CHECK(table.v[delta] == std::vector<double>{-0.5, 0.5});
  CHECK(table.ids == std::vector<std::int64_t>{0, 1});
  CHECK(table.v[s][1] == 0.);
  const double beta = 100. / std::sqrt(100. * 100. + 1.);
  CHECK(std::abs(table.v[s][0] - beta * constants::speed_of_light * 1e-9) < 1e-16);
  CHECK(parse_bunch_csv("x,xp,y,yp,s,delta\n", "b.csv", {.p0 = 1.}).size() == 0);
  // quoted, with a blank before a unit; a momentum for delta where there is no p
  const auto quoted =
      parse_bunch_csv("\"x [m]\",xp,y [m],\"yp\",s,delta\n\"1e-3\",0,\"2\",0,0,\"0.5\"\n", "b.csv",
                      {.p0_of_delta = 300.});
  CHECK(quoted.reference.p0 == 300.);
  CHECK(quoted.v[x][0] == 1e-3);
  CHECK(quoted.v[delta][0] == 0.5);
  CHECK(parse_bunch_csv(text, "b.csv", {.p0_of_delta = 300.}).reference.p0 == 200.);
}

TEST_CASE("times and momenta of elegant are its s and delta", "[io]") {
  for (const std::string name : {"drift_o2", "fodo20_o2", "lsc_256_multistep"}) {
    CAPTURE(name);
    const auto path = test::reference_or_skip("beam/" + name + ".csv");
    const std::string text = trackplex::read_file(path);
    const double length = name == "drift_o2" ? 0.5 : name == "fodo20_o2" ? 20. : 3.;
    for (const int first : {1, 9}) {
      const BunchOptions options{.p0 = 200., .path_length = first == 1 ? 0. : length};
      const std::string all = "x,xp,y,yp,t,p,s,delta";
      const auto by_time = parse_bunch_csv(
          columns_of(text, {first, first + 1, first + 2, first + 3, first + 4, first + 5},
                     "x,xp,y,yp,t,p"),
          name, options);
      const auto by_path = parse_bunch_csv(
          columns_of(text, {first, first + 1, first + 2, first + 3, first + 6, first + 7},
                     "x,xp,y,yp,s,delta"),
          name, options);
      REQUIRE(by_time.size() >= 1000);
      const double way = options.path_length + 1e-3;
      CHECK(largest_difference(by_time.v[s], by_path.v[s]) <= 2. * epsilon * way);
      CHECK(largest_difference(by_time.v[delta], by_path.v[delta]) <= epsilon);
      // and back
      const auto both = parse_bunch_csv(columns_of(text,
                                                   {first, first + 1, first + 2, first + 3,
                                                    first + 4, first + 5, first + 6, first + 7},
                                                   all),
                                        name, options);
      const auto& times = by_path.v;
      const auto expected = parse_table_csv(
          columns_of(text, {first, first + 1, first + 2, first + 3, first + 4, first + 5},
                     "x,xp,y,yp,t,p"),
          name, io::detail::bunch_columns());
      double largest_t = 0., largest_p = 0.;
      for (int i = 0; i < both.size(); ++i) {
        const double t = time_of(both.reference, times[s][i], times[delta][i]);
        const double p = momentum_of(both.reference, times[delta][i]);
        largest_t = std::max(largest_t, std::abs(t - expected.values<double>("t")[i]));
        largest_p = std::max(largest_p, std::abs(p - expected.values<double>("p")[i]));
      }
      CHECK(largest_t <= 2. * epsilon * way / constants::speed_of_light);
      CHECK(largest_p <= 200. * epsilon);
    }
  }
}

namespace {

void check_text_refused(const std::string& text, const std::string& message) {
  CAPTURE(text);
  try {
    parse_bunch_csv(text, "b.csv", {.p0 = 200.});
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).substr(0, message.size()) == message);
  }
}

}  // namespace

TEST_CASE("damaged bunches are refused, with the line", "[io]") {
  const std::string header = "x,xp,y,yp,s,delta\n", good = "1,2,3,4,5,0.1\n";
  check_text_refused("", "b.csv: line 1: the names of the columns are missing");
  check_text_refused("x,xp,y,yp,s\n", "b.csv: the column 'delta' is missing; x, xp");
  check_text_refused("x,xp,y,yp\n", "b.csv: the column 't' is missing");
  check_text_refused("x,xp,yp,s,delta\n", "b.csv: line 1: the column 'y' is missing");
  check_text_refused("x,xp,y,yp,s,delta,t\n", "b.csv: the column 'p' is missing");
  check_text_refused("x,xp,y,yp,s,delta,lost_turn\n", "b.csv: the column 'lost_element' is");
  check_text_refused("x,xp,y,yp,s,delta,weight\n", "b.csv: line 1: there is no column 'weight'");
  check_text_refused("x,xp,y,yp,s,delta,\n", "b.csv: line 1: there is no column ''");
  check_text_refused("x,xp,y,x,yp,s,delta\n", "b.csv: line 1: the column 'x' is there twice");
  check_text_refused(header + good + "1,2,3,4,5\n",
                     "b.csv: line 3: 5 values (there are 6 columns)");
  check_text_refused(header + good + "1,2,3,4,5,6,7\n", "b.csv: line 3: 7 values (there are 6");
  check_text_refused(header + "1,2,3,,5,0\n", "b.csv: line 2, yp: '' is no number");
  check_text_refused(header + "1,2,3,4m,5,0\n", "b.csv: line 2, yp: '4m' is no number");
  check_text_refused(header + "1,2,3,1e999,5,0\n", "b.csv: line 2, yp: '1e999' is too large");
  check_text_refused(header + "1,2,3,nan,5,0\n", "b.csv: line 2, yp: it is not finite");
  check_text_refused(header + good + "1,2,3,4,5,-1\n",
                     "b.csv: line 3, momentum: it is not above 0");
  check_text_refused("id," + header + "1.5,1,2,3,4,5,0\n",
                     "b.csv: line 2, id: '1.5' is no integer of 64 bits");
  check_text_refused("lost_turn,lost_element," + header + "3000000000,1,1,2,3,4,5,0\n",
                     "b.csv: line 2, lost_turn: 3000000000 is no number of 32 bits");
  check_text_refused("p,t," + header + "250,0,1,2,3,4,0,0\n",
                     "b.csv: line 2, p: momentum and delta do not belong together (p0 is 200");
  CHECK_THROWS_AS(parse_bunch_csv(header + good, "b.csv"), UsageError);
  CHECK_THROWS_AS(parse_bunch_csv(header + good, "b.csv", {.p0 = -1.}), UsageError);
  CHECK_THROWS_AS(parse_bunch_csv("x,xp,y,yp,t,p\n", "b.csv"), UsageError);
  for (const double wrong : {std::nan(""), double(INFINITY)}) {
    CHECK_THROWS_AS(parse_bunch_csv(header + good, "b.csv", {.p0 = wrong}), UsageError);
    CHECK_THROWS_AS(parse_bunch_csv(header + good, "b.csv", {.p0 = 1., .path_length = wrong}),
                    UsageError);
  }
  for (const char* p : {"-200", "0", "nan", "inf"})
    CHECK_THROWS_WITH(parse_bunch_csv("x,xp,y,yp,t,p,lost_turn,lost_element\n1,2,3,4,5," +
                                          std::string(p) + ",-1,-1\n",
                                      "b.csv"),
                      Catch::Matchers::ContainsSubstring("b.csv: p: its mean is"));
  CHECK_THROWS_AS(read_bunch("/nowhere/b.csv"), InputError);
}

TEST_CASE("the first damaged row of a bunch is told", "[io]") {
  const std::string header = "x,xp,y,yp,s,delta,lost_turn,lost_element\n";
  const std::string good = "1,2,3,4,5,0.1,-1,-1\n";
  check_text_refused(header + good + "1,2,3,4,5,-2,-1,-1\nnan,2,3,4,5,0,-1,-1\n",
                     "b.csv: line 3, momentum: it is not above 0");
  check_text_refused(header + good + "1,2,3,4,5,0,3,-1\n1,2,3,4,5,0,3000000000,1\n",
                     "b.csv: line 3, lost_turn: it does not belong to lost_element");
  check_text_refused(header + good + "\"1\n\",2,3,4,5,0,-1,-1\n",
                     "b.csv: line 3: a quotation mark is not closed");
}

TEST_CASE("comments and long lines among the rows of a bunch", "[io]") {
  const std::string head = std::string(300000, '#') + "\n\n# a: b\nx,xp,y,yp,s,delta\n";
  std::string text = head;
  for (int i = 0; i < 3; ++i)
    text += "# " + std::string(5000000, ' ') + "\r\n" + std::to_string(i) + ",0,0,0,0,0\n\n";
  const auto table = parse_bunch_csv(text + "3,0,0,0,0,0", "b.csv", {.p0 = 200.});
  CHECK(table.v[x] == std::vector{0., 1., 2., 3.});
  check_text_refused(text + "3,0,0,0,0", "b.csv: line 14: 5 values");
}

TEST_CASE("bunches are written in pieces of any size", "[io]") {
  auto table = random_table(40000, 0.);
  const auto empty = io::detail::empty_bunch_table(false);
  const std::string expected = io::detail::csv_rows(bunch_table(table));
  for (const std::size_t max_kept : {std::size_t(0), std::size_t(3000000), std::size_t(1) << 30}) {
    io::detail::BunchText text(table, empty, max_kept);
    CHECK(text.count_bytes() == expected.size());
    std::string found;
    text.for_each_piece([&](const std::string& piece) { found += piece; });
    CHECK(found == expected);
  }
}

TEST_CASE("spins in files of bunches", "[io]") {
  auto table = random_table(50, 0.);
  table.set_spins(0., 0.6, -0.8);
  table.spin[0][3] = 1.;
  table.spin[1][3] = table.spin[2][3] = 0.;
  const std::string text = io::detail::csv_head(io::detail::empty_bunch_table(false, {}, true)) +
                           io::detail::csv_rows(bunch_table(table));
  const auto read = parse_bunch_csv(text, "b.csv");
  REQUIRE(read.has_spins);
  for (int c = 0; c < beam::n_spin_components; ++c) CHECK(read.spin[c] == table.spin[c]);
  CHECK_FALSE(parse_bunch_csv("x,xp,y,yp,t,p\n0,0,0,0,0,9\n", "b.csv").has_spins);
  check_text_refused("x,xp,y,yp,t,p,Sx,Sy\n0,0,0,0,0,9,1,0\n", "b.csv: the column 'Sz' is missing");
  check_text_refused("x,xp,y,yp,t,p,Sx,Sy,Sz\n0,0,0,0,0,9,1,1,0\n",
                     "b.csv: line 2, Sx: Sx, Sy and Sz are not a unit vector");
}

TEST_CASE("the mean momentum of many particles", "[io]") {
  std::string text = "x,xp,y,yp,t,p\n";
  for (int i = 0; i < 10000; ++i) text += "0,0,0,0,0," + std::to_string(150 + i % 101) + "\n";
  CHECK(std::abs(parse_bunch_csv(text, "b.csv").reference.p0 - 200.) < 0.1);
}

TEST_CASE("no bytes make the reader of bunches fail otherwise", "[io]") {
  auto table = random_table(5, 0.);
  table.losses[1] = {0, 7};
  const std::string good = bunch_csv(table);
  std::mt19937 random(1);
  const std::string symbols = ",,,\n\r .-+e0159nai\t";
  for (int n = 0; n < 20000; ++n) {
    std::string bytes = good;
    for (unsigned k = random() % 4; k < 4; ++k) {
      const std::size_t at = random() % bytes.size();
      if (random() % 3 == 0)
        bytes[at] = char(random());
      else
        bytes[at] = symbols[random() % symbols.size()];
    }
    if (n < int(good.size())) bytes = good.substr(0, std::size_t(n));
    try {
      parse_bunch_csv(bytes, "b.csv", {.p0 = 200.});
    } catch (const InputError&) {
    }
  }
  SUCCEED();
}
