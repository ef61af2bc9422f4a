// The tree of bodies below <worldbody>.
#include <algorithm>

#include "tenon/scene/mjcf/world.h"

namespace tenon::scene::mjcf {
namespace {

using xml::Element;

// Where an element stands: its link (-1: the world), the frame around it, the class of its kind.
struct Spot {
  int link = -1;
  Pose X_LF;
  std::string childclass;
};

class BodyReader {
 public:
  explicit BodyReader(World& w) : w_(w) {}
  void read_content(Element& e, const Spot& at);

 private:
  void read_body(Element& e, const Spot& at);
  void add_geom(Element& e, const Spot& at);
  void add_joint(Element& e, const Spot& at);
  void add_site(Element& e, const Spot& at);
  void add_camera(Element& e, const Spot& at);
  void add_world_geom(const Element& e, GeomRead geom);
  // where the link stands for q = 0
  Pose find_pose(int link) const {
    Pose X;
    for (int l = link; l >= 0; l = w_.tree.links[static_cast<size_t>(l)].parent) {
      X = w_.tree.links[static_cast<size_t>(l)].X_PL * X;
    }
    return X;
  }
  bool stands_still(int link) const {
    for (int l = link; l >= 0; l = w_.tree.links[static_cast<size_t>(l)].parent) {
      if (!w_.tree.links[static_cast<size_t>(l)].dofs.empty()) return false;
    }
    return true;
  }

