// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/tables/table_file.hpp>

#include <cstdio>
#include <filesystem>
#include <vector>

using namespace trackplex;
using enum io::ColumnType;

int main() {
  io::Table pulses{"pulses",
                   {{"channel", "", int64}, {"time", "ns", float64}, {"height", "V", float32}},
                   {{"run", "17"}}};
  pulses.add_row(3, 12.5, 0.1f);
  pulses.add_row(8, 13.25, 0.3f);
  const auto path = std::filesystem::temp_directory_path() / "pulses.csv";  // or .h5, .sdds
  io::write_table(path, pulses);

  const std::vector<io::ColumnFormat> format{
      {"channel", "", int64}, {"time", "ns"}, {"height", "V", float32}};
  const auto found = io::read_table(path, "pulses", format);
  std::printf("%zu pulses, the last of %g V\n", found.rows(),
              double(found.values<float>("height").back()));
}
