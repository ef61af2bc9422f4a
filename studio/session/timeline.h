// Takes, and the one world that computes them. Everything recorded can be let go and computed again
// with the same bits: a take is its parent, a step, a change and what hands did.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/build/build.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/studio/session/take.h"

namespace tenon::studio {

struct TimelineOptions {
  int threads = 1;              // of worlds; 0: as the scene says
  double (*clock)() = nullptr;  // s, for timings and for work that yields; may be nullptr
  size_t memory_bytes = size_t{512} << 20;  // of frames and states, about
  double keyframe_s = 0.5;                  // between states to go on from
  size_t most_events = 50'000;              // of a take; a heap of stones makes thousands a second
};

// A point at which bodies touch or push each other.
struct TouchPoint {
  Vec3 point_W, force_W;  // m; N on the second body, mean of the last step
};

// Bodies that a hand has led to new places.
struct Led {
  std::string name;
  Pose X_WB;
};

// What a hand did: mean forces on the point that it held, step by step.
struct Pull {
  struct Span {
    double from = 0, to = 0;  // s
    Vec3 force_W;             // N
  };
  std::string body;
  Vec3 point_B;
  std::vector<Span> forces;
};

class Timeline {
 public:
  explicit Timeline(const TimelineOptions& options) : options_(options) {}

  // Begins anew with one take. `errors`: what is wrong with the text the tree was read from; the
  // scene is then shown as far as it could be read, and does not run.
  // `read`: files of meshes; may be empty.
  void open(Json tree, std::string name, std::vector<Error> errors, scene::FileReader read = {});
  // A take that begins at a step of another one with a change. Error, and nothing changed: an
  // operation that cannot be done, a scene with mistakes that it did not have before. All mistakes
  // are in `errors` where it is given.
  Result<int> branch(int parent, uint64_t step, const Json& operations, const std::string& label,
                     std::vector<Error>* errors = nullptr);
  // How a take is seen, changed where it stands: operations on cameras, shots, lights and titles,
  // which no step depends on. It and all that grew from it keep what they have recorded. Error, and
  // nothing changed: a take that cannot have it.
  struct Said {
    Json operations;
    std::shared_ptr<const Json> tree;
  };
  Said said_of(int take) const { return {this->take(take).operations, this->take(take).tree}; }
  Result<Said> with_operations(int take, const Json& operations) const;
  Status say(int take, const Said& said, std::vector<Error>* errors = nullptr);
  // Takes a take away. Error where it is in use.
  Status discard(int take, int active);
  // The change of a take once more, at a step of another one: read and checked at once, computed
  // when it is asked for. Error: it makes no scene there.
  Result<int> replant(int old, int parent, uint64_t at);
  // The forces of a take that began with a pull. Computes it again.
  Result<Pull> pull_of(int take);
  // Puts a take of a saved project back: nothing is computed until it is asked for.
  void put_back(Take take);

  bool contains(int take) const { return takes_.contains(take); }
  const Take& take(int id) const { return *takes_.at(id); }
  Take& take(int id) { return *takes_.at(id); }
  std::vector<int> ids() const;
  const std::string& scene_name() const { return name_; }

  // The take of the chain of `take` that a step belongs to. Precondition: step <= end of it.
  int owner(int take, uint64_t step) const;
  // Length of the steps of a take, s; time of a step, and the step nearest to a time, in a take
  // with all that it grew from.
  double step_length(int take) const;
  double time_at(int take, uint64_t step) const;
  uint64_t step_at(int take, double time) const;
  // Computes what is not there; error where a scene cannot be built.
  Status ensure_scene(int take);
  Status ensure_tree(int take);  // its text alone
  // Frames of steps up to the end; computed again where they were let go.
  const Frame* frame(int take, uint64_t step);
  // One step more at the end of a take.
  Status step(int take);
  uint64_t hash_at(int take, uint64_t step);
  // The world of a take at any of its steps, for what does not change; nullptr where it has none.
  const World* world_of(int take);
  // Computes on what a project had once, for so many seconds; whether there was
  // anything to compute.
  bool catch_up(double seconds);
  // The frame of a step where it is at hand, without computing anything; else nullptr.
  const Frame* peek(int take, uint64_t step) const;
  // The world at a step, for one look at what it does there.
  Result<const World*> look_at(int take, uint64_t step);
  // Where bodies touch at a step.
  Result<std::vector<TouchPoint>> touches(int take, uint64_t step);

