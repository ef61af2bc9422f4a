// tenon film: pictures and videos of recordings and scenes.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <new>
#include <sstream>

#include "tenon/cli/commands.h"
#include "tenon/cli/film_subject.h"
#include "tenon/cli/frame_store.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/cli/video.h"
#include "tenon/engine/base/hash.h"
#include "tenon/render/trace/caption.h"
#include "tenon/render/trace/renderer.h"
#include "tenon/render/trace/stereo.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
using render::Image;
using render::Stage;
using render::StageCamera;
using render::Stereo;

constexpr uint64_t kMostFrames = 1000000;
// Players show delays of one hundredth as ten.
constexpr double kMostGifRate = 50;
constexpr int kBlurStages = 8;  // instants that make up a blurred frame

// Of a picture while it is drawn: light of its layers, depth, normals, filter, bytes.
constexpr double kBytesPerPixel = 140;

enum class FilmKind { kVideo, kFolder, kStill };

// The arguments as the renderer understands them.
struct FilmPlan {
  FilmArguments args;
  FilmKind kind = FilmKind::kVideo;
  render::RenderOptions render;
  render::StageOptions stage;
  Stereo stereo = Stereo::kNone;
  int threads = 1;
};

Result<FilmKind> find_kind(const std::string& output) {
  std::error_code ignored;
  if (output.ends_with('/') || fs::is_directory(output, ignored)) return FilmKind::kFolder;
  const std::string kind = kind_of(output);
  if (kind == ".png") return FilmKind::kStill;
  if (kind == ".mp4" || kind == ".webm" || kind == ".gif") return FilmKind::kVideo;
  return Error{.message = "the name does not say what kind of film to make",
               .value = output,
               .accepted =
                   "NAME.mp4, NAME.webm, NAME.gif; NAME.png for one picture; FOLDER/ for "
                   "numbered pictures"};
}

Status check_number(const char* what, double value, double least, double most) {
  if (value >= least && value <= most) return Ok{};
  std::ostringstream text, accepted;
  text << value;
  accepted << least << " to " << most;
  return Error{.message = std::string(what) + " is out of range",
               .value = text.str(),
               .accepted = accepted.str()};
}

Result<FilmPlan> make_plan(const FilmArguments& args) {
  FilmPlan plan;
  plan.args = args;
  const Result<FilmKind> kind = find_kind(args.output);
  if (!kind) return kind.error();
  plan.kind = *kind;
  if (args.at && plan.kind != FilmKind::kStill)
    return Error{.message = "--at is the time of a single picture",
                 .value = args.output,
                 .accepted = "-o NAME.png; for films --from and --to"};
  const auto quality = render::parse_quality(args.quality);
  if (!quality) return quality.error();
  plan.render.quality = *quality;
  plan.render.samples = args.samples;
  const auto stereo = render::parse_stereo(args.stereo);
  if (!stereo) return stereo.error();
  plan.stereo = *stereo;
  const auto show = render::parse_show(args.show);
  if (!show) return show.error();
  char rest = 0;
  if (std::sscanf(args.size.c_str(), "%6dx%6d%c", &plan.render.width, &plan.render.height, &rest) !=
      2)
    return Error{.message = "the size of the picture is not understood",
                 .value = args.size,
                 .accepted = "WIDTHxHEIGHT in pixels, such as 1280x720"};
  Status good = render::check(plan.render);
  if (good) good = check_number("the number of frames per second", args.fps, 0.01, 1000);
  if (good) good = check_number("the slow motion", args.slow, 1e-4, 1e4);
  if (good) good = check_number("the motion blur", args.blur, 0, 1);
  if (good) good = check_number("the distance of the eyes", args.eye_distance, 0, 1e6);
  if (!good) return good.error();
  plan.stage.show = *show;
  plan.stage.camera = args.camera;
  plan.stage.aspect = static_cast<double>(plan.render.width) / plan.render.height;
  if (plan.kind == FilmKind::kVideo && kind_of(args.output) == ".gif" && args.fps > kMostGifRate) {
    std::fprintf(stderr,
                 "note: a GIF counts in hundredths of a second: %g frames per second, not %g\n",
                 kMostGifRate, args.fps);
    plan.args.fps = kMostGifRate;
  }
  if (args.from) plan.stage.from_s = *args.from;
  if (args.to) plan.stage.to_s = *args.to;
  plan.threads = args.threads > 0 ? args.threads : hardware_threads();
  return plan;
}

