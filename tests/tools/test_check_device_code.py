# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/check_device_code.py on what compilers write of small kernels."""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_device_code  # noqa: E402

# Two kernels and a function that one of them calls.
PTX = """
.visible .func  (.param .b32 func_retval0) _Z6calledd(
	.param .b64 _Z6calledd_param_0
)
{
	add.rn.f64 	%fd3, %fd1, %fd2;
	ret;
}
	// .globl	_Z1aIfEvT_
.visible .entry _Z1aIfEvT_(
	.param .f32 _Z1aIfEvT__param_0
)
{
	.reg .f64 	%fd<4>;
	ld.global.f64 	%fd1, [%rd2];
	mov.f64 	%fd2, 0d3FF0000000000000;
	@%p1 bra 	$L__BB0_2;
	@!%p1 cvt.f64.f32 	%fd2, %f1;
	setp.lt.f64 	%p1, %fd1, %fd2;
	{ // callseq 0, 0
	call.uni (retval0),
	_Z6calledd,
	(
	param0
	);
	} // callseq 0
	ret;
}
	// .globl	_Z1bIdEvT_
.entry _Z1bIdEvT_(
	.param .f64 _Z1bIdEvT__param_0
)
{
	mul.rn.f32 	%f1, %f2, %f3;
	st.global.f64 	[%rd2], %fd1;
	ret;
}
"""
PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1bIdEvT_' for 'sm_90'
ptxas info    : Function properties for _Z1bIdEvT_
    600 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 600 bytes cumulative stack size
ptxas info    : Compile time = 1.847 ms
ptxas info    : Compiling entry function '_Z1aIfEvT_' for 'sm_90'
ptxas info    : Function properties for _Z1aIfEvT_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 0 barriers
"""
# Assembly of an AMD GPU, the same.
AMD = """
	.type	_Z6calledd,@function
_Z6calledd:
	v_add_f64 v[0:1], v[2:3], v[4:5]
	.type	_Z1aIfEvT_,@function
_Z1aIfEvT_:                             ; @_Z1aIfEvT_
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, _Z6calledd@rel32@lo+4
	v_cvt_f64_f32_e32 v[0:1], v0
	v_cmp_gt_f64_e32 vcc, v[0:1], v[2:3]
	v_mul_f32_e32 v0, v1, v2
	.type	_Z1bIdEvT_,@function
