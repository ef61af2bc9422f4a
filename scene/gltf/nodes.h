// The nodes of a glTF file where they are, and what is told of what is not used.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/model/report.h"

namespace tenon::scene::gltf {

struct Node {
  const Json* json = nullptr;
  std::string name;   // its own, or its number
  bool seen = false;  // it is part of the scene
  Pose X_WN;
  Pose X_MN;             // in the frame of its mover; without one that of the world
  Vec3 scale{1, 1, 1};   // of everything in its frame, along its axes
  bool sheared = false;  // the scale is not all of it: turned within another that is stretched
  int mover = -1;        // the nearest node with a motion, itself or above; -1: none
  const Json* physics = nullptr;  // its extension
};

// One for each entry of "nodes". Error: nodes that are not there, in circles, or too deep.
Result<std::vector<Node>> place_nodes(const Json& root, const std::string& file);

inline bool is_uniform(const Vec3& scale) { return scale.x == scale.y && scale.y == scale.z; }

// Numbers of a list; false where it is none of that length.
bool read_numbers(const Json* list, double* out, size_t count);
double read_number(const Json& object, const char* key, double otherwise);
Vec3 read_vec3(const Json& object, const char* key, const Vec3& otherwise);
bool read_flag(const Json& object, const char* key);
// A whole number below `count`; -1: none, or not there.
int read_index(const Json& object, const char* key, size_t count);
// An entry of a list in the root's extension; nullptr: none.
const Json* find_listed(const Json& root, const char* extension, const char* list, int index);
size_t count_listed(const Json& root, const char* extension, const char* list);

// Collects what was not used, each once with its first place and how often.
class Unused {
 public:
  Unused(const std::string& file, model::Report& report) : file_(file), report_(report) {}
  void add(const std::string& what, const Json& at, const std::string& reason = {});
  // All members but these (and names, extras).
  void others(const std::string& where, const Json& object,
              std::initializer_list<std::string_view> known);

 private:
  const std::string& file_;
  model::Report& report_;
};

}  // namespace tenon::scene::gltf
