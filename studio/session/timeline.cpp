#include "tenon/studio/session/timeline.h"

#include <algorithm>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::studio {
namespace {

Cast cast_of(const scene::BuiltScene& built) {
  return {built.names, built.handles, built.joint_names, built.joint_types, built.joint_handles};
}

// Joints that rules took away are gone in a later state.
void keep_existing(const World& world, Cast& cast) {
  for (size_t i = cast.joint_handles.size(); i-- > 0;) {
    if (world.contains(cast.joint_handles[i])) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    cast.joint_handles.erase(cast.joint_handles.begin() + at);
    cast.joint_names.erase(cast.joint_names.begin() + at);
    cast.joint_types.erase(cast.joint_types.begin() + at);
  }
}

// What was let go of a frame is put back.
void fill(Frame& frame, Frame again) {
  frame.poses = std::move(again.poses);
  frame.rates = std::move(again.rates);
  frame.joints = std::move(again.joints);
}

// Pairs of bodies that touch at a step of a take, by what has happened up to then.
std::set<std::pair<std::string, std::string>> find_touching(const Take& take, uint64_t step) {
  std::set<std::pair<std::string, std::string>> pairs = take.touching;
  for (const TakeEvent& e : take.events) {
    if (e.step > step) break;
    if (e.kind == EventKind::kContactBegin) pairs.insert(std::minmax(e.a, e.b));
    if (e.kind == EventKind::kContactEnd) pairs.erase(std::minmax(e.a, e.b));
  }
  return pairs;
}

}  // namespace

std::vector<int> Timeline::ids() const {
  std::vector<int> all;
  for (const auto& [id, take] : takes_) all.push_back(id);
  return all;
}

int Timeline::owner(int id, uint64_t step) const {
  while (step < take(id).at && take(id).parent >= 0) id = take(id).parent;
  return id;
}

void Timeline::open(Json tree, std::string name, std::vector<Error> errors,
                    scene::FileReader read) {
  read_ = std::move(read);
  meshes_ = std::make_unique<scene::MeshLibrary>(scene::MeshLibraryOptions{.read = read_});
  led_.reset();
  takes_.clear();
  world_.reset();
  grab_.reset();
  live_ = {};
  next_id_ = 0;
  ++openings_;
  name_ = std::move(name);
  auto take = std::make_unique<Take>();
  take->id = next_id_++;
  take->number = number_of(take->id);
  take->tree = std::make_shared<const Json>(std::move(tree));
  load(*take);
  if (!errors.empty()) take->errors = std::move(errors);
  Take& root = *take;
  takes_[root.id] = std::move(take);
  if (root.errors.empty()) {
    if (Status s = build(root); !s && root.errors.empty()) root.errors.push_back(s.error());
  }
}

// Reads the tree of a take. The text is the one that would be saved, so lines in messages are its.
bool Timeline::load(Take& take) {
  const std::string text = scene::format_json(*take.tree);
  scene::LoadResult loaded = scene::load_scene(text, name_);
  // a value of a few letters is a node of about a hundred bytes, in the tree and in the document
  take.scene_bytes = 24 * text.size();
  take.errors = std::move(loaded.errors);
  take.warnings = std::move(loaded.warnings);
  take.flat = std::make_shared<const scene::Document>(std::move(loaded.flat));
  take.step_s = take.flat->world.step;
  return take.errors.empty();
}

// The world goes on from the live one, which stands where the take begins.
Status Timeline::take_over(Take& take, scene::BuiltScene& built) {
  const Take& parent = *takes_.at(take.parent);
  Cast before = parent.cast;
  keep_existing(*world_, before);
  const SplitOperations split = split_operations(take.operations, parent.cast);
  // a change of looks alone: all the state there is, with its bits
  if (!built.world.load_state(world_->save_state())) {
    const CarryOver pairs = match_casts(before, cast_of(built), split.scene);
    if (Status s = built.world.carry_over(*world_, pairs); !s) return s;
  }
  return apply_motion(built.world, cast_of(built), *take.tree, split.motion);
}

Status Timeline::build(Take& take) {
  const bool later = take.at > 0;
  scene::BuildResult result = scene::build(*take.flat, {.threads = options_.threads,
                                                        .clock = options_.clock,
                                                        .assemble = !later,
                                                        .meshes = meshes_.get()});
  take.warnings.insert(take.warnings.end(), result.warnings.begin(), result.warnings.end());
  if (!result.ok()) {
    take.errors = result.errors;
    return result.errors.front();
  }
  scene::BuiltScene& built = result.scene.front();
  stop_leading();
  if (later) {
    if (Status s = go_to(take.parent, take.at); !s) return s;
    if (Status s = take_over(take, built); !s) return s;
    take.touching = find_touching(*takes_.at(take.parent), take.at);
  }
  world_ = std::make_unique<World>(std::move(built.world));
  grab_.reset();
  live_ = {take.id, take.at};
  take.cast = cast_of(built);
  take.start = world_->snapshot();
  take.key_bytes = 2 * world_->save_state().size() + 800 * take.cast.names.size();
  const StepDiagnostics& d = world_->diagnostics();
  take.balance_J = d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
  take.potential_J = d.mechanics.potential_J;
  take.work_J = d.work_J;
  if (take.frames.empty()) {
    take.frames.push_back(gather(take, 0));
    take.end = take.at;
  }
  return Ok{};
}

