// MuJoCo: joint coordinates along a spanning tree, loops closed by soft `connect` constraints,
// Newton's method. With substeps, closures are made as stiff as its manual allows for the step:
// time constant of two steps. It reads models as XML only, here from its virtual files in memory.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>

#include "tenon/benchmarks/engines/engine.h"

namespace tenon {
namespace {

std::string text(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}
std::string text(const Vec3& v) { return text(v.x) + " " + text(v.y) + " " + text(v.z); }
std::string text(const Quat& q) { return text(q.w) + " " + text(q.vec()); }

// Which joint carries which body: breadth first from the world, so that branches stay short.
struct SpanningTree {
  std::vector<int> carrier;                // joint that carries a body; -1: it floats
  std::vector<int> parent;                 // body; -1: the world
  std::vector<std::vector<int>> children;  // of a body; the last entry is the world's
  std::vector<int> closures;               // joints that are left over
};

SpanningTree make_tree(const BenchScene& scene) {
  const size_t n = scene.bodies.size();
  SpanningTree tree{std::vector<int>(n, -1), std::vector<int>(n, -1), {}, {}};
  tree.children.resize(n + 1);
  std::vector<std::vector<int>> joints_of(n + 1);
  const auto slot = [n](int body) { return body < 0 ? n : static_cast<size_t>(body); };
  for (size_t k = 0; k < scene.joints.size(); ++k) {
    joints_of[slot(scene.joints[k].a)].push_back(static_cast<int>(k));
    joints_of[slot(scene.joints[k].b)].push_back(static_cast<int>(k));
  }
  std::vector<bool> reached(n + 1), used(scene.joints.size());
  std::queue<size_t> queue;
  const auto grow = [&](size_t from) {
    reached[from] = true;
    for (queue.push(from); !queue.empty(); queue.pop()) {
      const size_t at = queue.front();
      for (int k : joints_of[at]) {
        const SceneJoint& joint = scene.joints[static_cast<size_t>(k)];
        const size_t other = slot(joint.a) == at ? slot(joint.b) : slot(joint.a);
        if (reached[other]) continue;
        reached[other] = used[static_cast<size_t>(k)] = true;
        tree.carrier[other] = k;
        tree.parent[other] = at == n ? -1 : static_cast<int>(at);
        tree.children[at].push_back(static_cast<int>(other));
        queue.push(other);
      }
    }
  };
  grow(n);
  for (size_t i = 0; i < n; ++i) {
    if (reached[i] || scene.bodies[i].mass == 0) continue;
    tree.children[n].push_back(static_cast<int>(i));
    grow(i);
  }
  for (size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) tree.closures.push_back(static_cast<int>(k));
  }
  return tree;
}

// Which way a body turns for the angle of its hinge to grow.
Vec3 turn_axis(const SceneJoint& joint, int body) {
  return joint.b == body ? joint.axis_B : -joint.axis_A;
}

// The model as XML. The parser refuses elements more than 100 deep, so long branches go on in
// files of their own.
class ModelWriter {
 public:
  ModelWriter(const BenchScene& scene, const SpanningTree& tree, const EngineSettings& settings)
      : scene_(scene), tree_(tree) {
    const double step = settings.frame / settings.substeps;
    std::string xml = "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/>";
    xml += write_sizes();
    xml += "<option timestep='" + text(step) + "' gravity='0 " + text(-kSceneGravity) + " 0'>";
    if (!scene.collides()) xml += "<flag contact='disable'/>";
    xml += "</option>" + write_defaults(settings.substeps > 1 ? 2 * step : 0) + "<worldbody>";
    for (const SceneBody& body : scene.bodies) {
      if (body.mass == 0 && body.collides) xml += write_shape(body, body.X_WB);
    }
    for (int root : tree.children.back()) xml += write_body(root, 1);
    xml += "</worldbody><equality>";
    for (int k : tree.closures) xml += write_closure(scene.joints[static_cast<size_t>(k)]);
    xml += "</equality><contact>";
    // bodies that the tree joins do not touch anyway
    for (int k : tree.closures) {
      const SceneJoint& joint = scene.joints[static_cast<size_t>(k)];
      if (joint.a < 0) continue;
      xml += "<exclude body1='" + std::to_string(joint.a) + "' body2='" + std::to_string(joint.b) +
             "'/>";
    }
    files.insert(files.begin(), xml + "</contact></mujoco>");
  }
  std::vector<std::string> files;  // the first is the model; file k + 1 is "k.xml"

