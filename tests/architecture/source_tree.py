"""The files of the repository and what the rules need to know about them."""
import re
from dataclasses import dataclass, field
from pathlib import Path

SOURCE_SUFFIXES = {".h", ".cpp", ".py", ".cmake", ".ts", ".tsx", ".js", ".mjs", ".sh"}
TEXT_SUFFIXES = SOURCE_SUFFIXES | {".md", ".txt", ".json", ".bib", ".html", ".css", ".in", ".yml"}
SKIPPED_FOLDERS = {".git", "node_modules", "dist", "__pycache__", "out", ".cache"}

# a string, a character, or a comment; comments are the last group
_TOKEN = re.compile(
    r'R"(?P<tag>[^\s()\\]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)


@dataclass
class SourceFile:
    path: str  # relative to the root, with /
    text: str
    code: str = ""  # C++ only: strings and comments blanked, line numbers kept
    comments: str = ""  # everything else blanked, line numbers kept
    includes: list = field(default_factory=list)  # (line, spelling with quotes or brackets)

    @property
    def is_cpp(self):
        return self.path.endswith((".h", ".cpp"))

    @property
    def folder(self):
        return self.path.rpartition("/")[0]


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def split_comments(text):
    """Returns (code, comments) of C++ text, both with the lines where they were."""
    code, comments, end = [], [], 0
    for token in _TOKEN.finditer(text):
        between = text[end : token.start()]
        is_comment = token.group("comment") is not None
        code += [between, _blank(token.group())]
        comments += [_blank(between), token.group() if is_comment else _blank(token.group())]
        end = token.end()
    return "".join(code) + text[end:], "".join(comments) + _blank(text[end:])


def make_source_file(path, text):
    file = SourceFile(path, text, text, text)
    if file.is_cpp:
        file.code, file.comments = split_comments(text)
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*(["<][^">]+[">])', line)
            if found:
                file.includes.append((number, found.group(1)))
    return file


def load_tree(root):
    """All text files below root by relative path, in sorted order."""
    files = {}
    for path in sorted(Path(root).rglob("*")):
        relative = path.relative_to(root)
        # build trees lie at the top; scene/build is a layer
        if any(part in SKIPPED_FOLDERS for part in relative.parts[:-1]):
            continue
        if relative.parts[0].startswith("build"):
            continue
        if path.is_symlink() or not path.is_file() or path.suffix not in TEXT_SUFFIXES:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        files[relative.as_posix()] = make_source_file(relative.as_posix(), text)
    return files


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
