# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/check_layers.py on small made-up projects."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_layers  # noqa: E402

LICENCE = f"// {check_layers.SPDX}\n"


def with_readmes(files):
    """The files, with READMEs that list the headers of each folder where there are none."""
    headers = [Path(name) for name in files if name.endswith(".hpp") and "/" in name]
    readmes = {}
    for header in headers:
        if header.parent.name != "detail":
            readmes[f"{header.parent}/README.md"] = readmes.get(f"{header.parent}/README.md", "") + f"| `{header.name}` | a b |\n"
    return readmes | files


def run(files):
    """Checks a project with these files below include/trackplex; returns the printed violations."""
    files = with_readmes(files)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / "include" / "trackplex" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(LICENCE + text)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            check_layers.check(Path(folder))
    return output.getvalue().splitlines()[:-1]


class Includes(unittest.TestCase):
    def included(self, layer, *targets):
        return run({f"{layer}/a.hpp": "".join(f"#include <trackplex/{target}/b.hpp>\n" for target in targets)})

    def test_every_layer_may_include_core_itself_and_what_the_table_says(self):
        for layer, direct in check_layers.LAYERS.items():
            self.assertEqual(self.included(layer, "core", layer, *direct), [], layer)

    def test_what_is_allowed_is_allowed_transitively(self):
        self.assertEqual(self.included("lhcb", "matriplex", "kalman", "search", "histogram"), [])

    def test_upwards_and_sideways_is_an_error(self):
        for layer, target in [("core", "matriplex"), ("matriplex", "kalman"), ("search", "kalman"), ("lhcb", "beam"),
                              ("seeding", "candidates"), ("perfmodel", "beam"), ("simulation", "validation")]:
            found = self.included(layer, target)
            self.assertEqual(len(found), 1, (layer, target))
            self.assertIn(f"{layer} includes {target}/b.hpp", found[0])
            self.assertTrue(found[0].startswith(f"include/trackplex/{layer}/a.hpp:2: "), found[0])

    def test_nothing_includes_pipeline_or_io(self):
        for layer in check_layers.LAYERS:
            for target in ("pipeline", "io", "io/tables"):
                if layer not in (target, "mpi") and not layer.startswith("io/"):
                    self.assertEqual(len(self.included(layer, target)), 1, (layer, target))

    def test_rooms(self):
        self.assertEqual(self.included("beam/optics", "beam/elements"), [])
        self.assertIn("beam/steps may include", self.included("beam/steps", "beam/elements")[0])
        self.assertIn("unknown layer beam/misc", run({"beam/misc/a.hpp": ""})[0])

    def test_details_are_for_their_folder(self):
        self.assertEqual(self.included("io", "io/detail"), [])
        self.assertEqual(self.included("io/sdds", "io/detail", "io/sdds/detail"), [])
        self.assertEqual(self.included("io/sdds/detail", "io/detail", "io/sdds/detail"), [])
        for layer, target in [("io/tables", "io/sdds"), ("beam/optics", "beam/elements"), ("search", "geometry")]:
            self.assertIn(f"{target}/detail is for headers of {target}", self.included(layer, f"{target}/detail")[0])

    def test_the_table_has_no_cycle(self):
        for layer in check_layers.LAYERS:
            for other in check_layers.closure(layer) - {layer}:
                self.assertNotIn(layer, check_layers.closure(other) - {other}, (layer, other))

    def test_unknown_layers(self):
        self.assertIn("unknown layer", run({"misc/a.hpp": ""})[0])
        self.assertIn("no layer of the design", self.included("core", "misc")[0])

    def test_umbrella_header(self):
        self.assertEqual(run({"trackplex.hpp": "#include <trackplex/pipeline/a.hpp>\n"}), [])
        for layer in ("io", "perfmodel", "simulation", "validation"):
            self.assertEqual(len(run({"trackplex.hpp": f"#include <trackplex/{layer}/a.hpp>\n"})), 1, layer)
        self.assertEqual(len(run({"core/a.hpp": "#include <trackplex/trackplex.hpp>\n"})), 1)
        self.assertEqual(run({"core/a.hpp": '#include "trackplex/version.hpp"\n'}), [])

    def test_quotes_and_comments(self):
        self.assertEqual(len(run({"core/a.hpp": '# include "trackplex/lhcb/b.hpp"\n'})), 1)
        self.assertEqual(run({"core/a.hpp": "// #include <trackplex/lhcb/b.hpp>\n"}), [])
        self.assertEqual(run({"core/a.hpp": "/*\n#include <trackplex/lhcb/b.hpp>\n*/\n"}), [])


