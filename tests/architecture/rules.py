"""What the engine may use, how long files get, machine paths, citations."""
import re

from source_tree import SOURCE_SUFFIXES, line_of

PORTABLE = ("engine/", "scene/", "recording/", "studio/session/")
# No file I/O, clock, randomness of the machine, printing; threads only behind parallel.h.
FORBIDDEN = {"iostream", "fstream", "chrono", "filesystem", "random", "ctime", "thread", "mutex",
             "condition_variable", "future", "stop_token", "semaphore", "latch", "barrier"}
THREADS = {"thread", "mutex", "condition_variable"}
STANDARD = set("""algorithm any array atomic bit bitset cassert cctype cerrno cfloat charconv
cinttypes climits cmath compare complex concepts cstddef cstdint cstdio cstdlib cstring deque
exception expected forward_list functional initializer_list iterator limits list map memory
memory_resource mutex new numbers numeric optional ostream queue ranges ratio set source_location
span sstream stack stdexcept string string_view thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version""".split())

OURS = "sin cos tan atan atan2 asin acos exp log pow".split()  # engine/math/elementary.h
FOREIGN = ("sinh cosh tanh asinh acosh atanh exp2 expm1 log2 log10 log1p hypot cbrt erf erfc "
           "tgamma lgamma sinf cosf tanf atanf atan2f expf logf powf").split()
MAX_LINES = 800
PLACEHOLDER = "Key2006"  # in texts about how to cite


def check_engine_headers(files):
    for file in files.values():
        if not file.is_cpp or not file.path.startswith("engine/"):
            continue
        is_parallel = file.path.startswith("engine/base/parallel.")
        for line, spelling in file.includes:
            name = spelling[1:-1]
            if spelling[0] != "<" or name.startswith("tenon/"):
                continue
            if name in FORBIDDEN and not (is_parallel and name in THREADS):
                yield f"{file.path}:{line}: the engine must not use <{name}>"
            elif (file.path.endswith(".h") and "/detail/" not in file.path
                  and name not in STANDARD | FORBIDDEN):
                yield f"{file.path}:{line}: third-party header <{name}> in an engine header"


def _reaches_elementary(path, files, seen):
    if path == "engine/math/elementary.h":
        return True
    if path in seen or path not in files:
        return False
    seen.add(path)
    return any(_reaches_elementary(name[1:-1].removeprefix("tenon/"), files, seen)
               for _, name in files[path].includes if name[1:-1].startswith("tenon/"))


def check_libm(files):
    """libm differs between platforms: only engine/math/elementary.h may be called."""
    names = "|".join(OURS + FOREIGN)
    qualified = re.compile(rf"\bstd\s*::\s*({names})\b|(?<![\w>])::\s*({names})\s*\(")
    foreign = re.compile(rf"(?<![\w:.>])(?<!:: )({'|'.join(FOREIGN)})\s*\(")
    ours = re.compile(rf"(?<![\w:.>])(?<!:: )({'|'.join(OURS)})\s*\(")
    for file in files.values():
        if not file.is_cpp or not file.path.startswith(PORTABLE):
            continue
        for found in list(qualified.finditer(file.code)) + list(foreign.finditer(file.code)):
            yield (f"{file.path}:{line_of(file.code, found.start())}: {found.group().strip(' (')} "
                   "is libm; use tenon's own of engine/math/elementary.h")
        found = ours.search(file.code)
        if found and not _reaches_elementary(file.path, files, set()):
            yield (f"{file.path}:{line_of(file.code, found.start())}: {found.group(1)}( without "
                   "engine/math/elementary.h finds the one of libm")


def check_deprecated(files):
    """clang warns of the buffer in g++'s library behind these; builds take warnings for errors."""
    for file in files.values():
        if not file.is_cpp:
            continue
        for found in re.finditer(r"\bstd\s*::\s*(stable_sort|inplace_merge|stable_partition)\b", file.code):
            yield (f"{file.path}:{line_of(file.code, found.start())}: {found.group(1)} does not compile with "
                   "clang here; sort by a complete order")


