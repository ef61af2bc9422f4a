"""Whatever a file names, it includes, itself or through what it includes.

Builds compile several files of a layer as one, and tests after headers that are compiled once: there
a compiler does not see that an include is missing, because another file had it. This looks for
  - names of Tenon that no header in reach declares: types, constants, functions that are called;
  - names of the standard library that no standard header in reach declares, as the compiler says.
"""
import posixpath
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from rules import OURS
from source_tree import line_of

CHECKED = ("engine/", "scene/", "recording/", "render/", "studio/", "cli/", "bindings/", "tests/", "benchmarks/",
           "examples/")
NAMESPACES = {"filesystem", "chrono", "this_thread", "ranges", "numbers", "views"}
# Overloads of these in other headers mean something else.
OWN_HEADER = {"find": "algorithm", "remove": "algorithm cstdio", "transform": "algorithm", "count": "algorithm",
              "search": "algorithm", "rotate": "algorithm", "replace": "algorithm", "reverse": "algorithm"}

_START = r"^(?:template <[^\n]*>\n?\s*)?(?:\[\[\w+\]\] )?(?:inline |constexpr |static |extern |friend )*"
_TYPE = re.compile(_START + r"(?:struct|class|union|enum class|enum|concept)(?: alignas\(\w+\))? (\w+)(?= final| :| \{| =|\s*\n)", re.M)
_FORWARD = re.compile(_START + r"(?:struct|class|enum class|enum) (\w+)(?: : \w+)?;", re.M)
_ALIAS = re.compile(r"^(?:template <[^\n]*>\n?\s*)?using (?:[\w:]*::)?(\w+)\s*[=;]", re.M)
_CONSTANT = re.compile(r"^(?:inline |constexpr |extern |static |const )+[^;={(]*?\b(k[A-Z]\w*)\s*(?:\[[^\]]*\])?\s*[={;]", re.M)
_FUNCTION = re.compile(_START + r"(?!return|using|namespace|struct|class|enum|#|\}|//)[A-Za-z_][\w:<>,&*\s\[\]]*?[\s&*>]"
                       r"(\w+)\(", re.M)
_MACRO = re.compile(r"^#\s*define (\w+)", re.M)
_STANDARD = re.compile(r"\bstd::(\w+)|(?<![\w:])((?:u?int(?:8|16|32|64)_t|size_t))\b")
_NAMESPACE = re.compile(r"^namespace (?:[\w:]*::)?(\w+) \{", re.M)
_WORD = re.compile(r"(?<![\w.])(?<!->)([A-Za-z_]\w*)")


def declared_names(file):
    """What a header says at the level of namespaces, where lines are not indented."""
    kinds = (_TYPE, _ALIAS, _CONSTANT, _FUNCTION, _MACRO)
    spaces = [(found.end(), found.group(1)) for found in _NAMESPACE.finditer(file.code)]
    names = set()
    for found in (found for kind in kinds for found in kind.finditer(file.code)):
        inner = next((name for end, name in reversed(spaces) if end <= found.start(1)), "tenon")
        names |= {found.group(1), f"{inner}::{found.group(1)}"}
    return names


def _target(file, spelling, files):
    name = spelling[1:-1]
    for path in (name.removeprefix("tenon/"), f"{file.folder}/{name}"):
        if posixpath.normpath(path) in files:
            return posixpath.normpath(path)
    return None


def _reach(path, files, known):
    """All that a file includes, itself too: files of the tree, and headers of others."""
    if path not in known:
        known[path] = ({path}, set())  # against circles
        ours, others = {path}, set()
        for _, spelling in files[path].includes:
            target = _target(files[path], spelling, files)
            if target is None:
                others.add(spelling[1:-1])
            else:
                more = _reach(target, files, known)
                ours |= more[0]
                others |= more[1]
        known[path] = (ours, others)
    return known[path]


def _is_use(code, found, is_function, namespaces):
    """Whether a word at a place can be the name that a header declares."""
    after = code[found.end():found.end() + 2]
    before = code[max(0, found.start() - 2):found.start()]
    if before == "::":
        scope = re.search(r"(\w+)::$", code[max(0, found.start() - 60):found.start()])
        if scope is None or scope.group(1) not in namespaces:
            return False  # a member of a class, or of a library
    if not is_function:
        return True
    # a call, not the declaration of something of that name
    if not after.startswith("("):
        return False
    word_before = re.search(r"([\w>&*\]]+)\s+[&*]?$", code[max(0, found.start() - 60):found.start()])
    return word_before is None or word_before.group(1) in ("return", "else", "co_return", "&&", "case") or before[-1:] in "(!=+-,"


