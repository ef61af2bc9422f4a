"""The layer rule: who may include whom. cmake/layer_list.cmake is the one source of truth."""
import re

LIST_FILE = "cmake/layer_list.cmake"
LAYERED = ("engine/", "scene/", "recording/", "studio/session/")
# Folders above the layers: render sees recordings, never a world; the command line sees all.
ABOVE = ("render/", "cli/", "bindings/", "studio/server/")
# What nothing in the product may see.
UNSEEN = ("tests/", "benchmarks/", "examples/", "tools/")


class Layers:
    def __init__(self, folders, depends):
        self.folders = folders  # name -> folder
        self.closure = {}
        for name in depends:
            self.closure[name] = self._close(name, depends, ())

    def _close(self, name, depends, path):
        if name in path:
            raise ValueError(f"{LIST_FILE}: layers in a circle: {' -> '.join(path + (name,))}")
        if name not in depends:
            raise ValueError(f"{LIST_FILE}: layer {path[-1]} depends on unknown layer {name}")
        seen = {name}
        for below in depends[name]:
            seen |= self._close(below, depends, path + (name,))
        return seen

    def layer_of(self, path):
        """The layer with the longest folder that holds path, or None."""
        best = None
        for name, folder in self.folders.items():
            if path.startswith(folder + "/") and (
                best is None or len(folder) > len(self.folders[best])
            ):
                best = name
        return best


def parse_layers(text):
    folders, depends = {}, {}
    text = re.sub(r"#[^\n]*", "", text)
    for call in re.finditer(r"\btenon_layer\s*\(([^)]*)\)", text):
        words = call.group(1).split()
        name, folder, rest = words[0], words[1], words[2:]
        section, below = None, []
        for word in rest:
            if word in ("DEPENDS", "LIBRARIES"):
                section = word
            elif section == "DEPENDS":
                below.append(word)
        folders[name], depends[name] = folder.rstrip("/"), below
    if not folders:
        raise ValueError(f"{LIST_FILE}: no tenon_layer(...) found")
    return Layers(folders, depends)


def _check_include(file, target, layers):
    """Why file may not include target (both root-relative), or None."""
    if target.startswith(UNSEEN):
        return "the product sees no tests, benchmarks, examples or tools"
    owner, private, _ = target.partition("/detail/")
    if private and not (file.path.startswith(owner + "/")):
        return f"{owner}/detail is private to {owner}"
    if file.path.startswith("render/") and target.startswith("engine/world/"):
        return "render sees recordings, never a world"
    own, other = layers.layer_of(file.path), layers.layer_of(target)
    if file.path.startswith(LAYERED):
        if target.startswith(ABOVE) or target == "tenon.h":
            return "a layer sees nothing above the layers"
        if own is not None and other is not None and other not in layers.closure[own]:
            return f"layer {own} may see only {', '.join(sorted(layers.closure[own]))}"
        solvers = re.compile(r"engine/(solve_\w+|integrate)/")
        mine, theirs = solvers.match(file.path), solvers.match(target)
        if mine and theirs and mine.group(1) != theirs.group(1):
            return "the solve_* folders and integrate never include one another"
    return None


def check_layers(files):
    layers = parse_layers(files[LIST_FILE].text)
    for file in files.values():
        if not file.is_cpp or not file.path.startswith(LAYERED + ABOVE):
            continue
        if file.path.startswith(LAYERED) and layers.layer_of(file.path) is None:
            yield f"{file.path}: its folder is no layer of {LIST_FILE}"
        for line, spelling in file.includes:
            name = spelling[1:-1]
            if spelling[0] == "<" and not name.startswith("tenon/"):
                continue
            if not name.startswith("tenon/"):
                yield f'{file.path}:{line}: write "tenon/..." instead of {spelling}'
                continue
            target = name[len("tenon/") :]
            if target not in files:
                yield f"{file.path}:{line}: {spelling} does not exist"
                continue
            reason = _check_include(file, target, layers)
            if reason:
                yield f"{file.path}:{line}: must not include {target}: {reason}"