 private:
  // Room for constraints; it stops with an error when there is too little.
  std::string write_sizes() const {
    const size_t joints = 5 * tree_.closures.size() + scene_.joints.size() + 10;
    if (!scene_.collides()) {
      return "<size njmax='" + std::to_string(joints) + "' nconmax='1'/>";
    }
    // memory grows with the square
    const size_t points = std::min<size_t>(100 + 12 * scene_.bodies.size(), 2600);
    const size_t stack = scene_.bodies.size() > 300 ? 150000000 : 20000000;
    return "<size njmax='" + std::to_string(joints + 4 * points) + "' nconmax='" +
           std::to_string(points) + "' nstack='" + std::to_string(stack) + "'/>";
  }
  // time_constant 0: as it comes
  static std::string write_defaults(double time_constant) {
    std::string stiff, limit;
    if (time_constant > 0) {
      stiff = " solref='" + text(time_constant) + " 1' solimp='.99 .999 .001'";
      limit = "<joint solreflimit='" + text(time_constant) + " 1'/>";
    }
    return "<default><geom friction='" + text(kSceneFriction) + " .005 .0001'" + stiff +
           "/><equality" + stiff + "/>" + limit + "</default>";
  }
  static std::string write_shape(const SceneBody& body, const Pose& X) {
    const auto& [kind, half] = body.shape;
    std::string size = "box' size='" + text(half);
    if (kind == SceneShape::Kind::kCapsule) {
      size = half.z == 0 ? "sphere' size='" + text(half.x)
                         : "capsule' size='" + text(half.x) + " " + text(half.z);
    }
    return "<geom type='" + size + "' pos='" + text(X.p) + "' quat='" + text(X.q) + "'/>";
  }
  std::string write_body(int index, int depth) {
    const auto i = static_cast<size_t>(index);
    const SceneBody& body = scene_.bodies[i];
    const int parent = tree_.parent[i];
    const Pose X_WP = parent < 0 ? Pose{} : scene_.bodies[static_cast<size_t>(parent)].X_WB;
    const Pose X_PB{rotate(conjugate(X_WP.q), body.X_WB.p - X_WP.p),
                    conjugate(X_WP.q) * body.X_WB.q};
    std::string xml = "<body name='" + std::to_string(index) + "' pos='" + text(X_PB.p) +
                      "' quat='" + text(X_PB.q) + "'><inertial pos='0 0 0' mass='" +
                      text(body.mass) + "' diaginertia='" + text(body.moments) + "'/>";
    if (body.collides) xml += write_shape(body, {});
    xml += write_carrier(index) + write_children(i, depth) + "</body>";
    return xml;
  }
  std::string write_children(size_t body, int depth) {
    std::string xml;
    for (int child : tree_.children[body]) xml += write_body(child, depth + 1);
    if (depth % 80 != 0 || xml.empty()) return xml;
    files.push_back("<mujoco>" + xml + "</mujoco>");
    return "<include file='" + std::to_string(files.size() - 1) + ".xml'/>";
  }
  std::string write_carrier(int index) const {
    const int carrier = tree_.carrier[static_cast<size_t>(index)];
    if (carrier < 0) return "<freejoint/>";
    const SceneJoint& joint = scene_.joints[static_cast<size_t>(carrier)];
    std::string xml = joint.hinge
                          ? "<joint type='hinge' axis='" + text(turn_axis(joint, index)) + "'"
                          : "<joint type='ball'";
    if (joint.limited) {
      // of a ball joint it limits the whole angle
      xml += " limited='true' range='" + text(joint.hinge ? joint.min : 0) + " " +
             text(joint.hinge ? joint.max : joint.swing) + "'";
    }
    return xml + " pos='" + text(joint.b == index ? joint.p_B : joint.p_A) + "'/>";
  }
  // A hinge is closed at two points of its axis unless the scene is planar.
  std::string write_closure(const SceneJoint& joint) const {
    std::string xml;
    const bool twice = joint.hinge && !scene_.planar;
    for (double along : {-0.4, 0.4}) {
      const Vec3 anchor = joint.p_B + (twice ? along : 0) * joint.axis_B;
      xml += "<connect body1='" + std::to_string(joint.b) + "'";
      if (joint.a >= 0) xml += " body2='" + std::to_string(joint.a) + "'";
      xml += " anchor='" + text(anchor) + "'/>";
      if (!twice) break;
    }
    return xml;
  }