Result<int> Timeline::branch(int parent_id, uint64_t step, const Json& operations,
                             const std::string& label, std::vector<Error>* errors) {
  parent_id = owner(parent_id, step);
  if (Status s = ensure_scene(parent_id); !s && step > 0) return s.error();
  const Take& parent = *takes_.at(parent_id);
  const Json scene_ops =
      step > 0 ? split_operations(operations, parent.cast).scene : Json(operations);
  Result<Json> tree = apply_operations(*parent.tree, scene_ops);
  if (!tree) return tree.error();
  auto take = std::make_unique<Take>();
  take->id = next_id_;
  take->number = number_of(take->id);
  take->parent = parent_id;
  take->at = step;
  take->label = label;
  take->operations = operations;
  take->tree = std::make_shared<const Json>(std::move(*tree));
  load(*take);
  // a scene that had mistakes may keep some of them while it is being mended
  const bool mending = step == 0 && !parent.errors.empty();
  Status built = take->errors.empty() ? build(*take) : Status(take->errors.front());
  if (!built && !(mending && take->errors.size() <= parent.errors.size())) {
    if (errors != nullptr) *errors = take->errors;
    if (live_.take == take->id) live_ = {};
    return built.error();
  }
  ++next_id_;
  const int id = take->id;
  takes_[id] = std::move(take);
  return id;
}

Result<Timeline::Said> Timeline::with_operations(int id, const Json& operations) const {
  Said said = said_of(id);
  Result<Json> tree = apply_operations(*said.tree, operations);
  if (!tree) return tree.error();
  said.tree = std::make_shared<const Json>(std::move(*tree));
  // the first take is what it is, all others are changes of their parents
  for (const Json& one : operations.items)
    if (take(id).parent >= 0) said.operations.push(one);
  return said;
}

Status Timeline::say(int id, const Said& said, std::vector<Error>* errors) {
  struct Changed {
    Take* take;
    Said before;
    std::shared_ptr<const scene::Document> flat;
    std::vector<Error> warnings;
  };
  std::vector<Changed> changed;
  std::set<int> concerned{id};
  Status good = Ok{};
  // parents have smaller numbers than what grew from them
  for (auto& [other, take] : takes_) {
    if (concerned.contains(take->parent)) concerned.insert(other);
    if (!concerned.contains(other)) continue;
    // what was let go is made again of what its parent says then
    if (other != id && take->tree && !takes_.at(take->parent)->tree) forget_scene(*take);
    if (other != id && !take->tree) continue;
    changed.push_back({take.get(), said_of(other), take->flat, take->warnings});
    if (other == id) {
      take->operations = said.operations;
      take->tree = said.tree;
    } else {
      const Take& parent = *takes_.at(take->parent);
      const Json ops = take->at > 0 ? split_operations(take->operations, parent.cast).scene
                                    : Json(take->operations);
      Result<Json> tree = apply_operations(*parent.tree, ops);
      if (!tree) good = tree.error();
      if (tree) take->tree = std::make_shared<const Json>(std::move(*tree));
    }
    const bool had_errors = !take->errors.empty();
    if (good && !load(*take) && !had_errors) {
      good = take->errors.front();
      if (errors != nullptr) *errors = take->errors;
      take->errors.clear();
    }
    if (!good) break;
  }
  for (Changed& c : changed) {
    if (good) break;
    c.take->operations = c.before.operations;
    c.take->tree = c.before.tree;
    c.take->flat = c.flat;
    c.take->warnings = c.warnings;
  }
  return good;
}

void Timeline::put_back(Take saved) {
  auto take = std::make_unique<Take>(std::move(saved));
  next_id_ = std::max(next_id_, take->id + 1);
  take->number = number_of(take->id);
  take->end = take->at;
  takes_[take->id] = std::move(take);
}

Status Timeline::discard(int id, int active) {
  for (int chain = active; chain >= 0; chain = take(chain).parent) {
    if (chain == id)
      return Error{.message = "the take is on the stage", .accepted = "another take"};
  }
  for (const auto& [other, take] : takes_) {
    if (take->parent == id)
      return Error{.message = "other takes begin in this one", .accepted = "a take without others"};
  }
  if (live_.take == id) live_ = {};
  takes_.erase(id);
  return Ok{};
}

