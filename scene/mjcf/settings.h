// <compiler> and <option>: how numbers of the file are meant.
#pragma once

#include <optional>
#include <string>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/model/report.h"

namespace tenon::scene::mjcf {

struct Settings {
  double angle = kPi / 180;  // rad per unit of angles
  std::string eulerseq = "xyz";
  bool autolimits = true;
  enum class FromGeom { kAuto, kYes, kNo } inertia_from_geom = FromGeom::kAuto;
  struct Groups {
    double first = 0, last = 5;
  };
  std::optional<Groups> inertia_groups;  // of geoms that weigh something; else all
  bool fit_boxes = false;                // of primitives that a mesh is given for
  std::string mesh_folder, texture_folder;
  double bound_mass = 0, bound_inertia = 0;
  double total_mass = 0;  // 0: as it is
  bool balance_inertia = false;

  Vec3 gravity{0, 0, -9.81};
  Vec3 wind;
  std::optional<double> timestep;
  bool contacts = true, gravity_on = true, limits = true, actuation = true;
};

Result<Settings> read_settings(xml::Element& root, model::Report& report);

// The rotation of euler angles by the sequence: lower case turns with the frame, upper case is
// fixed.
Quat from_euler(const Settings& settings, const Vec3& angles);

}  // namespace tenon::scene::mjcf