_Z1bIdEvT_:
	global_store_dwordx2 v0, v[2:3], s[0:1]
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .offset:         0
        .name:           x
        .size:           4
    .name:           _Z1aIfEvT_
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .vgpr_count:     14
    .vgpr_spill_count: 0
  - .agpr_count:     0
    .name:           _Z1bIdEvT_
    .private_segment_fixed_size: 600
    .sgpr_count:     18
    .sgpr_spill_count: 8
    .vgpr_count:     255
    .vgpr_spill_count: 20
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
"""
NAMES = {
    "void Kokkos::Impl::team_kernel<trackplex::detail::TeamFunctor<trackplex::beam::detail::MomentBlocks<double, float>, 1> >"
    "(trackplex::detail::TeamFunctor<trackplex::beam::detail::MomentBlocks<double, float>, 1>, char*)":
        "beam::MomentBlocks<double, float>",
    "void Kokkos::Impl::range_kernel<void, trackplex::detail::TileFunctor<int, trackplex::detail::OneByOne<trackplex::Sort<"
    "Kokkos::View<int*, Kokkos::CudaSpace, Kokkos::MemoryTraits<0u> > >, trackplex::Sort<Kokkos::View<int*, Kokkos::CudaSpace, "
    "Kokkos::MemoryTraits<0u> > >::Count> > >(trackplex::detail::TileFunctor<int, int>, int, int)":
        "Sort<View>::Count",
    "void Kokkos::Impl::range_kernel<void, trackplex::detail::TileFunctor<float, trackplex::(anonymous namespace)::Elementary<"
    "float> > >(trackplex::detail::TileFunctor<float, float>, int, int)":
        "Elementary<float>",
    "void Kokkos::Impl::team_kernel<trackplex::kalman::detail::Fit<trackplex::kalman::Hits<float, Kokkos::CudaSpace>::View<"
    "trackplex::DenseShape<3, 1> >, (trackplex::Kind)2, Kokkos::Cuda> >(int, char*)":
        "kalman::Fit<Hits::View, 2> of float",
}


class DeviceCode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def exceptions(self, text):
        path = self.folder / "exceptions.txt"
        path.write_text(text)
        return check_device_code.read_exceptions(path)

    def table(self, exceptions, *parts):
        """(messages, lines) of a table of parts."""
        results = [self.folder / f"{number}.json" for number in range(len(parts))]
        for result, part in zip(results, parts):
            result.write_text(json.dumps(part))
        with contextlib.redirect_stdout(io.StringIO()):
            messages = check_device_code.table(self.folder / "table.txt", exceptions, results)
        return messages, (self.folder / "table.txt").read_text().splitlines()

    def test_names(self):
        for demangled, name in NAMES.items():
            self.assertEqual(check_device_code.readable(demangled), name)

    def test_kernels(self):
        kernels = {"_Z1aIfEvT_": {"registers": 14, "stack": 0, "spill": 0, "f64": 3},
                   "_Z1bIdEvT_": {"registers": 255, "stack": 600, "spill": 20, "f64": 0}}
        self.assertEqual(check_device_code.kernels_of_ptx(PTX, PTXAS), kernels)
        self.assertEqual(check_device_code.kernels_of_amd(AMD), kernels)

    def test_limits(self):
        kernels = {"a<float>": {"stack": 512, "spill": 0, "f64": 3}, "b<double>": {"stack": 600, "spill": 20, "f64": 100}}
        self.assertEqual(check_device_code.problems_of(kernels, {})[0], [
            "a<float>: f64 3 (limit 0)", "b<double>: spill 20 (limit 0)", "b<double>: stack 600 (limit 512)"])

    def test_exceptions(self):
        exceptions = self.exceptions("# comment\n\nstack 600  b<*>  # why\nf64 2 a<float> # why\n")
        kernels = {"a<float>": {"stack": 0, "spill": 0, "f64": 3}, "b<double>": {"stack": 600, "spill": 0, "f64": 0}}
        messages, needed = check_device_code.problems_of(kernels, exceptions)
        self.assertEqual(messages, ["a<float>: f64 3 (limit 2)"])
        self.assertEqual(needed, {("stack", "b<*>"), ("f64", "a<float>")})

    def test_exceptions_give_their_reason(self):
        for line in ("stack 600 b<*>", "stack 600 b<*> #", "heap 600 b<*> # why", "stack b<*> # why"):
            with self.assertRaises(SystemExit):
                self.exceptions(line)

    def test_table(self):
        small = {"registers": 8, "stack": 0, "spill": 0, "f64": 0}
        messages, lines = self.table({("stack", "b"): 600, ("stack", "c*"): 600, ("spill", "c*"): 8},
                                     {"c": small, "b": small}, {"c": small | {"registers": 40, "stack": 600}})
        self.assertEqual([line.split() for line in lines],
                         [["registers", "stack", "spill", "f64", "kernel"], ["8", "0", "0", "0", "b"], ["40", "600", "0", "0", "c"]])
        self.assertEqual(messages, ["no kernel needs the exception: spill c*", "no kernel needs the exception: stack b"])

    def test_exit_status(self):
        script = [sys.executable, "-B", check_device_code.__file__]
        result, exceptions = self.folder / "result.json", self.folder / "exceptions.txt"
        result.write_text(json.dumps({"a": {"registers": 8, "stack": 600, "spill": 0, "f64": 0}}))
        for text, status in (("", 0), ("stack 600 a # why\n", 0), ("spill 8 a # why\n", 1)):
            exceptions.write_text(text)
            done = subprocess.run([*script, "table", self.folder / "table.txt", exceptions, result], capture_output=True)
            self.assertEqual(done.returncode, status, text)
        self.assertEqual(subprocess.run(script, capture_output=True).returncode, 1)

    def test_what_does_not_compile(self):
        result = self.folder / "result.json"
        messages = check_device_code.compile_part(result, {}, ["false", "-o", "lhcb.ptx"])
        self.assertEqual(messages, ["lhcb.ptx does not compile"])
        self.assertFalse(result.exists())


if __name__ == "__main__":
    unittest.main()
