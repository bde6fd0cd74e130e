# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Trackplex(CMakePackage):
    """Header-only C++20 library of the kernels that follow particles: through a detector, through
    an accelerator, through matter. Written once against Kokkos, with the same bits on every
    backend."""

    manual_download = True  # packaging/README.md says how to make the archive
    url = f"file://{os.getcwd()}/trackplex-0.2.0.tar.gz"

    license("Apache-2.0 WITH LLVM-exception")

    version("0.2.0")

    variant("io", default=True, description="Component io: readers and writers of files")
    variant("hdf5", default=False, description="Component hdf5: tables of io as .h5")
    variant("lzma", default=False, description="Component lzma: files of io as .xz")
    variant("mpi", default=False, description="Component mpi: programs on many ranks")

    depends_on("c", type="build", when="+hdf5")  # CMake's module for HDF5 compiles it
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@3.4:5")
    with when("+io"):
        depends_on("nlohmann-json")
        depends_on("simdjson")
        depends_on("zlib-api")
    depends_on("hdf5", when="+hdf5")
    depends_on("xz", when="+lzma")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:11", msg="Trackplex is written in C++20")
    conflicts("%clang@:13", msg="Trackplex is written in C++20")

    def cmake_args(self):
        return [
            self.define("TRACKPLEX_ENABLE_TESTS", False),
            self.define("TRACKPLEX_ENABLE_EXAMPLES", False),
            self.define("TRACKPLEX_ENABLE_BENCHMARKS", False),
            self.define("TRACKPLEX_FETCH_DEPENDENCIES", False),
            # The component exists where all its dependencies are found.
            self.define("CMAKE_DISABLE_FIND_PACKAGE_simdjson", "~io" in self.spec),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_LibLZMA", "~lzma" in self.spec),
            self.define_from_variant("TRACKPLEX_ENABLE_HDF5", "hdf5"),
            self.define_from_variant("TRACKPLEX_ENABLE_MPI", "mpi"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def compile_consumer(self):
        """With spack install --test=root: a program against the installed package."""
        components = ";".join(name for name in ("io", "hdf5", "lzma", "mpi") if f"+{name}" in self.spec)
        with working_dir("consumer", create=True):
            cmake(
                join_path(self.stage.source_path, "tests", "install", "package"),
                self.define("TRACKPLEX_INSTALLED_COMPONENTS", components),
                self.define("trackplex_ROOT", self.prefix),
            )
            cmake("--build", ".")
            Executable("./consumer")()
