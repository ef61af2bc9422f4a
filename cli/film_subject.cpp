#include "tenon/cli/film_subject.h"

#include <cmath>
#include <cstdio>

#include "tenon/cli/open_recording.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/project_reel.h"
#include "tenon/cli/report.h"
#include "tenon/cli/run_record.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/chunk.h"
#include "tenon/recording/file_io.h"
#include "tenon/recording/recorder.h"

namespace tenon::cli {
namespace {

bool is_recording_file(const std::string& path) {
  Result<FileSource> file = FileSource::open(path);
  if (!file) return false;
  std::vector<std::byte> begin(std::min<uint64_t>(file->size(), 64));
  return file->read_at(0, begin) && is_recording(begin);
}

// A source that owns its bytes.
struct OwnedSource final : ByteSource {
  explicit OwnedSource(std::vector<std::byte> from, std::string named)
      : bytes(std::move(from)), inner(bytes, std::move(named)) {}
  Status read_at(uint64_t offset, std::span<std::byte> out) override {
    return inner.read_at(offset, out);
  }
  uint64_t size() const override { return inner.size(); }
  const std::string& name() const override { return inner.name(); }
  std::vector<std::byte> bytes;
  MemorySource inner;
};

Status run_steps_into(Recorder& recorder, scene::BuiltScene& built, const scene::Document& flat,
                      FilmSubject& subject) {
  const auto steps =
      static_cast<uint64_t>(std::ceil(flat.world.duration / flat.world.step * (1 - 1e-12)));
  RunReport report;
  report.begin(built, subject.name, method_name(flat.world.method));
  Progress progress("running " + subject.name, 0, flat.world.duration);
  for (uint64_t i = 0; i < steps && !interrupted(); ++i) {
    const double cpu = process_clock(), wall = wall_clock();
    built.world.step();
    report.add_step(built.world, process_clock() - cpu, wall_clock() - wall);
    if (Status status = recorder.after_step(built.world); !status) return status;
    progress.update(built.world.time());
  }
  subject.hints = report.health();
  subject.interrupted = interrupted();
  return recorder.finish(built.world,
                         subject.interrupted ? RunEnd::kInterrupted : RunEnd::kCompleted,
                         subject.interrupted ? "by the user" : "");
}

std::optional<FilmSubject> refuse(const Error& error) {
  print_error(error);
  return std::nullopt;
}

std::optional<FilmSubject> run_subject(const SceneText& text,
                                       const std::vector<std::string>& overrides, bool contacts,
                                       int threads) {
  scene::Document flat;
  std::vector<scene::SceneFile> files;
  std::optional<scene::BuiltScene> built = load_and_build(text, overrides, flat, threads, &files);
  if (!built) return std::nullopt;
  if (flat.world.duration / flat.world.step > 1e7)
    return refuse(
        {.message = "a film of so many steps is not run in memory",
         .file = text.name,
         .accepted = "a recording of it: tenon run ... -o run.tenon; tenon film run.tenon"});
  FilmSubject subject;
  subject.name = text.name;
  MemorySink sink;
  Recorder recorder(sink);
  const SceneRecord record{text.name, flat.title, recorded_text(text), overrides, files};
  Status status = recorder.begin(built->world, built->handles,
                                 make_run_record(*built, flat, std::nullopt, contacts), record,
                                 built->joint_handles);
  if (status) status = run_steps_into(recorder, *built, flat, subject);
  if (!status) return refuse(status.error());
  subject.source = std::make_unique<OwnedSource>(sink.bytes(), text.name);
  return subject;
}

}  // namespace

Status FilmSubject::open(std::vector<std::byte> bytes) {
  source = std::make_unique<OwnedSource>(std::move(bytes), name);
  Result<RecordingReader> opened = RecordingReader::open(*source);
  if (!opened) return opened.error();
  reader = std::make_unique<RecordingReader>(std::move(*opened));
  return Ok{};
}

namespace {

std::optional<FilmSubject> open_subject(const std::string& path,
                                        const std::vector<std::string>& overrides, bool contacts,
                                        int threads) {
  std::optional<FilmSubject> subject;
  if (is_recording_file(path)) {
    if (!overrides.empty())
      return refuse({.message = "the scene of a recording cannot be changed any more",
                     .file = path,
                     .value = overrides.front(),
                     .accepted = "--set and --seconds for scenes only"});
    Result<FileSource> file = FileSource::open(path);
    if (!file) return refuse(file.error());
    subject.emplace();
    subject->name = path;
    subject->source = std::make_unique<FileSource>(std::move(*file));
  } else {
    const Result<SceneText> text = read_scene_text(path);
    if (!text) return refuse(text.error());
    subject = run_subject(*text, overrides, contacts, threads);
    if (!subject) return std::nullopt;
  }
  Result<RecordingReader> reader = RecordingReader::open(*subject->source);
  if (!reader) return refuse(reader.error());
  subject->reader = std::make_unique<RecordingReader>(std::move(*reader));
  warn_if_cut_off(*subject->reader);
  return subject;
}

}  // namespace

std::vector<FilmSubject> open_subjects(const std::string& path,
                                       const std::vector<std::string>& overrides, bool contacts,
                                       int threads) {
  if (is_project_file(path)) {
    if (overrides.empty()) return record_project(path, contacts);
    refuse({.message = "the scene of a project is changed in the studio",
            .file = path,
            .value = overrides.front(),
            .accepted = "--set and --seconds for scenes only"});
    return {};
  }
  std::vector<FilmSubject> all;
  if (std::optional<FilmSubject> one = open_subject(path, overrides, contacts, threads))
    all.push_back(std::move(*one));
  return all;
}

}  // namespace tenon::cli
