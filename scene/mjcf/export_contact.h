// Surfaces and filters of a scene as MJCF has them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tenon/scene/mjcf/export_plan.h"
#include "tenon/scene/mjcf/export_text.h"

namespace tenon::scene::mjcf {

// A material of the scene as a default class of geoms. MuJoCo gives two geoms the larger of each
// friction as far as the larger condim has it; frictions of a material that its own condim hides
// are found from its pairs.
struct OutSurface {
  std::string material;
  int condim = 3;
  std::array<double, 3> friction{};  // sliding, spinning (m), rolling (m)
  double restitution = 0;
  double damping = 0;  // of solref, where it bounces
};

class Surfaces {
 public:
  explicit Surfaces(Export& e);
  void write(Lines& lines) const;

 private:
  void add(const std::string& material);
  void find_hidden();
  void tell_apart();
  void check_pairs();
  Export& e_;
  std::vector<OutSurface> all_;
};

// contype and conaffinity.
struct OutMask {
  uint32_t type = 1, affinity = 1;
  friend bool operator==(const OutMask&, const OutMask&) = default;
};

struct Filters {
  std::map<const Body*, OutMask> masks;
  std::vector<std::pair<std::string, std::string>> excludes;  // names of bodies
};
Filters find_filters(Export& e);

// What the material of a part is called; empty for what is only seen.
std::string material_of(const Body& body, const Part& part);
// The parts of a body of any shape; none of planes and points.
std::vector<Part> parts_of(const Body& body);

}  // namespace tenon::scene::mjcf
