// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/table.hpp>

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace trackplex::program {

std::string cell_of(const Json& object, const Column& column) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  std::istringstream keys(column.keys);
  for (std::string key; keys >> key;) {
    const Json::json_pointer at("/" + key);
    if (!object.contains(at) || object[at].is_null()) return "-";
    const Json& value = object[at];
    if (value.is_string())
      values.push_back(value.get<std::string>());
    else if (value.is_number_integer() && column.scale == 1.)
      values.push_back(value.get<std::int64_t>());
    else
      values.push_back(column.scale * value.get<double>());
  }
  return fmt::vformat(column.format, values);
}

std::string table_of(const Json& objects, const std::vector<Column>& columns) {
  std::vector<std::string> header;
  for (const auto& column : columns) header.push_back(column.title);
  Table table(std::move(header));
  for (const auto& [name, object] : objects.items()) {
    std::vector<std::string> row;
    for (const auto& column : columns)
      row.push_back(column.keys.empty() ? name : cell_of(object, column));
    table.add_row(std::move(row));
  }
  return table.text();
}

std::string category_table(const std::string& title, Json categories,
                           const std::vector<Column>& more) {
  std::vector<Column> columns = {{title, ""},
                                 {"particles", "particles"},
                                 {"found", "found"},
                                 {"efficiency", "efficiency", "{:.2f} %", 100.},
                                 {"+-", "efficiency_error", "{:.2f} %", 100.},
                                 {"clones", "clones"},
                                 {"clone rate", "clone_rate", "{:.2f} %", 100.}};
  columns.insert(columns.end(), more.begin(), more.end());
  Json shown = Json::object();
  for (const auto& [name, category] : categories.items())
    if (category["particles"] > 0) shown[name] = category;
  return table_of(shown, columns);
}

Json fraction(double part, double whole) { return whole > 0. ? Json(part / whole) : Json(); }

std::string percent(double part, double whole) {
  return whole > 0. ? fmt::format("{:.2f} %", 100. * part / whole) : "-";
}

std::string percent(double fraction) { return percent(fraction, 1.); }

Table::Table(std::vector<std::string> header) : columns_(header.size()) {
  rows_.push_back(std::move(header));
}

void Table::add_row(std::vector<std::string> row) {
  if (row.size() != columns_)
    throw std::invalid_argument(
        fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_));
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> width(columns_, 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < columns_; ++i) width[i] = std::max(width[i], row[i].size());
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < columns_; ++i)
      line += i == 0 ? fmt::format("{:<{}}", rows_[r][i], width[i])
                     : fmt::format("  {:>{}}", rows_[r][i], width[i]);
    out += line + "\n";
    if (r == 0) out += std::string(line.size(), '-') + "\n";
  }
  if (rows_.size() == 1) out += "There is nothing to show here.\n";
  return out;
}

}  // namespace trackplex::program
