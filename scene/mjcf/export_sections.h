// What an MJCF file says beside its bodies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/scene/mjcf/export_plan.h"
#include "tenon/scene/mjcf/export_text.h"

namespace tenon::scene::mjcf {

struct Sections {
  std::vector<Tag> equalities, actuators;
  struct Tendon {
    Tag tag;
    std::string a, b;  // sites
  };
  std::vector<Tendon> tendons;
  std::map<int, std::vector<Tag>> sites;    // by link; -1: of the world
  std::map<int, std::vector<Tag>> cameras;  // likewise
  std::vector<double> controls;             // of the actuators
};

// Loops as connect and weld, gears and screws as joint; springs, dampers, ropes and rods as
// tendons.
void add_loops(Export& e, Sections& s);
// Motors of the freedoms.
void add_motors(Export& e, Sections& s);
// N s/m or N m s/rad of the servo at a freedom; 0 where there is none.
double calc_servo_damping(const Export& e, size_t link, size_t d);
void add_views(Export& e, Sections& s);
// qpos, qvel and ctrl; nothing where the scene starts at rest and no motor has a target.
std::optional<Tag> make_key(Export& e, const Sections& s);
// Names what MJCF has no words for.
void tell_losses(Export& e);

}  // namespace tenon::scene::mjcf
