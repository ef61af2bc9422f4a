// Edits of a scene, on the tree of the scene format itself, so that expressions and units stay as
// they were written. An edit is a list of operations, each an object:
//
//   {"op": "set", "path": ["bodies", "ball", "material"], "value": "iron"}   null takes it away
//   {"op": "add", "path": ["bodies"], "value": {...}}                        appends to a list
//   {"op": "remove", "path": ["bodies", "ball"]}      and all that cannot be without it;
//        with "users": "stay" it alone
//   {"op": "rename", "path": ["bodies", "ball"], "to": "bob"}    and wherever it is named;
//        with "entry": false only there, for names that something else is to have
//   {"op": "replace", "value": {...}}                                        the whole scene
//   {"op": "expand"}      arrays and prefabs become the entries that they stand for in the scene as
//        it is then; with "instance": "left" that one alone
//
// A path names a section, then an entry by its name or index, then keys. Whether the outcome is a
// scene is for scene::load_scene to say.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/json.h"

namespace tenon::studio {

using scene::Json;

// The tree after all operations, or the first that cannot be done; `tree` is then as it was.
Result<Json> apply_operations(const Json& tree, const Json& operations);

// The value at a path, or nullptr.
const Json* find_path(const Json& tree, const Json& path);

// The entry called `name` of a list of entries, or nullptr.
const Json* find_entry(const Json& tree, const char* section, const std::string& name);

}  // namespace tenon::studio
