#!/usr/bin/env python3
"""Installs a build tree to an empty prefix and uses it as a stranger would: by find_package and by
pkg-config. Usage: install_test.py BUILD_DIR SOURCE_DIR CXX_COMPILER CMAKE"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}\nfailed with {done.returncode}:\n{done.stdout}")
    return done.stdout


def check_headers(prefix):
    """Every header that an installed header includes is installed, too."""
    include = prefix / "include"
    headers = list(include.rglob("*.h"))
    if include / "tenon/tenon.h" not in headers:
        sys.exit("include/tenon/tenon.h is not installed")
    for header in headers:
        for name in re.findall(r'#include ["<](tenon/[^">]+)', header.read_text()):
            if not (include / name).exists():
                sys.exit(f"{header.relative_to(include)} includes {name}, which is not installed")


def check_moved(prefix, build_dir, source_dir):
    """Nothing installed as text remembers where it was built."""
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".pc", ".h"):
            text = path.read_text()
            for place in (build_dir, source_dir, prefix):
                if str(place) in text:
                    sys.exit(f"{path.relative_to(prefix)} contains {place}")


def main():
    build_dir, source_dir, compiler, cmake = sys.argv[1:]
    example = Path(source_dir) / "examples/use_installed"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        run(cmake, "--install", build_dir, "--prefix", scratch / "first")
        # a prefix that was moved after installing still works
        prefix = scratch / "moved"
        (scratch / "first").rename(prefix)
        check_headers(prefix)
        check_moved(prefix, build_dir, source_dir)

        run(cmake, "-S", example, "-B", scratch / "cmake", "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
            "-DCMAKE_BUILD_TYPE=Release")
        run(cmake, "--build", scratch / "cmake")
        by_cmake = run(scratch / "cmake/pendulum")

        config = next(prefix.rglob("tenon.pc"), None)
        if config is None:
            sys.exit("tenon.pc is not installed")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(config.parent))
        flags = run("pkg-config", "--cflags", "--libs", "tenon", env=environment).split()
        run(compiler, "-O2", example / "main.cpp", *flags, "-o", scratch / "by_hand")
        by_hand = run(scratch / "by_hand")

        if by_cmake != by_hand or "t = 1.0 s  angle = -3.134 rad" not in by_cmake:
            sys.exit(f"different answers:\n{by_cmake}{by_hand}")
        print(by_cmake, end="")


if __name__ == "__main__":
    main()
