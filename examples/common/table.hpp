// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::program {

using Json = nlohmann::ordered_json;

/// A text table with aligned columns: the first one to the left, the others, numbers, to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header);

  void add_row(std::vector<std::string> row);

  /// The header, a rule, the rows, or a sentence where there are none; each line ends with a
  /// newline.
  std::string text() const;

 private:
  std::size_t columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// What stands in a column of a table of JSON objects.
struct Column {
  std::string title;
  /// Of the values in a cell: "seconds", or "spread/min spread/max"; empty: the object's own key.
  std::string keys;
  std::string format = "{}";
  double scale = 1.;  ///< of numbers that are no counts
};

/// The values of an object: "-" where one of them is missing or null.
std::string cell_of(const Json& object, const Column& column);

/// A row for each object of a list, or of an object.
std::string table_of(const Json& objects, const std::vector<Column>& columns);

/// How many particles of each category of LHCb were found; categories without any are left out.
std::string category_table(const std::string& title, Json categories,
                           const std::vector<Column>& more = {});

/// Null where it does not exist (nothing to divide by).
Json fraction(double part, double whole);

/// "95.62 %", or "-" where the fraction does not exist.
std::string percent(double part, double whole);
std::string percent(double fraction);

}  // namespace trackplex::program
