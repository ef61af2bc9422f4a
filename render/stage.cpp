#include "tenon/render/stage.h"

#include <algorithm>
#include <cmath>

#include "tenon/render/color.h"
#include "tenon/render/detail/between_frames.h"
#include "tenon/render/detail/cameras.h"
#include "tenon/render/detail/framing.h"
#include "tenon/render/detail/poses.h"
#include "tenon/render/detail/stage_overlays.h"
#include "tenon/render/detail/svg_text.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::render {
namespace {

// Frames read to place the automatic camera, fewer for scenes with many parts.
constexpr size_t kFramedFrames = 240;
constexpr size_t kFramedBalls = 2000000;
// Poses of bodies read to see whether anything leaves the picture between those frames.
constexpr uint64_t kWatchedPoses = 1000000;

std::vector<StageLight> make_lights(const scene::Document& document) {
  std::vector<StageLight> lights;
  for (const scene::Light& from : document.lights)
    lights.push_back({from.type, normalized(from.direction, {0, -1, 0}), from.position,
                      from.intensity * to_linear(from.color)});
  const auto has = [&](scene::LightType type) {
    return std::any_of(lights.begin(), lights.end(),
                       [&](const StageLight& light) { return light.type == type; });
  };
  if (document.lights.empty()) {
    // a warm sun from the left behind the camera, and the blue of the sky
    lights.push_back(
        {scene::LightType::kSun, normalized(Vec3{0.45, -1, -0.55}), {}, {1.0, 0.93, 0.82}});
    lights.push_back({scene::LightType::kAmbient, {0, -1, 0}, {}, {0.40, 0.43, 0.47}});
  } else if (!has(scene::LightType::kAmbient)) {
    // where the sun shines there is a sky; lamps alone leave the rest dark, not black
    const double sky = has(scene::LightType::kSun) ? 0.25 : 0.05;
    lights.push_back({scene::LightType::kAmbient, {0, -1, 0}, {}, {sky, sky, sky}});
  }
  return lights;
}

std::string range_text(double from_s, double to_s) {
  const std::string from = std::isinf(from_s) ? "the begin" : fixed(from_s, 9) + " s";
  return from + " to " + (std::isinf(to_s) ? "the end" : fixed(to_s, 9) + " s");
}

// A camera inside the body it sits on would see nothing else: the parts about its eye are left out.
void hide_around_eye(Stage& stage) {
  const StageCamera& camera = stage.cameras[stage.camera];
  if (camera.carrier == kNoBody) return;
  for (int i = 0; i < 16; ++i) {
    const StageSolid* around = find_around(stage, camera.p_WE);
    if (around == nullptr || around->body != camera.carrier) return;
    stage.solids.erase(stage.solids.begin() + (around - stage.solids.data()));
  }
}

}  // namespace

const char* name(Pattern pattern) {
  switch (pattern) {
    case Pattern::kPlain:
      return "plain";
    case Pattern::kWood:
      return "wood";
    case Pattern::kStone:
      return "stone";
    case Pattern::kBrushed:
      return "brushed";
    case Pattern::kGlass:
      return "glass";
    case Pattern::kIce:
      return "ice";
    case Pattern::kChecker:
      return "checker";
  }
  return "?";
}