def _own_words(file):
    """Names that a file gives to things of its own: variables, parameters, members, types, values of
    enumerations."""
    words = {found.group(1) for found in re.finditer(r"[\w>&*\]]\s+[&*]?(\w+)\s*(?=[=;,){(\[:])", file.code)}
    words |= set(re.findall(r"\b(?:class|typename|struct|using|enum|namespace) (\w+)", file.code))
    for body in re.findall(r"\benum\b[^;{]*\{([^}]*)\}", file.code):
        words |= set(re.findall(r"\w+", body))
    words |= set(re.findall(r"\b(k[A-Z]\w*)(?: =[^=]|\{)", file.code)) | set(re.findall(r"<bool (k\w+)>", file.code))
    for line in re.findall(r"\bauto[&*]* \[([^\]]*)\]|^  (?:std::|\w)[^;({]*?(\w+, \w+);", file.code, re.M):
        words |= set(re.findall(r"\w+", " ".join(line)))
    return words


def check_included_names(files):
    reached = {}
    declared = {path: declared_names(file) for path, file in files.items() if path.endswith(".h")}
    owners = {}
    for path, names in declared.items():
        for name in names:
            owners.setdefault(name, set()).add(path)
    namespaces = {"tenon"} | {word for file in files.values() if file.is_cpp
                  for found in re.findall(r"^namespace ([\w:]+)", file.code, re.M) for word in found.split("::")}
    for path, file in files.items():
        if not file.is_cpp or not path.startswith(CHECKED):
            continue
        ours, _ = _reach(path, files, reached)
        in_reach = set().union(*(declared.get(p, set()) for p in ours)) | declared_names(file)
        forward = {f.group(1) for p in ours for f in _FORWARD.finditer(files[p].code)}
        own = None
        told = set()
        # neither directives nor the names of tests
        code = re.sub(r"^\s*#[^\n]*|^\w*TEST\w*\([^)]*\)", lambda line: re.sub(r"[^\n]", " ", line.group()),
                      file.code, flags=re.M)
        for found in _WORD.finditer(code):
            name = found.group(1)
            scope = re.search(r"(\w+)::$", code[max(0, found.start() - 60):found.start()])
            if scope and f"{scope.group(1)}::{name}" in owners:
                name = f"{scope.group(1)}::{name}"
            if name in in_reach or name in told or name not in owners or name in OURS:  # those: check_libm
                continue
            is_function = not re.match(r"k?[A-Z]", found.group(1))
            if not _is_use(code, found, is_function, namespaces):
                continue
            # a name that was announced will do where only references are handed on
            if found.group(1) in forward and re.match(r"\s*(?:const)?\s*[&*;:]", code[found.end():]):
                continue
            if own is None:
                own = _own_words(file).union(*(_own_words(files[p]) for p in ours))
            if found.group(1) in own:
                continue
            told.add(name)
            yield (f"{path}:{line_of(code, found.start())}: {name} is of {sorted(owners[name])[0]}, "
                   "which is not included")


def _ask_compiler(compiler, header, names):
    """Those of the names that are not declared once the header is included."""
    lines = [f"#include <{header}>"]
    for name in names:
        own = f"namespace {name}_ = std::{name};" if name in NAMESPACES else f"using std::{name};"
        lines.append(f"using :{name};" if name[0] == ":" else own)
    run = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"], input="\n".join(lines),
                         capture_output=True, text=True, check=False)
    missing = {int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: error", run.stderr, re.M)}
    return {name for number, name in enumerate(names, 2) if number in missing}


def check_standard_names(files, compiler):
    reached, uses = {}, {}
    for path, file in files.items():
        if not file.is_cpp or not path.startswith(CHECKED):
            continue
        for found in _STANDARD.finditer(file.code):
            name = found.group(1) or ":" + found.group(2)
            uses.setdefault(path, {}).setdefault(name, line_of(file.code, found.start()))
    names = sorted({name for used in uses.values() for name in used})
    headers = sorted({other for path in uses for other in _reach(path, files, reached)[1]
                      if re.fullmatch(r"[a-z_]+", other)})
    with ThreadPoolExecutor(2) as pool:
        absent = dict(zip(headers, pool.map(lambda h: _ask_compiler(compiler, h, names), headers)))
    if not headers or all(len(missing) == len(names) for missing in absent.values()):
        yield f"{compiler} does not say what standard headers declare"
        return
    for path, used in uses.items():
        others = _reach(path, files, reached)[1]
        # headers of others bring more than is known here, but for what test headers bring to all
        if any(other not in absent and not other.startswith("gtest/") for other in others):
            continue
        for name, line in used.items():
            own = OWN_HEADER.get(name)
            if any(other in absent and name not in absent[other] and (own is None or other in own.split())
                   for other in others):
                continue
            yield f"{path}:{line}: no header that is included declares {'::' if name[0] == ':' else 'std::'}{name.lstrip(':')}"
