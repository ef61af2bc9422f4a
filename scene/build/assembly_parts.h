// The assembly section of a scene in the engine's terms, and a scene's text with bodies elsewhere.
#pragma once

#include <string>

#include "tenon/scene/build/build.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

// Names become handles; bodies that want to stay do so where they are now in the world. Error: a
// body or joint is not there.
Result<AssemblyDef> make_assembly_def(const Assembly& assembly, const BuiltScene& scene);

// A scene with its bodies where they are in the world of it.
struct PlacedScene {
  Json root;
  // Bodies that moved, or joints of them, come from prefabs or arrays: all entries stand alone now.
  bool flattened = false;
};
// `root` is the tree that the document was read from: what need not change stays as it is written.
// Joints that were given by a place in the scene are given by frames of their bodies where one of
// them moved, and lengths that follow from the start are written out.
PlacedScene place_scene(const Json& root, const Document& document, const Document& flat,
                        const BuiltScene& scene);

}  // namespace tenon::scene