  // -- a hand that leads a mechanism without time: nothing is recorded until it lets go, and what
  // it did is then an edit (drag_edit.cpp). Whatever else needs the world ends it first.
  Status begin_leading(int take, uint64_t step, const std::string& body, const Vec3& point_B);
  Result<DragReport> lead(const Vec3& target_W);
  // The same for a freedom of a joint ("rx"): sets its coordinate within its limits, m or rad, and
  // says what it is then; other joints stay as they are where the mechanism is a tree
  // (pose_edit.cpp).
  Status begin_posing(int take, uint64_t step, const std::string& joint, const std::string& axis);
  Result<double> pose_joint(double wanted);
  bool leading() const { return led_.has_value(); }
  Frame led_frame() const;
  // The operations of the edit, empty where nothing moved; error: what has no entry of its own.
  Result<Json> end_leading();
  void stop_leading();
  // How far bodies fall as one until they touch something, along gravity, m. Error: nothing below,
  // or they touch already.
  Result<Vec3> find_drop(int take, uint64_t step, const std::vector<std::string>& names);

  const scene::FileReader& reader() const { return read_; }
  const std::vector<scene::SceneFile>& mesh_files() const { return meshes_->files(); }

  void add_input(int take, const GrabInput& input) { takes_.at(take)->inputs.push_back(input); }
  // Which body of the last grab is held, and by what force; for the page.
  bool grabbing() const { return grab_.has_value(); }
  // The mean force of the hand in the last step, N; zero where none holds. World axes.
  Vec3 grab_force() const;

  size_t bytes() const;
  // Lets go of what is farthest from the playhead until the budget is kept. `keep`: states of the
  // user's.
  void evict(int take, uint64_t step, const std::vector<SyncPoint>& keep);
  // Whether a state to go on from is at hand there.
  bool has_state(int take, uint64_t step) const;
  // Sees to it that there is one, unless a hand holds something: that is no part of a state.
  void keep_state(int take, uint64_t step);

 private:
  struct Live {
    int take = -1;
    uint64_t step = 0;
  };
  bool load(Take& take);
  Status build(Take& take);
  Status take_over(Take& take, scene::BuiltScene& built);
  Status go_to(int take, uint64_t step);
  void restore(Take& take, uint64_t step);
  Status step_live();
  void apply_inputs(Take& take);
  void record_events(Take& take);
  void add_key(Take& take);
  void forget_scene(Take& take);
  Frame gather(const Take& take, double step_ms) const;
  const Frame* peek_stats(int take, uint64_t step) const;
  std::vector<JointStats> gather_joints(const Cast& cast) const;

  TimelineOptions options_;
  // distance fields are made once for all takes
  std::unique_ptr<scene::MeshLibrary> meshes_ = std::make_unique<scene::MeshLibrary>();
  std::string name_;
  std::map<int, std::unique_ptr<Take>> takes_;
  int next_id_ = 0;
  uint32_t openings_ = 0;
  uint32_t number_of(int id) const { return (openings_ << 20) + static_cast<uint32_t>(id); }
  std::unique_ptr<World> world_;
  Live live_;
  std::optional<DragHandle> grab_;
  std::optional<JointHandle> grab_joint_;  // by which the hand pulls
  struct Posing {
    JointHandle joint;
    JointAxis axis = JointAxis::kRx;
    std::vector<BodyHandle> side;  // what goes along as it is; empty: the mechanism closes
    bool of_child = true;          // that side, or the body that is led
    double at = 0;                 // the coordinate now, turns counted
  };
  struct LeadShapes;
  struct Leading {
    std::optional<DragHandle> drag;
    int take = -1;
    uint64_t step = 0;
    std::vector<Pose> before;  // of all bodies
    std::optional<Posing> posing;
    bool against = false;  // something was in the way of the last move
    Vec3 free_W;           // the last place of the held point at which nothing was in the way
    std::shared_ptr<const LeadShapes> shapes;  // made when they are asked for
  };
  std::shared_ptr<const LeadShapes> lead_shapes(const Take& take);
  std::optional<Vec3> find_obstacle();
  Result<double> set_joint(double wanted);
  std::optional<Leading> led_;
  scene::FileReader read_;
};

// What a hand changed, as operations of an edit: poses; at the start also places of joints that the
// scene gives for the poses it had before.
Result<Json> lead_operations(const Take& take, const World& world, const std::vector<Pose>& before,
                             bool at_start);

// The operations of an edit in mid-run that move bodies there and then, and those that change the
// scene.
struct SplitOperations {
  Json scene = Json::array(), motion = Json::array();
};
SplitOperations split_operations(const Json& operations, const Cast& cast);
// A pose or velocity of a body as it may stand in the scene, with units and its parameters; what is
// wrong with it is said of `place`.
Result<scene::Body> read_motion(const Json& tree, const std::string& key, const Json& value,
                                const std::string& place);
// Does the operations that move bodies.
Status apply_motion(World& world, const Cast& cast, const Json& tree, const Json& operations);
// What bodies and joints of one world are those of another, by name; renamed ones too.
CarryOver match_casts(const Cast& there, const Cast& here, const Json& operations);

}  // namespace tenon::studio