class Readmes(unittest.TestCase):
    def test_a_readme_lists_each_public_header_once(self):
        headers = {"io/sdds/a.hpp": "", "io/sdds/b.hpp": "", "io/sdds/detail/c.hpp": ""}
        self.assertEqual(run(headers), [])
        for readme, problem in [("", "README.md:1: a.hpp is not listed"), ("| `a.hpp` | x |\n", "README.md:1: b.hpp is not listed"),
                                ("| `a.hpp` | x |\n| `b.hpp` |  |\n", "b.hpp is not listed"),
                                ("| `a.hpp` | x |\n| `b.hpp` | x |\n| `c.hpp` | x |\n", "README.md:4: there is no c.hpp"),
                                ("| `a.hpp` | x |\n| `b.hpp` | x |\n| `a.hpp` | x |\n", "README.md:4: a.hpp is listed twice")]:
            found = run(headers | {"io/sdds/README.md": readme})
            self.assertEqual(len(found), 2 if not readme else 1, readme)
            self.assertIn(problem, found[0])


class TestLists(unittest.TestCase):
    def test_sources_of_tests_are_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder) / "tests" / "io"
            (tests / "sdds").mkdir(parents=True)
            for name in ("a.cpp", "sdds/b.cpp", "main.cpp"):
                (tests / name).write_text("" if name == "main.cpp" else "TEST_CASE()\n")
            lists = tests / "CMakeLists.txt"
            for text, unlisted in [("trackplex_add_tests(io SOURCES a.cpp sdds/b.cpp)", []), ("trackplex_add_tests(io SOURCES a.cpp b.cpp)", ["b.cpp"]),
                                   ("set_source_files_properties(a.cpp\n PROPERTIES X)\nadd(sdds/b.cpp)", ["a.cpp"])]:
                lists.write_text(text)
                self.assertEqual([source.name for source in check_layers.unlisted_tests(Path(folder))], unlisted, text)


