# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the module by scripts/build, for the interpreter that runs this."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.search(r'VERSION_STRING "([^"]+)"', (ROOT / "include/trackplex/version.hpp").read_text())[1]


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        subprocess.run([ROOT / "scripts/build", "python", f"-DTRACKPLEX_PYTHON={sys.executable}"], check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        package = ROOT / "build/python/trackplex"
        built, = package.glob("_trackplex" + target.name.removeprefix("_trackplex"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)
        shutil.copy2(package / "_header_docs.py", target.parent)


setup(
    version=VERSION,
    packages=["trackplex"],
    package_data={"trackplex": ["py.typed", "_trackplex/*.pyi"]},
    ext_modules=[Extension("trackplex._trackplex", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