Error out_of_memory(int width, int height) {
  const double need = kBytesPerPixel * width * height / (1 << 20);
  return {.message = "there is not enough memory for pictures of this size: they need about " +
                     std::to_string(static_cast<int>(need) + 1) + " MiB",
          .value = std::to_string(width) + "x" + std::to_string(height),
          .accepted = "a smaller --size, or more memory"};
}

// What a viewer should know of the recording before the film shows less than expected.
void warn_of_gaps(const render::StageSource& source, const std::string& camera) {
  if (source.damage())
    std::fprintf(stderr, "warning: %s\n  what comes before it is shown, up to t = %g s\n",
                 format(*source.damage()).c_str(), source.last_time());
  const std::vector<std::string> strays = source.strays();
  const bool automatic = camera == "auto" || (camera.empty() && source.document().cameras.empty());
  if (strays.empty() || !automatic) return;
  std::string names;
  for (size_t i = 0; i < std::min<size_t>(strays.size(), 3); ++i)
    names += (i > 0 ? ", '" : "'") + strays[i] + "'";
  if (strays.size() > 3) names += " and " + std::to_string(strays.size() - 3) + " more";
  std::fprintf(stderr,
               "warning: the automatic camera leaves out %s, far away from the rest at some time\n",
               names.c_str());
}

// A bar with the time left on a terminal, a line every tenth of the way elsewhere.
class FrameProgress {
 public:
  FrameProgress(uint64_t count, bool lines)
      : count_(count), began_(wall_clock()), lines_(lines), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~FrameProgress() {
    if (drawn_) std::fprintf(stderr, "\r\033[K");
  }
  void done(uint64_t frames, bool rendered) {
    if (rendered) ++rendered_;
    const double each =
        rendered_ > 0 ? (wall_clock() - began_) / static_cast<double>(rendered_) : 0;
    const std::string left = format_duration(each * static_cast<double>(count_ - frames));
    const auto f = static_cast<unsigned long long>(frames),
               n = static_cast<unsigned long long>(count_);
    if (terminal_ && !lines_) {
      const auto filled = static_cast<size_t>(30 * frames / count_);
      const std::string bar = std::string(filled, '=') + std::string(30 - filled, ' ');
      std::fprintf(stderr, "\rframe %llu of %llu [%s]  %.2g s per frame  %s left\033[K", f, n,
                   bar.c_str(), each, left.c_str());
      drawn_ = true;
      return;
    }
    const uint64_t tenths = 10 * frames / count_;
    if (!lines_ && (tenths == tenths_ || wall_clock() - began_ < 5)) return;
    tenths_ = tenths;
    std::fprintf(stderr, "frame %llu of %llu, %.2g s per frame, %s left\n", f, n, each,
                 left.c_str());
  }

 private:
  uint64_t count_, rendered_ = 0, tenths_ = 0;
  double began_;
  bool lines_, terminal_, drawn_ = false;
};

// What is filmed: recordings one after the other, most often one. Each shows the time from its
// first frame on to the first of the next.
class Reel {
 public:
  // A recording that has nothing in the range is left out.
  Status add(RecordingReader& reader, const FilmPlan& plan) {
    const bool beside =
        plan.stage.from_s > reader.end().time || plan.stage.to_s < reader.run().first_time;
    return beside ? Status(Ok{}) : add_any(reader, plan);
  }
  Status add_any(RecordingReader& reader, const FilmPlan& plan) {
    const render::StageOptions& options = plan.stage;
    Result<render::StageSource> source = render::StageSource::open(reader, options);
    if (!source) return source.error();
    warn_of_gaps(*source, options.camera);
    sources_.push_back(std::move(*source));
    return Ok{};
  }
  bool empty() const { return sources_.empty(); }
  double first_time() const { return sources_.front().first_time(); }
  double last_time() const { return sources_.back().last_time(); }
  Result<Stage> at(double t, double shot_s) {
    size_t i = sources_.size() - 1;
    while (i > 0 && sources_[i].first_time() > shot_s + 1e-9) --i;
    return sources_[i].at(t, shot_s);
  }

