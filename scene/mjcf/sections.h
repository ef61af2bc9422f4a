// Sections of an MJCF file that refer to its bodies, made into parts of the scene.
#pragma once

#include "tenon/scene/mjcf/world.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::mjcf {

// Materials of the parts and planes, with MuJoCo's rule for pairs of them: of each coefficient the
// larger one, as far as the larger condim has it.
void add_materials(World& w, Document& document);
// Planes as bodies of their own.
void add_planes(const World& w, Document& document);
// contype, conaffinity, <exclude>, and that bodies next to each other in the tree do not touch.
void add_filters(xml::Element& root, World& w, const model::MadeLinks& made, Document& document);
// <equality>: connect and weld as joints, joint as gears.
void add_equalities(xml::Element& root, World& w, model::MadeLinks& made, Document& document);
// <tendon>: spatial ones between two sites as ropes and springs.
void add_tendons(xml::Element& root, World& w, model::MadeLinks& made, Document& document);
void add_cameras(const World& w, const model::MadeLinks& made, Document& document);

// A frame of a link for joints and connections: on its body as that stands for q = 0, or in the
// scene where the link has none.
struct OnBody {
  std::string body;
  Pose X_BF;
};
OnBody on_body(const model::MadeLinks& made, int link, const Pose& X_LF);
// A point or frame of a link in the scene, as it stands for q = 0.
Pose in_scene_at_zero(const model::MadeLinks& made, int link, const Pose& X_LF);

}  // namespace tenon::scene::mjcf
