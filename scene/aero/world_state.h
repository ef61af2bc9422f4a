// What one state of a world file says, record by record, before it means anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/document/shape.h"

namespace tenon::scene::aero {

// A body (K) or a part of one (E).
struct BodyRecord {
  int number = 0;  // of K
  std::string type;
  std::vector<double> geometry;
  std::string material;  // empty: not given
  std::optional<double> m;
  std::optional<Vec3> p, v, w;
  std::optional<Quat> q;
  std::optional<Color> c;
  std::optional<Vec3> n;  // transparency, reflection, roughness
  bool no_gravity = false, no_mass = false, no_collision = false;
  std::vector<BodyRecord> parts;
  std::string name;  // of K, by a remark; empty: its label
  Place place;
};

struct LinkRecord {
  int number = 0;
  int body_a = 0, body_b = 0;
  std::string type;
  std::vector<double> numbers;
  Vec3 a, b;         // attachment points, from the centres of gravity
  std::string name;  // by a remark; empty: its label
  Place place;
};

enum class ForceKind { kInertial, kLocal, kGuided };

struct ForceRecord {
  double t0 = 0, t1 = 0;
  int body = 0;
  std::optional<Vec3> point;
  ForceKind kind = ForceKind::kInertial;
  Vec3 vector;           // of the first two
  double magnitude = 0;  // of a guided one
  int target = 0;
  std::optional<Vec3> target_point;
  std::string name;  // by a remark; empty: counted
  Place place;
};

struct WorldState {
  double t = 0;
  std::optional<Vec3> g;
  double s = 0;
  std::string title, description;        // by remarks, likewise
  std::optional<double> step, duration;  // s
  std::vector<BodyRecord> bodies;
  std::vector<LinkRecord> links;
  std::vector<ForceRecord> forces;
};

// Mistakes and doubts, with their lines.
struct Notes {
  std::string file;
  size_t max_errors = 100;
  std::vector<Error> errors, warnings;
  bool full() const { return errors.size() >= max_errors; }
  void error(Place place, std::string message, std::string value = "", std::string accepted = "");
  void warn(Place place, std::string message, std::string value = "", std::string accepted = "");
};

// What remarks say about the records of a state: title, description, step, duration and names. A
// name that two have is left out with a warning.
void apply_remarks(std::string_view text, WorldState& state, Notes& notes);

// Reads the first state of a file.
WorldState parse_world(std::string_view text, size_t max_bodies, Notes& notes);

}  // namespace tenon::scene::aero