class Contents(unittest.TestCase):
    BACKEND_CODE = (
        "#if defined(KOKKOS_ENABLE_CUDA)\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#endif\n",
        "#ifndef __AVX2__\n#endif\n",
        "inline auto f(float const* p) { return _mm256_loadu_ps(p); }\n",
        "inline __m256d f();\n",
        "#include <immintrin.h>\n",
        "inline void f() { KOKKOS_IF_ON_HOST(g();) }\n",
        "#pragma omp simd\n",
        "#pragma GCC ivdep\n",
    )

    def test_backend_code_is_for_core_only(self):
        for code in self.BACKEND_CODE:
            self.assertEqual(len(run({"kalman/a.hpp": code})), 1, code)
            self.assertEqual(run({"core/a.hpp": code}), [], code)

    def test_harmless_code(self):
        for code in ("#pragma once\n", "#if KOKKOS_VERSION >= 40000\n#endif\n", "// see __m256 and #pragma omp\n",
                     "instance.fence();\n", 'char const* text = "Kokkos::fence()";\n'):
            self.assertEqual(run({"kalman/a.hpp": code}), [], code)

    def test_public_templates_have_few_parameters(self):
        five, six = "class A, class B = P<int, 1>, int C = f(1, 2), class D = Q<A, B>, X<A, B> E", "class A, class B, class C, class D, class E, int F"
        self.assertEqual(run({"core/a.hpp": f"template <{five}>\nstruct S {{}};\n"}), [])
        self.assertEqual(run({"core/a.hpp": f"template <{six}>\n[[nodiscard]] inline A f(const B& b);\n"}),
                         ["include/trackplex/core/a.hpp:2: f has 6 template parameters (at most 5 are readable) "
                          "deduce them, bundle what belongs together, or move it to detail"])
        for code in ("struct S {\n  template <%s>\n  void f();\n};\n", "namespace a::b {\ntemplate <%s>\nclass S {};\n}\n",
                     "namespace detail {\nstruct S {};\n}\ntemplate <%s>\nusing S = A;\n"):
            self.assertEqual(len(run({"core/a.hpp": code % six})), 1, code)
        hidden = f"namespace a::detail {{\nstruct S {{}};\ntemplate <{six}>\nvoid f();\n}}\n"
        self.assertEqual(run({"core/a.hpp": hidden, "core/detail/b.hpp": f"template <{six}>\nvoid f();\n"}), [])
        name = next(iter(check_layers.MANY_TEMPLATE_PARAMETERS))
        self.assertEqual(run({"core/a.hpp": f"template <{six}>\nstruct {name} {{}};\n"}), [])

    def test_standard_headers(self):
        text = "// std::sort\nstd::size_t size();\ninline int f() { return std::max(1, 2); }\n"
        self.assertEqual(run({"beam/a.hpp": "#include <algorithm>\n#include <vector>\n" + text}), [])
        self.assertEqual(run({"beam/a.hpp": "#include <vector>\n" + text}),
                         ["include/trackplex/beam/a.hpp:5: std::max without <algorithm> (what others include may change) "
                          "add #include <algorithm>"])

    def test_global_fence(self):
        self.assertIn("global fence", run({"core/a.hpp": "inline void f() { Kokkos::fence(); }\n"})[0])

    def test_arrays_are_allocated_in_one_place(self):
        for code in ("auto a = Array(Kokkos::view_alloc(exec, label), n);\n", "Kokkos::View<int*, Space> a(\"label\", n);\n",
                     "a = View<int*>(\"label\", n);\n", "Kokkos::View<int*> a{\"label\", 1};\n"):
            for name in ("beam/a.hpp", "core/a.hpp"):
                self.assertIn("core/allocate.hpp", run({name: code})[0], code)
            self.assertEqual(run({"core/allocate.hpp": code}), [], code)
        for code in ("auto a = new_array<Kokkos::View<int*>>(\"label\", n);\n", "const Kokkos::View<int*> a(pointer, n);\n"):
            self.assertEqual(run({"beam/a.hpp": code}), [], code)

    def test_functions_that_differ_between_libraries_are_for_reports(self):
        for call in ("std::sin(x)", "std::pow(x, 2.)", "std :: atan2(y, x)", "Kokkos::exp(x)", "std::tgamma(x)", "std::log1p(x)",
                     "std::asinh(x)", "std::arg(z)"):
            code = "#include <cmath>\n#include <complex>\ninline double f(double x) { return " + call + "; }\n"
            self.assertIn("libraries differ", run({"beam/a.hpp": code})[0], call)
            self.assertIn("libraries differ", run({"core/a.hpp": code})[0], call)
            self.assertEqual(run({"validation/a.hpp": code}), [], call)
        for call in ("std::sqrt(x)", "std::fma(x, x, x)", "std::floor(x)", "std::ldexp(x, 2)", "sin(x)", "trackplex::log(x)"):
            code = "#include <cmath>\ninline double f(double x) { return " + call + "; }\n"
            self.assertEqual(run({"beam/a.hpp": code}), [], call)

    def test_long_header(self):
        self.assertEqual(run({"core/a.hpp": "\n" * (check_layers.MAXIMUM_LINES - 1)}), [])
        found = run({"core/a.hpp": "\n" * check_layers.MAXIMUM_LINES})  # one line more: the licence
        self.assertEqual(len(found), 1)
        self.assertIn("long header", found[0])

    def test_licence_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"a.py": "pass\n", "b.sh": f"# {check_layers.SPDX}\n", "LICENSE": "text", "c.json": "{}",
                               "empty.txt": ""}.items():
                (Path(folder) / name).write_text(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                self.assertEqual(check_layers.check(Path(folder)), 1)
            self.assertTrue(output.getvalue().startswith("a.py:1: no licence line"))

    def test_licence_texts_have_no_licence_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("LICENSES/Apache-2.0.txt", "docs/LICENSES/b.txt"):
                (Path(folder) / name).parent.mkdir(parents=True)
                (Path(folder) / name).write_text("text")
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                self.assertEqual(check_layers.check(Path(folder)), 1)
            self.assertTrue(output.getvalue().startswith("docs/LICENSES/b.txt:1: no licence line"))


if __name__ == "__main__":
    unittest.main()