  const BenchScene& scene_;
  const SpanningTree& tree_;
};

mjModel* load_model(const std::vector<std::string>& files) {
  auto virtual_files = std::make_unique<mjVFS>();
  mj_defaultVFS(virtual_files.get());
  for (size_t k = 0; k < files.size(); ++k) {
    const std::string name = k == 0 ? "model.xml" : std::to_string(k - 1) + ".xml";
    const int size = static_cast<int>(files[k].size());
    mj_makeEmptyFileVFS(virtual_files.get(), name.c_str(), size);
    const int at = mj_findFileVFS(virtual_files.get(), name.c_str());
    std::memcpy(virtual_files->filedata[at], files[k].data(), files[k].size());
  }
  char error[1000] = "";
  mjModel* model = mj_loadXML("model.xml", virtual_files.get(), error, sizeof error);
  mj_deleteVFS(virtual_files.get());
  if (!model) {
    std::fprintf(stderr, "mujoco: %s\n", error);
    std::exit(1);
  }
  return model;
}

class MujocoEngine : public BenchEngine {
 public:
  MujocoEngine(const BenchScene& scene, const EngineSettings& settings)
      : substeps_(settings.substeps) {
    const SpanningTree tree = make_tree(scene);
    model_ = load_model(ModelWriter(scene, tree, settings).files);
    data_ = mj_makeData(model_);
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
      ids_.push_back(mj_name2id(model_, mjOBJ_BODY, std::to_string(i).c_str()));
      if (ids_.back() >= 0) set_speed(scene, tree, i);
    }
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void advance() override {
    for (int i = 0; i < substeps_; ++i) mj_step(model_, data_);
  }
  void read(std::vector<BodyReading>& bodies) override {
    // a step leaves poses of its beginning behind
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] < 0) continue;  // static
      const mjtNum *p = data_->xpos + 3 * ids_[i], *q = data_->xquat + 4 * ids_[i];
      mjtNum v[6];  // turning first
      mj_objectVelocity(model_, data_, mjOBJ_BODY, ids_[i], v, 0);
      bodies[i] = {
          {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
    }
  }
  int contacts() const override { return data_->ncon; }
  // it starts again from the beginning when numbers get out of hand
  bool failed() const override {
    const mjWarningStat* w = data_->warning;
    return w[mjWARN_BADQPOS].number + w[mjWARN_BADQVEL].number + w[mjWARN_BADQACC].number > 0;
  }

 private:
  void set_speed(const BenchScene& scene, const SpanningTree& tree, size_t i) {
    mjtNum* rate = data_->qvel + model_->body_dofadr[ids_[i]];
    const SceneBody& body = scene.bodies[i];
    const int parent = tree.parent[i], carrier = tree.carrier[i];
    const Vec3 w_WP = parent < 0 ? Vec3{} : scene.bodies[static_cast<size_t>(parent)].w_WB;
    const Vec3 w = rotate(conjugate(body.X_WB.q), body.w_WB - w_WP);
    if (carrier < 0) {  // floats
      for (int k = 0; k < 3; ++k) rate[k] = body.v_WB[k];
      for (int k = 0; k < 3; ++k) rate[3 + k] = w[k];
      return;
    }
    const SceneJoint& joint = scene.joints[static_cast<size_t>(carrier)];
    if (joint.hinge) {
      rate[0] = dot(w, turn_axis(joint, static_cast<int>(i)));
    } else {
      for (int k = 0; k < 3; ++k) rate[k] = w[k];
    }
  }

  int substeps_;
  mjModel* model_;
  mjData* data_;
  std::vector<int> ids_;
};

// The mass matrix of a branch is dense, and so is everything where loops are closed.
std::string refuse_large(const BenchScene& scene) {
  if (scene.collides() && scene.bodies.size() > 450) {
    return "more than 450 bodies that touch: dense matrices";
  }
  return scene.bodies.size() > 1100 ? "more than 1100 bodies: dense matrices" : "";
}

}  // namespace

std::vector<EngineKind> mujoco_engines() {
  // warnings are asked for by failed(); by default they go to a file in the current folder
  mju_user_warning = [](const char*) {};
  mju_user_error = [](const char* message) {
    std::fprintf(stderr, "mujoco: %s\n", message);
    std::exit(1);
  };
  const auto make = [](const BenchScene& scene,
                       const EngineSettings& settings) -> std::unique_ptr<BenchEngine> {
    return std::make_unique<MujocoEngine>(scene, settings);
  };
  return {{"mujoco", std::string("MuJoCo ") + mj_versionString() + ", double", true, true, make,
           refuse_large}};
}

}  // namespace tenon
