"""Builds the native library if it is missing, and names the wheel for its platform."""

import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOLDER = Path(__file__).resolve().parent
PACKAGE = FOLDER / "src/reptrace"


class NativeDistribution(Distribution):
    """A distribution with a native library but without an extension module."""

    def has_ext_modules(self):
        return True


class BuildWithLibrary(build_py):
    def run(self):
        if not any(PACKAGE.glob("libreptrace.*")):
            subprocess.run([FOLDER / "build-native", PACKAGE], check=True)
        super().run()


class PlatformWheel(bdist_wheel):
    """One wheel for every Python 3 of a platform, because the library does not depend on Python."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(
    distclass=NativeDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
