// Links of a world file are connections. The order of their numbers is lost; decided: springs have
// (constant, rest length), dampers a constant, rods and joints none.
#include "tenon/scene/aero/to_document.h"
#include "tenon/scene/aero/world_words.h"

namespace tenon::scene::aero {
namespace {

void need_constant(const LinkRecord& r, Notes& notes) {
  if (!r.numbers.empty()) return;
  notes.error(r.place, "a " + r.type + " needs its constant", "", r.type + " 100");
}

void drop_numbers(const LinkRecord& r, size_t known, Notes& notes) {
  if (r.numbers.size() <= known) return;
  notes.warn(r.place, "more numbers than are known of a " + r.type + "; left out",
             std::to_string(r.numbers.size()), std::to_string(known));
}

void fill_spring(const LinkRecord& r, Connection& c, Notes& notes) {
  c.type = ConnectionType::kSpring;
  need_constant(r, notes);
  if (!r.numbers.empty()) c.stiffness = r.numbers[0];
  if (r.numbers.size() > 1) c.length = r.numbers[1];
  drop_numbers(r, 2, notes);
}

void fill_rod(const LinkRecord& r, Connection& c, Notes& notes) {
  c.type = ConnectionType::kRod;
  if (!r.numbers.empty()) {
    notes.warn(r.place, "the numbers of a rod are not known; taken as constant and rest length");
    c.stiffness = r.numbers[0];
  }
  if (r.numbers.size() > 1) c.length = r.numbers[1];
  drop_numbers(r, 2, notes);
}

bool fill_link(const LinkRecord& r, Connection& c, Notes& notes) {
  if (r.type == "spring") {
    fill_spring(r, c, notes);
  } else if (r.type == "damper") {
    c.type = ConnectionType::kDamper;
    need_constant(r, notes);
    if (!r.numbers.empty()) c.damping = r.numbers[0];
    drop_numbers(r, 1, notes);
  } else if (r.type == "rod") {
    fill_rod(r, c, notes);
  } else if (r.type == "joint") {
    c.type = ConnectionType::kBall;
    drop_numbers(r, 0, notes);
  } else {
    if (!r.type.empty()) {
      notes.error(r.place, "unknown type of link", show(r.type), "spring, damper, joint, rod");
    }
    return false;
  }
  return true;
}

}  // namespace

void add_links(const WorldState& state, const Numbers& numbers, Document& document, Notes& notes) {
  for (const LinkRecord& r : state.links) {
    if (notes.full()) return;
    const Body* a = numbers.find(r.body_a, r.place, notes);
    const Body* b = numbers.find(r.body_b, r.place, notes);
    Connection c;
    if (a == nullptr || b == nullptr || !fill_link(r, c, notes)) continue;
    if (a == b) {
      notes.error(r.place, "the link ties a body to itself", a->name, "two different bodies");
      continue;
    }
    if (a->motion != Motion::kDynamic && b->motion != Motion::kDynamic) {
      notes.warn(r.place, "a link between immovable bodies; left out",
                 "V" + std::to_string(r.number));
      continue;
    }
    c.name = r.name.empty() ? "V" + std::to_string(r.number) : r.name;
    c.a = {a->name, r.place};
    c.b = {b->name, r.place};
    c.point_a = r.a;
    c.point_b = r.b;
    c.place = r.place;
    document.connections.push_back(std::move(c));
  }
}

}  // namespace tenon::scene::aero