 private:
  std::vector<render::StageSource> sources_;
};

// Pictures of a reel.
class FilmMaker {
 public:
  FilmMaker(const FilmPlan& plan, Reel& source)
      : plan_(plan), source_(source), renderer_(plan.threads) {}

  // One picture, or two for a pair. Throws std::bad_alloc for pictures that do not fit.
  Result<std::vector<Image>> draw(double t) {
    const int count = plan_.args.blur > 0 ? kBlurStages : 1;
    // of the time between two frames of the film
    const double open = plan_.args.blur / plan_.args.fps / plan_.args.slow;
    std::vector<Stage> stages;
    for (int k = 0; k < count; ++k) {
      Result<Stage> stage = source_.at(t + open * ((k + 0.5) / count - 0.5), t);
      if (!stage) return stage.error();
      stage->time = std::clamp(t, source_.first_time(), source_.last_time());
      stages.push_back(std::move(*stage));
    }
    warn_inside(stages.front());
    if (plan_.stereo == Stereo::kNone) return std::vector{shoot(stages, 0)};
    const Image left = shoot(stages, -1), right = shoot(stages, 1);
    if (plan_.stereo == Stereo::kPair) return std::vector{left, right};
    return std::vector{render::combine(left, right, plan_.stereo)};
  }

 private:
  Image shoot(const std::vector<Stage>& stages, int side) {
    std::vector<StageCamera> cameras;
    for (const Stage& stage : stages) {
      const StageCamera& camera = stage.cameras[stage.camera];
      const double apart = plan_.args.eye_distance > 0
                               ? plan_.args.eye_distance
                               : render::choose_eye_distance(camera.focus_m);
      cameras.push_back(side == 0 ? camera : render::make_eyes(camera, apart)[side < 0 ? 0 : 1]);
    }
    Image image = renderer_.draw(stages, cameras, plan_.render);
    const size_t middle = stages.size() / 2;
    render::draw_captions(stages[middle], cameras[middle], image);
    return image;
  }

  void warn_inside(const Stage& stage) {
    if (warned_) return;
    const StageCamera& camera = stage.cameras[stage.camera];
    const render::StageSolid* around = render::find_around(stage, camera.p_WE);
    if (around == nullptr) return;
    warned_ = true;
    std::fprintf(stderr, "warning: the camera '%s' is inside the body '%s' at t = %.3f s\n",
                 camera.name.c_str(), around->name.c_str(), stage.time);
  }

  const FilmPlan& plan_;
  Reel& source_;
  render::Renderer renderer_;
  bool warned_ = false;
};

// "film-left.mp4"
std::string eye_path(const std::string& path, int eye) {
  const fs::path file(path);
  return (file.parent_path() /
          (file.stem().string() + (eye == 0 ? "-left" : "-right") + file.extension().string()))
      .string();
}

// Everything that the pictures depend on.
std::string film_key(const FilmPlan& plan, std::vector<FilmSubject>& subjects, uint64_t frames) {
  const FilmArguments& a = plan.args;
  Hasher hash;
  uint64_t state = 0, count = 0;
  for (FilmSubject& subject : subjects) {
    RecordingReader& reader = *subject.reader;
    if (const auto scene = reader.scene()) {
      hash.add(std::as_bytes(std::span(scene->text)));
      for (const std::string& o : scene->overrides) hash.add(std::as_bytes(std::span(o)));
    }
    if (const auto last = reader.read_frame(reader.frame_count() - 1)) state = last->state_hash;
    count += reader.frame_count();
  }
  std::ostringstream key;
  key.precision(17);
  key << "Frames of a film that is not complete. The same command goes on with it.\n"
      << TENON_VERSION << ' ' << hash.value() << ' ' << state << ' ' << count << '\n'
      << frames << ' ' << a.quality << ' ' << a.size << ' ' << a.camera << ' ' << a.stereo << ' '
      << a.show << ' ' << a.fps << ' ' << a.slow << ' ' << plan.stage.from_s << ' '
      << plan.stage.to_s << ' ' << a.eye_distance << ' ' << a.blur << ' ' << a.samples << '\n';
  return key.str();
}