  World& w_;
  std::vector<std::vector<model::Inertial>> weights_;
  size_t unnamed_ = 0;
};

void BodyReader::read_content(Element& e, const Spot& at) {
  for (Element& c : e.children) {
    if (w_.error) return;
    if (c.tag == "body") {
      read_body(c, at);
    } else if (c.tag == "geom") {
      add_geom(c, at);
    } else if (c.tag == "joint" || c.tag == "freejoint") {
      add_joint(c, at);
    } else if (c.tag == "site") {
      add_site(c, at);
    } else if (c.tag == "camera") {
      add_camera(c, at);
    } else if (c.tag == "frame") {
      Source s = w_.defaults.source(c, at.childclass, w_.error);
      c.find("name");
      Spot inside = at;
      inside.X_LF = at.X_LF * s.pose(w_.settings);
      inside.childclass = c.text("childclass", at.childclass);
      read_content(c, inside);
    }
  }
}

void BodyReader::read_body(Element& e, const Spot& at) {
  Source s = w_.defaults.source(e, at.childclass, w_.error);
  model::Link link;
  link.name = e.text("name");
  if (link.name.empty()) link.name = "body_" + std::to_string(++unnamed_);
  link.parent = at.link;
  link.X_PL = at.X_LF * s.pose(w_.settings);
  link.X_PL.q = normalized(link.X_PL.q);
  link.kinematic = s.on("mocap", false);
  link.place = {e.line, 0};
  const int index = static_cast<int>(w_.tree.links.size());
  if (!w_.links.emplace(link.name, index).second) {
    s.fail("two bodies have the same name", link.name);
  }
  if (const double share = s.number("gravcomp", 0); share == 1) {
    link.gravity = false;
  } else if (share != 0) {
    s.find("gravcomp")->used = false;
  }
  w_.tree.links.push_back(std::move(link));
  w_.touches.emplace_back();
  weights_.emplace_back();
  const Spot inside{index, {}, e.text("childclass", at.childclass)};
  // joints say how a body stands before anything on it does
  for (Element& c : e.children) {
    if (c.tag == "joint" || c.tag == "freejoint") add_joint(c, inside);
  }
  std::optional<model::Inertial> given;
  if (Element* inertial = e.child("inertial"); inertial != nullptr) {
    given = read_inertial(*inertial, w_);
  }
  const auto own = static_cast<size_t>(index);
  read_content(e, inside);
  using From = Settings::FromGeom;
  const From from = w_.settings.inertia_from_geom;
  if (given && from != From::kYes) {
    w_.tree.links[own].inertial = given;
  } else if (from != From::kNo) {
    std::vector<model::Inertial>& pieces = weights_[own];
    if (!pieces.empty()) {
      model::Tree tree;  // merging adds inertias up
      model::Report ignored;
      for (const model::Inertial& piece : pieces) {
        model::Link l;
        l.parent = tree.links.empty() ? -1 : 0;
        l.inertial = piece;
        tree.links.push_back(std::move(l));
      }
      model::merge_fixed(tree, true, ignored);
      w_.tree.links[own].inertial = tree.links[0].inertial;
    }
  }
}

void BodyReader::add_world_geom(const Element& e, GeomRead geom) {
  model::Link link;
  link.name = geom.name.empty() ? "geom_" + std::to_string(e.line) : geom.name;
  link.X_PL = {geom.part->position, geom.part->orientation};
  geom.part->position = {};
  geom.part->orientation = {};
  link.parts.push_back(std::move(*geom.part));
  link.place = {e.line, 0};
  w_.tree.links.push_back(std::move(link));
  w_.touches.push_back({geom.touch});
  weights_.emplace_back();
}

void BodyReader::add_geom(Element& e, const Spot& at) {
  GeomRead geom = read_geom(e, at.childclass, at.X_LF, w_);
  if (!geom.name.empty() && at.link >= 0) {
    w_.geom_link[geom.name] = w_.tree.links[static_cast<size_t>(at.link)].name;
  }
  if (geom.plane) {
    if (!stands_still(at.link)) {
      w_.report->warnings.push_back(
          xml::error_at(e, "a plane on a body that moves is left out", geom.name, "a box"));
      return;
    }
    w_.planes.push_back({geom.name.empty() ? "plane" : geom.name,
                         find_pose(at.link) * geom.X_LG,
                         geom.touch,
                         geom.part->color,
                         {e.line, 0}});
    return;
  }
  if (at.link < 0) {
    if (geom.part) add_world_geom(e, std::move(geom));
    return;
  }
  const auto link = static_cast<size_t>(at.link);
  if (geom.part) {
    w_.tree.links[link].parts.push_back(std::move(*geom.part));
    w_.touches[link].push_back(geom.touch);
  }
  if (geom.inertial) weights_[link].push_back(*geom.inertial);
}

void BodyReader::add_joint(Element& e, const Spot& at) {
  if (e.used && at.link >= 0) return;  // read already
  if (at.link < 0) {
    if (!w_.error)
      w_.error = xml::error_at(e, "the world has no joints", e.tag, "joints in a <body>");
    return;
  }
  const auto link = static_cast<size_t>(at.link);
  std::vector<model::Dof>& dofs = w_.tree.links[link].dofs;
  for (model::Dof& dof : read_joint(e, at.childclass, at.X_LF, w_)) {
    if (dof.name.empty()) {
      dof.name = w_.tree.links[link].name + "_joint" +
                 (dofs.empty() ? "" : std::to_string(dofs.size() + 1));
    }
    if (dof.kind == model::DofKind::kFree) dof.pose = w_.tree.links[link].X_PL;
    const bool free = dof.kind == model::DofKind::kFree, nested = w_.tree.links[link].parent >= 0;
    const bool beside_free = !dofs.empty() && dofs.front().kind == model::DofKind::kFree;
    if (((free && (nested || !dofs.empty())) || beside_free) && !w_.error) {
      w_.error = xml::error_at(e, "a free joint stands alone on a body of the world",
                               dofs.empty() ? dof.name : dofs.front().name + ", " + dof.name,
                               "one free joint, or others without it");
    }
    if (!w_.dofs.emplace(dof.name, std::pair(link, dofs.size())).second && !w_.error) {
      w_.error = xml::error_at(e, "two joints have the same name", dof.name);
    }
    dofs.push_back(std::move(dof));
  }
}

void BodyReader::add_site(Element& e, const Spot& at) {
  Source s = w_.defaults.source(e, at.childclass, w_.error);
  const std::string name = e.text("name");
  Pose X = s.pose(w_.settings);
  if (const auto ends = s.numbers("fromto", 6, 6); !ends.empty()) {
    X.p = 0.5 * Vec3{ends[0] + ends[3], ends[1] + ends[4], ends[2] + ends[5]};
  }
  if (!name.empty()) w_.sites[name] = {at.link, at.X_LF * X};
}

void BodyReader::add_camera(Element& e, const Spot& at) {
  Source s = w_.defaults.source(e, at.childclass, w_.error);
  const std::string mode = s.text("mode", "fixed");
  const Pose X = at.X_LF * s.pose(w_.settings);
  CameraEntry entry;
  Camera& c = entry.camera;
  c.name = e.text("name");
  c.fov = s.number("fovy", 45) * kPi / 180;
  c.position = X.p;
  c.look_at = X.p + rotate(X.q, Vec3{0, 0, -1});
  c.up = rotate(X.q, Vec3{0, 1, 0});
  c.place = {e.line, 0};
  entry.link = at.link;
  c.type = at.link < 0 ? CameraType::kFixed : CameraType::kMounted;
  if (mode == "track" || mode == "trackcom") c.type = CameraType::kFollow;
  if (mode == "targetbody" || mode == "targetbodycom") {
    c.type = CameraType::kFixed;
    c.body.name = s.text("target");
  }
  if (at.link < 0 && c.type == CameraType::kFollow) c.type = CameraType::kFixed;
  w_.cameras.push_back(std::move(entry));
}

}  // namespace

void read_bodies(Element& root, World& w) {
  BodyReader reader(w);
  for (Element& e : root.children) {
    if (e.tag != "worldbody" || w.error) continue;
    e.used = true;
    reader.read_content(e, {});
  }
  finish_masses(w);
}

}  // namespace tenon::scene::mjcf
