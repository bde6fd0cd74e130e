# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stubs of types have the members of the types, and these are documented."""

import ast
import importlib
from pathlib import Path

import pytest

import trackplex

STUBS = Path(trackplex.__file__).parent / "_trackplex"
INTERNAL = {"__init__", "__repr__", "__getstate__", "__setstate__", "__new__", "__doc__", "__module__", "_pybind11_conduit_v1_"}


def classes():
    for path in sorted(STUBS.glob("*.pyi")):
        name = "trackplex._trackplex" + ("" if path.stem == "__init__" else f".{path.stem}")
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield pytest.param(importlib.import_module(name), node, id=f"{path.stem}.{node.name}")


@pytest.mark.parametrize("module, node", classes())
def test_members(module, node):
    names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    names |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
    cls = getattr(module, node.name)
    members = {name for name in vars(cls) if not (name.startswith("_") and not name.startswith("__"))}
    assert names - INTERNAL == members - INTERNAL


@pytest.mark.parametrize("module", ["beam", "detector", "io", "kalman", "lhcb", "montecarlo", "random"])
def test_all_that_is_public_is_documented(module):
    module = getattr(trackplex, module)
    assert module.__doc__
    for name in module.__all__:
        assert getattr(module, name).__doc__, name
        assert len(getattr(module, name).__doc__) > 10, name