Result<Show> parse_show(const std::string& words) {
  Show show;
  const std::pair<const char*, bool*> known[] = {
      {"joints", &show.joints},         {"contacts", &show.contacts}, {"forces", &show.forces},
      {"velocities", &show.velocities}, {"frames", &show.frames},     {"trails", &show.trails},
      {"labels", &show.labels},         {"energy", &show.energy},     {"time", &show.time}};
  std::vector<std::string> names;
  std::string accepted;
  for (const auto& entry : known) {
    names.emplace_back(entry.first);
    accepted += (accepted.empty() ? "" : ", ") + names.back();
  }
  for (size_t begin = 0; begin <= words.size();) {
    const size_t end = std::min(words.find(',', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      return Error{
          .message = "there is nothing of this name to show" + scene::did_you_mean(word, names),
          .value = word,
          .accepted = accepted};
    *known[found - names.begin()].second = true;
  }
  return show;
}

struct StageSource::State {
  explicit State(RecordingReader& from) : reader(from) {}

  RecordingReader& reader;
  StageOptions options;
  scene::Document document;
  Model model;
  Framed framed;
  double extent = 1;  // m, of the whole run
  Vec3 middle_W;      // of the same
  Mechanism mechanism;
  OverlayFacts facts;
  BodyTracks tracks_of_cameras;
  std::vector<StageLight> lights;
  uint64_t frame_count = 0;  // that can be read
  std::optional<Error> damage;
  double first = 0, last = 0;  // s
  size_t chosen = 0;           // camera
  BetweenFrames between;
  RecordedFrame far_before, before, after, far_after;
  std::vector<RecordedJoint> tracks;

  Status prepare();
  bool end_before_damage();
  Status find_range();
  Status frame_run();
  Status frame_span(uint64_t begin, uint64_t end, Framed& made);
  Status watch_run(uint64_t begin, uint64_t end);
  Status choose_camera();
  Status read_poses_at(double t, std::vector<RecordedBody>& bodies, uint64_t& index);
  void draw_bodies(const std::vector<RecordedBody>& bodies, Stage& stage) const;
  Status draw_links(const std::vector<RecordedBody>& bodies, uint64_t index, Stage& stage);
};

Status StageSource::State::find_range() {
  if (reader.frame_count() == 0)
    return Error{.message = "the recording has no frame to draw", .file = reader.source().name()};
  if (const Status read = reader.read_frame(0, before); !read) return read.error();
  if (const Status read = reader.read_frame(frame_count - 1, after); !read) return read.error();
  first = std::max(before.time, options.from_s);
  last = std::min(after.time, options.to_s);
  if (!(first <= last + 0.5e-9))
    return Error{.message = "the time range holds no frame of the recording",
                 .file = reader.source().name(),
                 .value = range_text(options.from_s, options.to_s),
                 .accepted = fixed(before.time, 9) + " to " + fixed(after.time, 9) + " s"};
  last = std::max(first, last);
  return Ok{};
}

// Whether there is a frame that cannot be read with others before it: those are what is left.
bool StageSource::State::end_before_damage() {
  for (uint64_t i = 0; i < frame_count; ++i) {
    const Status read = reader.read_frame(i, before);
    if (read) continue;
    damage = read.error();
    frame_count = i;
    return i > 0;
  }
  return false;
}

Status StageSource::State::frame_span(uint64_t begin, uint64_t end, Framed& made) {
  size_t parts = 1;
  for (const ModelBody& body : model.bodies) parts += body.parts.size();
  const uint64_t span = end - begin;
  const uint64_t count = std::min<uint64_t>(
      span + 1, std::clamp<size_t>(kFramedBalls / (8 * parts), 12, kFramedFrames));
  std::vector<BodyPoses> frames;
  for (uint64_t k = 0; k < count; ++k) {
    const uint64_t index = begin + (count > 1 ? span * k / (count - 1) : 0);
    if (const Status read = reader.read_frame(index, before); !read) return read.error();
    BodyPoses poses;
    for (const RecordedBody& body : before.bodies) poses.push_back(body.X_WB);
    frames.push_back(std::move(poses));
  }
  made = frame_model(model, frames);
  return Ok{};
}

Status StageSource::State::frame_run() {
  const Result<uint64_t> begin = reader.find_frame(first), end = reader.find_frame(last);
  if (!begin) return begin.error();
  if (!end) return end.error();
  // sizes of floors, wires and arrows are those of the whole run, whichever part of it is shown
  if (const Status made = frame_span(0, frame_count - 1, framed); !made) return made;
  extent = framed.extent;
  middle_W = center(framed.box);
  if (*begin > 0 || *end + 1 < frame_count)
    if (const Status made = frame_span(*begin, *end, framed); !made) return made;
  return watch_run(*begin, *end);
}

Status StageSource::State::watch_run(uint64_t begin, uint64_t end) {
  Widening widening(model, framed, options.aspect);
  const uint64_t bodies = std::max<uint64_t>(1, model.bodies.size());
  const uint64_t stride = 1 + (end - begin) * bodies / kWatchedPoses;
  BodyPoses poses;
  for (uint64_t index = begin; index <= end; index += stride) {
    if (const Status read = reader.read_frame(index, before); !read) return read.error();
    poses.clear();
    for (const RecordedBody& body : before.bodies) poses.push_back(body.X_WB);
    widening.add(poses);
  }
  widening.finish();
  return Ok{};
}

Status StageSource::State::choose_camera() {
  const std::string& wanted = options.camera;
  std::vector<std::string> names;
  for (const scene::Camera& camera : document.cameras) names.push_back(camera.name);
  names.emplace_back("auto");
  if (wanted.empty()) return Ok{};  // the first one; "auto" where there is no other
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    std::string accepted;
    for (const std::string& known : names) accepted += (accepted.empty() ? "" : ", ") + known;
    return Error{
        .message = "the scene has no camera of this name" + scene::did_you_mean(wanted, names),
        .file = reader.source().name(),
        .value = wanted,
        .accepted = accepted};
  }
  chosen = static_cast<size_t>(found - names.begin());
  return Ok{};
}

Status StageSource::State::prepare() {
  if (const Status status = find_range(); !status) return status;
  const Result<SceneRecord> record = reader.scene();
  if (!record) return record.error();
  Result<scene::Document> loaded = load_document(*record);
  if (!loaded) return loaded.error();
  document = std::move(*loaded);
  Result<Model> made = make_model(document, reader.run(), *record);
  if (!made) return made.error();
  model = std::move(*made);
  if (const Status status = frame_run(); !status) return status;
  // floors are checkered for scale; points are dots that can be seen
  for (ModelBody& body : model.bodies) {
    for (ModelPart& part : body.planes) {
      part.look.pattern = Pattern::kChecker;
      part.look.pattern_size = round_length(extent / 4);
    }
    for (ModelPart& part : body.parts)
      if (part.marker) part.shape = Sphere{0.025 * extent};
  }
  mechanism = find_mechanism(document, reader.run(), extent);
  between = BetweenFrames(model, mechanism);
  lights = make_lights(document);
  Result<OverlayFacts> read = read_facts(reader, document, options.show, extent, first, last);
  if (!read) return read.error();
  facts = std::move(*read);
  Result<BodyTracks> moves = BodyTracks::read(reader, document, first, last);
  if (!moves) return moves.error();
  tracks_of_cameras = std::move(*moves);
  return choose_camera();
}

Status StageSource::State::read_poses_at(double t, std::vector<RecordedBody>& bodies,
                                         uint64_t& index) {
  const Result<uint64_t> found = reader.find_frame(t);
  if (!found) return found.error();
  index = *found;
  if (const Status read = reader.read_frame(index, before); !read) return read.error();
  bodies = before.bodies;
  if (t <= before.time || index + 1 >= frame_count) return Ok{};
  if (const Status read = reader.read_frame(index + 1, after); !read) return read.error();
  FramesAbout about{nullptr, &before, &after, nullptr};
  // at the ends, or next to damage, there are fewer frames to compare with
  if (index > 0 && reader.read_frame(index - 1, far_before)) about.far_before = &far_before;
  if (index + 2 < frame_count && reader.read_frame(index + 2, far_after))
    about.far_after = &far_after;
  between.find(about, t, bodies);
  return Ok{};
}

void StageSource::State::draw_bodies(const std::vector<RecordedBody>& bodies, Stage& stage) const {
  for (size_t b = 0; b < model.bodies.size() && b < bodies.size(); ++b) {
    if (!drawable(bodies[b].X_WB)) continue;
    const ModelBody& body = model.bodies[b];
    for (const auto* parts : {&body.planes, &body.parts}) {
      for (const ModelPart& part : *parts) {
        StageSolid solid;
        solid.body = static_cast<uint32_t>(b);
        solid.name = body.name;
        solid.shape = part.shape;
        solid.X_WS = bodies[b].X_WB * part.X_BP;
        solid.X_WS.q = normalized(solid.X_WS.q);
        solid.look = part.look;
        solid.marker = part.marker;
        stage.solids.push_back(std::move(solid));
      }
    }
  }
}

Status StageSource::State::draw_links(const std::vector<RecordedBody>& bodies, uint64_t index,
                                      Stage& stage) {
  const RunRecord& run = reader.run();
  if (run.joint_track)
    if (const Status read = reader.read_joints(index, tracks); !read) return read.error();
  for (const LinkEnds& link : mechanism.links) {
    if (run.joint_track) {
      const auto found = std::find(run.joint_names.begin(), run.joint_names.end(), link.name);
      const auto place = static_cast<size_t>(found - run.joint_names.begin());
      // one that broke is gone
      if (place < tracks.size() && (tracks[place].broken || !tracks[place].enabled)) continue;
    }
    Vec3 ends[2] = {link.p_A, link.p_B};
    bool seen = true;
    for (const auto& [k, body] : {std::pair{0, link.a}, std::pair{1, link.b}}) {
      if (body == kNoBody) continue;
      seen = seen && body < bodies.size() && drawable(bodies[body].X_WB);
      if (seen) ends[k] = bodies[body].X_WB.p + rotate(bodies[body].X_WB.q, ends[k]);
    }
    if (seen) draw_link(link, ends[0], ends[1], stage);
  }
  return Ok{};
}

StageSource::StageSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
StageSource::StageSource(StageSource&&) noexcept = default;
StageSource& StageSource::operator=(StageSource&&) noexcept = default;
StageSource::~StageSource() = default;

Result<StageSource> StageSource::open(RecordingReader& reader, const StageOptions& options) {
  auto state = std::make_unique<State>(reader);
  state->options = options;
  state->frame_count = reader.frame_count();
  Status status = state->prepare();
  if (!status && state->end_before_damage()) status = state->prepare();
  if (!status) return status.error();
  return StageSource(std::move(state));
}

double StageSource::first_time() const { return state_->first; }
double StageSource::last_time() const { return state_->last; }
double StageSource::extent() const { return state_->extent; }
const std::optional<Error>& StageSource::damage() const { return state_->damage; }
std::vector<std::string> StageSource::strays() const {
  std::vector<std::string> names;
  for (const size_t body : state_->framed.strays) names.push_back(state_->model.bodies[body].name);
  return names;
}
const scene::Document& StageSource::document() const { return state_->document; }

Result<Stage> StageSource::at(double t, double shot_s) {
  State& s = *state_;
  if (std::isnan(t)) return Error{.message = "the time of the picture is no number"};
  t = std::clamp(t, s.first, s.last);
  std::vector<RecordedBody> bodies;
  uint64_t index = 0;
  if (const Status read = s.read_poses_at(t, bodies, index); !read) return read.error();
  Stage stage;
  stage.time = t;
  stage.title = s.document.title;
  stage.middle_W = s.middle_W;
  stage.extent = s.extent;
  for (const RecordedBody& body : bodies) stage.poses.push_back(body.X_WB);
  s.draw_bodies(bodies, stage);
  if (const Status drawn = s.draw_links(bodies, index, stage); !drawn) return drawn.error();
  const Instant instant{bodies, index, s.before.step, s.tracks};
  if (const Status drawn =
          draw_overlays(s.reader, s.options.show, s.facts, s.mechanism, s.model, instant, stage);
      !drawn)
    return drawn.error();
  stage.lights = s.lights;
  const StageCamera automatic = automatic_camera(s.framed, s.options.aspect);
  for (const scene::Camera& camera : s.document.cameras) {
    stage.cameras.push_back(
        camera.automatic ? automatic : place_camera(camera, s.tracks_of_cameras, t, bodies));
    stage.cameras.back().name = camera.name;
  }
  stage.cameras.push_back(automatic);
  stage.camera = s.options.camera.empty() ? find_shot(s.document, shot_s) : s.chosen;
  hide_around_eye(stage);
  stage.show_time = s.options.show.time;
  return stage;
}

Result<Stage> make_stage(RecordingReader& reader, double t, const StageOptions& options) {
  Result<StageSource> source = StageSource::open(reader, options);
  if (!source) return source.error();
  return source->at(t);
}

}  // namespace tenon::render