// The text of a scene again. Of changes at the start nothing need be built for that; of later ones
// the cast of the parent says what moves bodies and what changes the scene.
Status Timeline::ensure_tree(int id) {
  Take& take = *takes_.at(id);
  if (take.tree) return Ok{};
  if (take.parent < 0) return Error{.message = "the scene of a take is missing"};
  if (Status s = take.at > 0 ? ensure_scene(take.parent) : ensure_tree(take.parent); !s) return s;
  const Take& parent = *takes_.at(take.parent);
  const Json ops =
      take.at > 0 ? split_operations(take.operations, parent.cast).scene : Json(take.operations);
  Result<Json> tree = apply_operations(*parent.tree, ops);
  if (!tree) return tree.error();
  take.tree = std::make_shared<const Json>(std::move(*tree));
  return Ok{};
}

// Makes the scene and the first state of a take again, those of its parents first.
Status Timeline::ensure_scene(int id) {
  Take& take = *takes_.at(id);
  if (!take.start.empty()) return Ok{};
  if (take.at > 0) {
    if (Status s = ensure_scene(take.parent); !s) return s;
  }
  if (Status s = ensure_tree(id); !s) return s;
  if (!take.flat && !load(take)) return take.errors.front();
  if (!take.errors.empty()) return take.errors.front();
  return build(take);
}

void Timeline::restore(Take& take, uint64_t step) {
  auto key = take.keys.upper_bound(step);
  const bool start = key == take.keys.begin();
  if (!start) --key;
  world_->restore(start ? take.start : key->second);
  live_ = {take.id, start ? take.at : key->first};
  grab_.reset();
}

Status Timeline::go_to(int id, uint64_t step) {
  stop_leading();
  id = owner(id, step);
  if (Status s = ensure_scene(id); !s) return s;
  Take& take = *takes_.at(id);
  auto key = take.keys.upper_bound(step);
  const uint64_t nearest = key == take.keys.begin() ? take.at : std::prev(key)->first;
  const bool ahead = live_.take == id && live_.step <= step && live_.step >= nearest;
  if (!ahead) restore(take, step);
  while (live_.step < step) {
    if (Status s = step_live(); !s) return s;
  }
  return Ok{};
}

Status Timeline::step_live() {
  Take& take = *takes_.at(live_.take);
  apply_inputs(take);
  const double began = options_.clock != nullptr ? options_.clock() : 0;
  world_->step();
  const double ms = options_.clock != nullptr ? 1000 * (options_.clock() - began) : 0;
  ++live_.step;
  const auto index = static_cast<size_t>(live_.step - take.at);
  if (index >= take.frames.size()) {
    take.frames.push_back(gather(take, ms));
    take.end = live_.step;
    record_events(take);
  } else if (take.frames[index].poses.empty()) {
    fill(take.frames[index], gather(take, ms));
  }
  add_key(take);
  return Ok{};
}

Status Timeline::step(int id) {
  if (Status s = go_to(id, take(id).end); !s) return s;
  return step_live();
}

const Frame* Timeline::frame(int id, uint64_t step) {
  id = owner(id, step);
  if (!ensure_scene(id)) return nullptr;
  Take& take = *takes_.at(id);
  if (step > take.end && !go_to(id, step)) return nullptr;
  Frame& wanted = take.frames[static_cast<size_t>(step - take.at)];
  if (wanted.poses.empty()) {
    if (!go_to(id, step)) return nullptr;
    // steps on the way there have filled in theirs; a state that was at hand has not
    if (wanted.poses.empty()) fill(wanted, gather(take, 0));
  }
  return &wanted;
}

uint64_t Timeline::hash_at(int id, uint64_t step) {
  return go_to(id, step) ? world_->state_hash() : 0;
}

const Frame* Timeline::peek(int id, uint64_t step) const {
  const Take& t = take(owner(id, step));
  if (step > t.end || step < t.at || t.frames.size() <= step - t.at) return nullptr;
  const Frame& frame = t.frames[static_cast<size_t>(step - t.at)];
  return frame.poses.empty() && !t.cast.names.empty() ? nullptr : &frame;
}

Result<const World*> Timeline::look_at(int id, uint64_t step) {
  if (Status s = go_to(id, step); !s) return s.error();
  return world_.get();
}

const World* Timeline::world_of(int id) {
  if (live_.take == id) return world_.get();
  return go_to(id, take(id).at) ? world_.get() : nullptr;
}

bool Timeline::catch_up(double seconds) {
  const double until = options_.clock != nullptr ? options_.clock() + seconds : 0;
  bool worked = false;
  for (auto& [id, take] : takes_) {
    while (take->end < take->wanted) {
      worked = true;
      if (!ensure_scene(id) || !step(id)) {
        take->wanted = take->end;
        break;
      }
      if (options_.clock == nullptr || options_.clock() > until) return worked;
    }
  }
  return worked;
}

}  // namespace tenon::studio
