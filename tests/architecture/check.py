#!/usr/bin/env python3
"""Checks the rules that hold the tree together. Usage: check.py ROOT [COMPILER]; exit code 1 on violations.
COMPILER is asked what standard headers declare; without it that rule is left out."""
import sys

from includes import check_included_names, check_standard_names
from layers import check_layers
from rules import (check_citations, check_deprecated, check_engine_headers, check_hidden_names, check_lengths, check_libm,
                   check_merges, check_paths)
from source_tree import load_tree

RULES = (check_layers, check_engine_headers, check_libm, check_deprecated, check_lengths,
         check_hidden_names, check_merges, check_paths, check_citations, check_included_names)


def main():
    files = load_tree(sys.argv[1])
    violations = [message for rule in RULES for message in rule(files)]
    if len(sys.argv) > 2:
        violations += check_standard_names(files, sys.argv[2])
    print("\n".join(violations))
    includes = sum(len(file.includes) for file in files.values())
    print(f"{len(violations)} violations in {len(files)} files with {includes} includes")
    # an empty tree must not pass for a clean one
    return 1 if violations or includes == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