int fail_with(const Error& error) {
  print_error(error);
  return 1;
}

int make_still(const FilmPlan& plan, Reel& source) {
  const double t = plan.args.at.value_or(0.5 * (source.first_time() + source.last_time()));
  if (t < source.first_time() - 1e-9 || t > source.last_time() + 1e-9) {
    std::ostringstream value, accepted;
    value << t << " s";
    accepted << source.first_time() << " to " << source.last_time() << " s";
    return fail_with({.message = "the recording has no such time to show",
                      .value = value.str(),
                      .accepted = accepted.str()});
  }
  const Result<std::vector<Image>> images = FilmMaker(plan, source).draw(t);
  if (!images) return fail_with(images.error());
  for (size_t eye = 0; eye < images->size(); ++eye) {
    const std::string& out = plan.args.output;
    const std::string path = images->size() == 1 ? out : eye_path(out, static_cast<int>(eye));
    if (const Status written = write_picture(path, (*images)[eye]); !written)
      return fail_with(written.error());
    std::printf("%s: %dx%d, t = %.3f s\n", path.c_str(), (*images)[eye].width,
                (*images)[eye].height, t);
  }
  return 0;
}

// The frames one after the other: rendered, or found from before; each to the videos.
class FilmRun {
 public:
  FilmRun(const FilmPlan& plan, Reel& source, FrameStore& store, uint64_t frames)
      : plan_(plan), store_(store), frames_(frames), maker_(plan, source), source_(source) {}

  Status run() {
    FrameProgress progress(frames_, plan_.args.lines);
    for (uint64_t k = 0; k < frames_ && !interrupted(); ++k) {
      const Result<bool> rendered = next(k);
      if (!rendered) return rendered.error();
      progress.done(k + 1, *rendered);
      finished_ = k + 1;
    }
    return Ok{};
  }
  Status close() {
    for (Video& video : videos_)
      if (const Status closed = video.close(); !closed) return closed;
    return Ok{};
  }
  uint64_t finished() const { return finished_; }

 private:
  int eyes() const { return plan_.stereo == Stereo::kPair ? 2 : 1; }
  int eye_name(int i) const { return eyes() == 2 ? i + 1 : 0; }

  Result<bool> next(uint64_t k) {
    bool found = true;
    for (int i = 0; i < eyes(); ++i) found = found && store_.has(k, eye_name(i));
    std::vector<Image> images;
    for (int i = 0; found && i < eyes(); ++i) {
      Result<Image> image = read_picture(store_.path(k, eye_name(i)));
      // a damaged one is made again
      if (image) images.push_back(std::move(*image));
      found = image.ok();
    }
    if (!found) {
      const double t =
          source_.first_time() + static_cast<double>(k) / plan_.args.fps / plan_.args.slow;
      Result<std::vector<Image>> drawn = maker_.draw(t);
      if (!drawn) return drawn.error();
      images = std::move(*drawn);
      for (int i = 0; i < eyes(); ++i)
        if (const Status kept =
                write_picture(store_.path(k, eye_name(i)), images[static_cast<size_t>(i)]);
            !kept)
          return kept.error();
    }
    if (const Status added = add_to_videos(images); !added) return added.error();
    return !found;
  }

  Status add_to_videos(const std::vector<Image>& images) {
    if (plan_.kind != FilmKind::kVideo || !has_ffmpeg()) return Ok{};
    for (size_t i = videos_.size(); i < images.size(); ++i) {
      const std::string& out = plan_.args.output;
      Result<Video> video =
          Video::open(images.size() == 1 ? out : eye_path(out, static_cast<int>(i)),
                      images[i].width, images[i].height, plan_.args.fps, plan_.threads);
      if (!video) return video.error();
      videos_.push_back(std::move(*video));
    }
    for (size_t i = 0; i < images.size(); ++i)
      if (const Status added = videos_[i].add(images[i]); !added) return added;
    return Ok{};
  }