def check_lengths(files):
    for file in files.values():
        lines = file.text.count("\n")
        if file.path.endswith(tuple(SOURCE_SUFFIXES)) and lines >= MAX_LINES:
            yield f"{file.path}: {lines} lines; split it below {MAX_LINES}"


_HIDDEN = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"^(?:(?:struct|class) (\w+)|(?:constexpr|const)\b[^=;(]*?\b(k\w+)(?:\[\w*\])? ?[={;])",
                   re.MULTILINE)


_HIDDEN_FUNCTION = re.compile(r"^(?!return\b|using\b|struct\b|class\b|template\b)\w[\w:<>,&*\[\] ]*?[ &*](\w+)\(([^()]*)\)[ \w]*\{",
                              re.MULTILINE)


def _hidden_names(text):
    """Types, constants, and functions with the types of their parameters."""
    for found in _NAME.finditer(text):
        yield found.group(1) or found.group(2)
    for found in _HIDDEN_FUNCTION.finditer(text):
        types = re.sub(r"\s*\b\w+(?: = [^,]*)?(?=,|$)", "", " ".join(found.group(2).split()))
        yield f"{found.group(1)}({types})"


def check_hidden_names(files):
    """Builds compile several files of a layer as one: names must differ."""
    seen = {}
    for file in files.values():
        layer = re.sub(r"/(?:detail|kinds|black_boxes)$", "", file.folder)
        top = layer.partition("/")[0]
        if (not file.path.endswith(".cpp")
                or top not in ("engine", "scene", "recording", "studio", "cli", "render")):
            continue
        for hidden in _HIDDEN.finditer(file.text):
            for name in _hidden_names(hidden.group(1)):
                other = seen.setdefault((layer, name), file.path)
                if other != file.path:
                    yield f"{file.path}: {name} is also in {other}; files of a layer are compiled as one"


def check_merges(files):
    for file in files.values():
        for found in re.finditer(r"^(?:<{7}|>{7}) ", file.text, re.MULTILINE):
            yield f"{file.path}:{line_of(file.text, found.start())}: a merge that was not finished"


def check_paths(files):
    """A path of one machine works nowhere else."""
    machine = re.compile(r"(?<![\w./$}~])/(?:home|root|work|Users|tmp)/[\w.-]")
    for file in files.values():
        for found in machine.finditer(file.text):
            if file.path.endswith(".md") and found.group().startswith("/tmp/"):
                continue  # an example for a reader
            yield (f"{file.path}:{line_of(file.text, found.start())}: machine path "
                   f"{file.text[found.start():].split()[0]}")


def _citations(file):
    """(line, key) of every [Name2006] or [Name2006, sec. 3; Other2007] in comments and docs."""
    key = r"[A-Za-z]+[0-9]{4}[a-z]?"
    for bracket in re.finditer(rf"\[({key})((?:[,;][^\]\[]*)?)\]", file.comments):
        line = line_of(file.comments, bracket.start())
        yield line, bracket.group(1)
        for more in re.finditer(rf";\s*(?:(?://|#)\s*)?({key})\b", bracket.group(2)):
            yield line, more.group(1)


def check_citations(files):
    bib_path = "docs/references.bib"
    bib = files[bib_path].text if bib_path in files else ""
    known, used = {}, set()
    for entry in re.finditer(r"^\s*@(\w+)\s*\{\s*([^,\s]+)\s*,", bib, re.MULTILINE):
        if entry.group(2) in known:
            yield f"{bib_path}:{line_of(bib, entry.start())}: {entry.group(2)} is there twice"
        known[entry.group(2)] = line_of(bib, entry.start())
    for file in files.values():
        if not file.path.endswith((".h", ".cpp", ".md", ".py", ".ts", ".tsx", ".cmake")):
            continue
        if file.path.startswith("tests/architecture/"):
            continue  # these talk about citations
        for line, name in _citations(file):
            if name == PLACEHOLDER:
                continue
            used.add(name)
            if name not in known:
                yield f"{file.path}:{line}: [{name}] is not in {bib_path}"
    for name, line in known.items():
        if name not in used:
            yield f"{bib_path}:{line}: {name} is cited nowhere"
