"""Compiles the kernels; everything else about the package is in pyproject.toml.

SERVIDA_PORTABLE=1 builds them as plain C, without the extensions of GCC they use for speed; the results are the same.
"""

import os
from glob import glob

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildKernels(build_ext):
    """Adds the flags the C compiler understands.

    Optimised, but never with relaxed arithmetic: tables must be bit-identical on every machine. The `--param` keeps
    GCC from unrolling the loops over lanes before its vectoriser has seen them.
    """

    def build_extensions(self):
        if os.environ.get("SERVIDA_PORTABLE"):
            for extension in self.extensions:
                extension.define_macros.append(("SERVIDA_PORTABLE", "1"))
        elif self.compiler.compiler_type == "unix":
            for extension in self.extensions:
                extension.extra_compile_args += ["-O3", "-ffp-contract=off", "--param=max-completely-peel-times=3"]
        super().build_extensions()


COMMON = ["cext/lattice.c", "cext/turn.c", "cext/sheet.c", "cext/forward.c", "cext/mass.c", "cext/spread.c"]


def kernel(name, *sources, common=COMMON):
    return Extension(
        f"servida.cext.{name}",
        [f"cext/{name}.pyx", *common, *sources],
        include_dirs=["cext", numpy.get_include()],
        depends=["cext/kernel.pxd", *glob("cext/*.h")],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
    )


kernels = [
    kernel("kernel", "cext/simulate.c"),
    kernel("utility", "cext/spans.c", "cext/pursue.c"),
    kernel("duel", "cext/spans.c", "cext/pairs.c"),
    kernel("columns", "cext/spans.c", "cext/blocks.c"),
    kernel("relaxed", "cext/relax.c"),
    kernel("gin", "cext/melds.c", "cext/showdown.c", "cext/hidden.c", "cext/ginplay.c", "cext/ginbots.c", common=()),
]

setup(
    script_name="setup.py",
    ext_modules=cythonize(kernels, include_path=["cext"], build_dir="build/cython"),
    cmdclass={"build_ext": BuildKernels},
)
