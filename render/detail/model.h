// What there is to draw: the bodies of the recorded scene with shapes and surfaces.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/geometry/shape.h"
#include "tenon/recording/records.h"
#include "tenon/render/detail/lighting.h"
#include "tenon/render/stage.h"

namespace tenon::render {

struct ModelPart {
  Shape shape;
  Pose X_BP;
  Surface surface;
  StageLook look;
  bool marker = false;  // a point without extent, drawn as a dot; `shape` is a sphere
};
struct ModelBody {
  std::string name;
  std::vector<ModelPart> parts;  // planes are not among them
  std::vector<ModelPart> planes;
  bool moves = false;  // false: fixed to the world
};
struct Model {
  std::vector<ModelBody> bodies;  // in the order of the recording
};

// The scene a recording was made from, flat. Error: a text that cannot be read.
Result<scene::Document> load_document(const SceneRecord& record);

// Bodies the scene does not list have no parts. Error: a hull that is no solid.
// Meshes come from the record.
Result<Model> make_model(const scene::Document& flat, const RunRecord& run,
                         const SceneRecord& record);

}  // namespace tenon::render
