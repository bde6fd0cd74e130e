# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the tables that programs write, as CSV and, with h5dump, as HDF5."""

import array
import csv
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from program_case import ProgramCase


class Table(dict):
    """Columns by name: lists of integers, numbers or texts. With `units` by column, and `metadata`."""

    def __init__(self, metadata):
        super().__init__()
        self.metadata, self.units = metadata, {}

    def rows(self):
        return len(next(iter(self.values())))


def value_of(field):
    """An integer, a number, or a text."""
    if re.fullmatch(r"0|-?[1-9]\d*", field):
        return int(field)
    is_number = re.fullmatch(r"-?(\d+(\.\d+)?(e[+-]\d+)?|inf)|nan", field)
    return float(field) if is_number else field


def beside(file, table):
    """The CSV or SDDS file of another table than the first one."""
    file = Path(file)
    return file.with_name(f"{file.stem}_{table}{file.suffix}")


def read_csv(file):
    metadata, rest = {}, []
    with open(file, newline="", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# ") and not rest:
                key, value = line[2:].rstrip("\n").split(": ", 1)
                metadata[key] = value
            else:
                rest.append(line)
    rows = csv.reader(rest)
    table = Table(metadata)
    for field in next(rows):
        name, unit = re.fullmatch(r"([^\[]+)(?:\[(.+)\])?", field).groups()
        table[name], table.units[name] = [], unit
    for row in rows:
        for column, field in zip(table.values(), row, strict=True):
            column.append(value_of(field))
    return table


def dump(file, *arguments):
    return subprocess.run(["h5dump", "-w", "0", *arguments, str(file)], capture_output=True, text=True, check=True).stdout


def read_hdf5(file, name):
    header = dump(file, "-A")
    root = header.split("GROUP \"", 2)[1]
    metadata = dict(re.findall(r'ATTRIBUTE "([^"]+)" \{.*?\(0\): "(.*?)"\n', root, re.DOTALL))
    table = Table(metadata)
    group = header[header.index(f'GROUP "{name}" {{'):]
    group = group[:re.search(r"\n   \}", group).start()]
    for part in group.split("DATASET ")[1:]:
        column = part.split('"')[1]
        unit = re.search(r'ATTRIBUTE "unit" \{.*?\(0\): "(.*?)"', part, re.DOTALL)
        table[column] = values_of(file, f"/{name}/{column}", part.split("DATASPACE")[0])
        table.units[column] = unit and unit.group(1)
    return table


def values_of(file, path, datatype):
    with tempfile.NamedTemporaryFile() as binary:
        dump(file, "-d", path, "-b", "FILE", "-o", binary.name)
        content = Path(binary.name).read_bytes()
    if "H5T_STRING" in datatype:
        size = int(re.search(r"STRSIZE (\d+)", datatype).group(1))
        return [content[i:i + size].rstrip(b"\0").decode() for i in range(0, len(content), size)]
    kind = "q" if "H5T_STD_I64LE" in datatype else "f" if "H5T_IEEE_F32LE" in datatype else "d"
    return array.array(kind, content).tolist()


def float32(value):
    """The number of single precision that is nearest."""
    return array.array("f", [value])[0]


class TableCase(ProgramCase):
    # What makes the program write tables to the file that is named next.
    TABLE_ARGUMENTS = ()

    def has_hdf5(self):
        """Whether the program was built with HDF5; else it must say so."""
        result = self.run_program(*self.TABLE_ARGUMENTS, self.folder / "probe.h5")
        self.assertIn(result.returncode, (0, 2), result.stderr)
        self.assertEqual(result.returncode == 2, "this build has no HDF5" in result.stderr, result.stderr)
        return result.returncode == 0

    def need_h5dump(self):
        if shutil.which("h5dump") is None or not self.has_hdf5():
            self.skipTest("needs h5dump, and a program with HDF5")

    def check_same_tables(self, csv_files, hdf5_file, precision="double"):
        """`csv_files`: by the names of the tables."""
        for name, file in csv_files.items():
            expected, found = read_csv(file), read_hdf5(hdf5_file, name)
            self.assertGreater(found.rows(), 0)
            self.assertEqual(set(found), set(expected))
            self.assertEqual(found.units, {column: expected.units[column] for column in found})
            self.assertEqual(set(found.metadata), set(expected.metadata))
            for column, values in found.items():
                kind = type(values[0])
                to = {float: float32 if precision == "float" else float, int: int, str: str}[kind]
                self.assertEqual(list(map(repr, values)), [repr(to(value)) for value in expected[column]], (name, column))

    def check_reproducible(self, *arguments, tables=("hits", )):
        """Equal bytes from every backend and number of threads."""
        for ending in ("csv", "sdds", "h5") if self.has_hdf5() else ("csv", "sdds"):
            contents = set()
            for i, more in enumerate(((), ("--backend", "serial"), ("--threads", 1), ("--threads", 2))):
                file = self.folder / f"same{i}.{ending}"
                self.succeed(*arguments, file, *more)
                files = [file, *(beside(file, table) for table in tables if ending != "h5")]
                contents.add(b"".join(one.read_bytes() for one in files))
            self.assertEqual(len(contents), 1)
