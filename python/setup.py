"""Builds the native library where it is not there yet, and names the wheel for its platform."""

import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOLDER = Path(__file__).resolve().parent
PACKAGE = FOLDER / "src/reptrace"


class BuildWithLibrary(build_py):
    def run(self):
        if not any(PACKAGE.glob("libreptrace.*")):
            subprocess.run([FOLDER / "build-native", PACKAGE], check=True)
        super().run()


class PlatformWheel(bdist_wheel):
    """One wheel for every Python 3 of a platform: the library knows nothing of Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