  const FilmPlan& plan_;
  FrameStore& store_;
  uint64_t frames_, finished_ = 0;
  FilmMaker maker_;
  Reel& source_;
  std::vector<Video> videos_;
};

int make_frames(const FilmPlan& plan, std::vector<FilmSubject>& subjects, Reel& source) {
  const double seconds = source.last_time() - source.first_time();
  const double exact = seconds * plan.args.slow * plan.args.fps;
  if (!(exact < static_cast<double>(kMostFrames)))
    return fail_with({.message = "the film would have more than a million frames",
                      .value = std::to_string(exact),
                      .accepted = "a shorter range, fewer frames per second, less slow motion"});
  const auto frames = static_cast<uint64_t>(exact + 1e-6) + 1;
  const bool folder = plan.kind == FilmKind::kFolder;
  Result<FrameStore> store = FrameStore::open(
      folder ? plan.args.output : plan.args.output + ".frames", film_key(plan, subjects, frames));
  if (!store) return fail_with(store.error());
  if (store->found() > 0)
    std::printf("going on with a film that was not complete: %s there\n",
                counted(store->found(), "frame is", "frames are").c_str());
  const bool mute = plan.kind == FilmKind::kVideo && !has_ffmpeg();
  if (mute) {
    print_error(missing_ffmpeg());
    std::fprintf(stderr, "the frames are made and kept in %s\n", store->folder().c_str());
  }
  const double began = wall_clock();
  FilmRun run(plan, source, *store, frames);
  Status status = run.run();
  if (status && !interrupted() && !mute) status = run.close();
  if (!status || interrupted() || mute) {
    if (!status) print_error(status.error());
    std::fprintf(stderr, "%llu of %llu frames are kept in %s; the same command goes on with them\n",
                 static_cast<unsigned long long>(run.finished()),
                 static_cast<unsigned long long>(frames), store->folder().c_str());
    return interrupted() ? interrupt_exit_code() : 1;
  }
  folder ? store->keep() : store->remove();
  const std::string& out = plan.args.output;
  const bool pair = plan.stereo == Stereo::kPair && !folder;
  std::printf("%s: %s of %dx%d at %g per second, %g s of the run, made in %s\n",
              (pair ? eye_path(out, 0) + " and " + eye_path(out, 1) : out).c_str(),
              counted(frames, "frame", "frames").c_str(), plan.render.width, plan.render.height,
              plan.args.fps, seconds, format_duration(wall_clock() - began).c_str());
  return 0;
}

}  // namespace

int make_film(const FilmArguments& args) {
  const Result<FilmPlan> plan = make_plan(args);
  if (!plan) return fail_with(plan.error());
  if (same_file(args.output, args.subject))
    return fail_with({.message = "the film would overwrite what it is of", .file = args.output});
  if (plan->kind != FilmKind::kFolder) {
    Status writable = check_writable(args.output);
    if (writable) writable = check_replaceable(args.output, Output::kOther);
    if (!writable) return fail_with(writable.error());
  }
  std::vector<std::string> overrides = args.set;
  if (!args.seconds.empty()) overrides.push_back("world.duration=" + args.seconds);
  catch_interrupts();
  const render::Show& show = plan->stage.show;
  std::vector<FilmSubject> subjects =
      open_subjects(args.subject, overrides, show.contacts || show.forces, plan->threads);
  if (subjects.empty()) return 1;
  if (subjects.back().interrupted) return interrupt_exit_code();
  Reel reel;
  for (FilmSubject& subject : subjects) {
    for (const std::string& hint : subject.hints) std::fprintf(stderr, "hint: %s\n", hint.c_str());
    // a range that none of several has is for the last of them to refuse
    const bool last = &subject == &subjects.back() && reel.empty();
    const Status added =
        last ? reel.add_any(*subject.reader, *plan) : reel.add(*subject.reader, *plan);
    if (!added) return fail_with(added.error());
  }
  try {
    if (plan->kind == FilmKind::kStill) return make_still(*plan, reel);
    return make_frames(*plan, subjects, reel);
  } catch (const std::bad_alloc&) {
    return fail_with(out_of_memory(plan->render.width, plan->render.height));
  }
}

}  // namespace tenon::cli
