// A scene as the tree that an MJCF file is: which body hangs on which by which freedoms, and which
// joints are left for <equality>.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/scene/mjcf/export_mjcf.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::mjcf {

// Which coordinate of which joint of the scene a freedom is.
struct DofOrigin {
  const Joint* joint = nullptr;
  JointAxis axis = JointAxis::kRx;
  Vec3 axis_W;  // as the scene starts
  Vec3 anchor_W;
};

// A body of the scene as a <body>.
struct OutLink {
  const Body* body = nullptr;
  // Of several freedoms that an import made a chain of: the joints, from the parent on, and the
  // bodies between them, which become one <body> again.
  std::vector<const Joint*> chain;
  std::vector<const Body*> middles;
  int parent = -1;                 // index of one before it; -1: the world
  bool turned = false;             // it is the parent of the joint that it hangs by
  model::Link link;                // as import_mjcf has it: dofs, inertial, X_PL
  std::vector<DofOrigin> origins;  // of the freedoms, in their order
  bool still = true;               // all of them start at 0
  Pose X_LF;                       // of the first joint, as it is read
  bool free = false;               // <freejoint/>
};

struct Plan {
  std::vector<OutLink> links;  // parents before children, as they are written
  std::vector<const Body*> planes;
  std::vector<const Joint*> loops;
  std::map<std::string, const Body*> bodies;  // all of the scene, by name
  std::map<std::string, int> index;           // of links, by the name of the body
};

// Of the mass of a link, for a body between its freedoms (model/to_document.h).
inline constexpr double kMiddleShare = 1e-4;

// What all pieces of the writer share.
struct Export {
  const Document& flat;
  const MjcfExportOptions& options;
  MjcfText& out;
  Plan plan{};
  MeshLibrary meshes;

  Export(const Document& document, const MjcfExportOptions& how, MjcfText& text)
      : flat(document),
        options(how),
        out(text),
        meshes({.read = how.read, .use = MeshUse::kPicture}) {}

  void warn(const Place& place, std::string message, std::string value);
};

// The body with its pose; the world is nullptr.
JointEnd end_of(const Body* body);
// The frames of a joint in the scene as it starts.
struct StartFrames {
  JointFrames on_bodies;
  Pose X_WP, X_WC;
};
StartFrames find_frames(const Plan& plan, const Joint& joint);

// Bodies, what they hang on, and what is left over: kinematic bodies, planes, loops.
void plan_tree(Export& e);
// The freedoms, poses and inertias of the links, as they are to be written.
void plan_links(Export& e);
// --- pieces of the former: numbers that read back as they are, and masses
void settle_link(Export& e, OutLink& out);
void weigh_link(Export& e, OutLink& out);

}  // namespace tenon::scene::mjcf
