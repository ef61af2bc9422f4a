// What the bodies of an MJCF file say, before it is a scene.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tenon/scene/mjcf/defaults.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::mjcf {

// A side of a range that is as far as this is open: MJCF has no other word for it.
inline constexpr double kOpenRange = 1e9;  // m or rad

// How a geom touches others.
struct Touch {
  uint32_t contype = 1, conaffinity = 1;
  int condim = 3;
  std::array<double, 3> friction{1, 0.005, 0.0001};  // sliding, spinning (m), rolling (m)
  double restitution = 0;
  friend bool operator==(const Touch&, const Touch&) = default;
};

// A place on a link.
struct Site {
  int link = -1;
  Pose X_LS;
};

struct MeshAsset {
  std::string file;  // as named; empty: the points below
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  // none: the hull of the points is meant
  // A point v of the file is at scale * R(reference)^T (v - reference), component by component.
  Vec3 scale{1, 1, 1};
  Pose reference;
  xml::Element* element = nullptr;
};

// A plane, which stands by itself.
struct PlaneGeom {
  std::string name;
  Pose X_W;
  Touch touch;
  std::optional<Color> color;
  Place place;
};

struct CameraEntry {
  Camera camera;  // places in the axes of the model, or of the link it is mounted on
  int link = -1;
};

struct World {
  Settings settings;
  Defaults defaults;
  model::Tree tree;
  std::vector<std::vector<Touch>> touches;  // of each link's parts
  std::vector<PlaneGeom> planes;
  std::map<std::string, Site> sites;
  std::map<std::string, int> links;  // by name
  std::map<std::string, std::string> geom_link;
  std::map<std::string, std::pair<size_t, size_t>> dofs;  // by name: link, freedom
  std::map<std::string, Color> materials;
  std::map<std::string, MeshAsset> meshes;
  std::map<std::string, double> rods;  // tendons that keep their length, and m beyond that at q = 0
  std::vector<CameraEntry> cameras;
  const model::Files* files = nullptr;
  model::Report* report = nullptr;
  std::string file;
  std::optional<Error> error;  // the first mistake
};

void read_assets(xml::Element& root, World& w);
void read_bodies(xml::Element& root, World& w);

// --- pieces of the former
struct GeomRead {
  std::optional<Part> part;
  Touch touch;
  std::optional<model::Inertial> inertial;  // in the frame of the link
  bool plane = false;
  std::string name;
  Pose X_LG;
};
// X_LF: the frame that the geom stands in, in its link.
GeomRead read_geom(xml::Element& e, const std::string& childclass, const Pose& X_LF, World& w);
std::vector<model::Dof> read_joint(xml::Element& e, const std::string& childclass, const Pose& X_LF,
                                   World& w);
std::optional<model::Inertial> read_inertial(xml::Element& e, World& w);
// Bounds and total of <compiler>, and what a body cannot have.
void finish_masses(World& w);

// --- what refers to bodies and joints
void read_actuators(xml::Element& root, const std::vector<double>& ctrl, World& w);
// qpos, qvel and ctrl of the key frame that was asked for.
struct KeyState {
  std::vector<double> ctrl;
};
KeyState read_keyframe(xml::Element& root, const std::string& name, World& w);

}  // namespace tenon::scene::mjcf
