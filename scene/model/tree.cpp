#include "tenon/scene/model/tree.h"

#include <cmath>

#include "tenon/engine/geometry/mass_properties.h"

namespace tenon::scene::model {
namespace {

void apply_turn(const Quat& turn, const Dof& dof, const Vec3& spin_W, Placed& at) {
  const Vec3 a = at.X_WL.p + rotate(at.X_WL.q, dof.anchor);
  const Vec3 v_a = at.v + cross(at.w, a - at.X_WL.p);
  at.X_WL.q = normalized(at.X_WL.q * turn);
  at.X_WL.p = a - rotate(at.X_WL.q, dof.anchor);
  at.w += spin_W;
  at.v = v_a + cross(at.w, at.X_WL.p - a);
}

void apply(const Dof& dof, const Placed& parent, Placed& at) {
  const Vec3 axis_W = rotate(at.X_WL.q, dof.axis);
  switch (dof.kind) {
    case DofKind::kHinge:
      apply_turn(from_axis_angle(dof.axis, dof.q), dof, dof.rate * axis_W, at);
      break;
    case DofKind::kBall:
      apply_turn(dof.turn, dof, rotate(normalized(at.X_WL.q * dof.turn), dof.spin), at);
      break;
    case DofKind::kSlide: {
      const Vec3 way = dof.q * axis_W;
      at.X_WL.p += way;
      at.v += cross(at.w, way) + dof.rate * axis_W;
      break;
    }
    case DofKind::kFree:
      at.X_WL = parent.X_WL * dof.pose;
      at.X_WL.q = normalized(at.X_WL.q);
      at.v = rotate(parent.X_WL.q, dof.velocity);
      at.w = rotate(at.X_WL.q, dof.spin);
      break;
  }
}

}  // namespace

Quat x_to(const Vec3& u) {
  if (u.x < -1 + 1e-12) return {0, 0, 1, 0};
  const Vec3 v = cross(Vec3{1, 0, 0}, u);
  return normalized(Quat{1 + u.x, v.x, v.y, v.z});
}

std::vector<Placed> place(const Tree& tree) {
  std::vector<Placed> placed;
  const Placed world;
  for (const Link& link : tree.links) {
    const Placed& parent = link.parent < 0 ? world : placed[static_cast<size_t>(link.parent)];
    Placed at;
    at.X_WL = parent.X_WL * link.X_PL;
    at.X_WL.q = normalized(at.X_WL.q);
    at.w = parent.w;
    at.v = parent.v + cross(parent.w, at.X_WL.p - parent.X_WL.p);
    for (const Dof& dof : link.dofs) {
      apply(dof, parent, at);
      at.between.push_back(at);
    }
    placed.push_back(std::move(at));
  }
  return placed;
}

std::vector<Placed> place_at_zero(const Tree& tree) {
  Tree zero = tree;
  for (Link& link : zero.links) {
    for (Dof& dof : link.dofs) {
      dof.q = dof.rate = 0;
      dof.turn = {};
      dof.spin = dof.velocity = {};
      dof.pose = link.X_PL;
    }
  }
  return place(zero);
}

std::vector<bool> find_immovable(const Tree& tree) {
  std::vector<bool> immovable;
  for (const Link& link : tree.links) {
    const bool held = link.parent < 0 || immovable[static_cast<size_t>(link.parent)];
    immovable.push_back(held && link.dofs.empty() && !link.kinematic &&
                        (!link.inertial || tree.static_base));
  }
  return immovable;
}

namespace {

// Links that became parts of their parents: one by one where they are few, else summed up.
class Merged {
 public:
  explicit Merged(const char* why) : why_(why) {}
  void add(const std::string& link, const std::string& into) {
    if (++count_ <= kFew) notes_.push_back(link + " into " + into);
  }
  void tell(Report& report) const {
    if (count_ <= kFew) {
      for (const std::string& n : notes_)
        report.notes.push_back("part of its parent: " + n + (*why_ ? ", it has no mass" : ""));
      return;
    }
    report.notes.push_back(std::to_string(count_) + " links" + why_ +
                           " are parts of their parents: " + notes_[0] + ", " + notes_[1] +
                           ", ...");
  }

 private:
  static constexpr size_t kFew = 8;
  const char* why_;
  size_t count_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

void merge_fixed(Tree& tree, bool all, Report& report) {
  Merged massless(" without mass"), heavy("");
  std::vector<Link> kept;
  std::vector<int> index(tree.links.size());  // of what a link became
  std::vector<Pose> X(tree.links.size());     // its frame in that
  for (size_t i = 0; i < tree.links.size(); ++i) {
    Link& link = tree.links[i];
    if (link.parent >= 0) {
      link.X_PL = X[static_cast<size_t>(link.parent)] * link.X_PL;
      link.X_PL.q = normalized(link.X_PL.q);
      link.parent = index[static_cast<size_t>(link.parent)];
    }
    const bool merges =
        link.parent >= 0 && link.dofs.empty() && !link.kinematic && (all || !link.inertial);
    if (!merges) {
      index[i] = static_cast<int>(kept.size());
      kept.push_back(std::move(link));
      continue;
    }
    index[i] = link.parent;
    X[i] = link.X_PL;
    Link& into = kept[static_cast<size_t>(link.parent)];
    (link.inertial ? heavy : massless).add(link.name, into.name);
    for (Part& part : link.parts) {
      const Pose at = link.X_PL * Pose{part.position, part.orientation};
      part.position = at.p;
      part.orientation = normalized(at.q);
      into.parts.push_back(std::move(part));
    }
    if (!link.inertial) continue;
    const MassProperties own{link.inertial->mass, link.inertial->com, link.inertial->inertia};
    std::vector<MassProperties> both{transformed(to_transform(link.X_PL), own)};
    if (into.inertial) {
      both.push_back({into.inertial->mass, into.inertial->com, into.inertial->inertia});
    }
    const MassProperties sum = combine(both);
    into.inertial = Inertial{sum.mass, sum.com, sum.inertia};
  }
  tree.links = std::move(kept);
  massless.tell(report);
  heavy.tell(report);
}

}  // namespace tenon::scene::model
