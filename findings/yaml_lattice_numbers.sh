#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A lattice of PALS in YAML has other numbers with each reader. yaml-cpp 0.7.0 reads `010` as 8
# where an integer is asked for and as 10 where a real number is, `09` only as a real number, and
# keeps two elements of one name, of which the first counts. PyYAML 6.0 takes `1e3` and `.5e3` for
# texts, `010` for 8, and the last of two elements. Seen with Debian 12.
. "$(dirname "$0")/lib.sh"

debian libyaml-cpp-dev=0.7.0+dfsg-8+b1 libyaml-cpp0.7=0.7.0+dfsg-8+b1 python3-yaml=6.0-3+b2
cat >"$work/lattice.pals.yaml" <<'YAML'
PALS:
  facility:
    - d1: {kind: Drift, length: 010}
    - d2: {kind: Drift, length: 1e3}
    - d3: {kind: Drift, length: 09}
    - names: {q: {kind: Drift, length: 1.0}, q: {kind: Drift, length: 2.0}}
YAML
cat >"$work/read.cpp" <<'CODE'
#include <iostream>
#include <yaml-cpp/yaml.h>
template <class T>
void show(const char* type, const YAML::Node& node) {
  std::cout << ' ' << type << ' ';
  try {
    std::cout << node.as<T>();
  } catch (const YAML::Exception&) {
    std::cout << "error";
  }
}
int main(int, char** argv) {
  const auto facility = YAML::LoadFile(argv[1])["PALS"]["facility"];
  for (int i = 0; i < 3; ++i) {
    const auto length = facility[i].begin()->second["length"];
    std::cout << length.Scalar();
    show<int>("int", length);
    show<double>("double", length);
    std::cout << "; ";
  }
  const auto names = facility[3]["names"];
  std::cout << names.size() << " of one name, q is " << names["q"]["length"].Scalar() << '\n';
}
CODE
g++ -std=c++17 -I"$root/usr/include" "$work/read.cpp" -o "$work/read" -L"$libraries" -lyaml-cpp
cat >"$work/read.py" <<'CODE'
import sys
import yaml

facility = yaml.safe_load(open(sys.argv[1]))["PALS"]["facility"]
lengths = [next(iter(item.values()))["length"] for item in facility[:3]]
names = facility[3]["names"]
print(*(f"{type(length).__name__} {length};" for length in lengths), len(names), "of one name, q is", names["q"]["length"])
CODE
seen "yaml-cpp" "$(LD_LIBRARY_PATH=$libraries "$work/read" "$work/lattice.pals.yaml")" \
  "010 int 8 double 10; 1e3 int error double 1000; 09 int error double 9; 2 of one name, q is 1.0"
seen "PyYAML" "$(PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -B "$work/read.py" "$work/lattice.pals.yaml")" \
  "int 8; str 1e3; str 09; 1 of one name, q is 2.0"
finish
