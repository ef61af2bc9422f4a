// report: one page about a run.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "tenon/cli/commands.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/scene_source.h"
#include "tenon/render/report/page.h"
#include "tenon/render/trace/renderer.h"

namespace tenon::cli {
namespace {

Status check_output(const ReportArguments& args) {
  if (same_file(args.recording, args.output))
    return Error{.message = "the report would overwrite the recording", .file = args.output};
  if (Status writable = check_writable(args.output); !writable) return writable;
  return check_replaceable(args.output, Output::kOther);
}

// Pictures from the beginning to the end, evenly spaced.
Result<std::vector<report::Still>> draw_stills(const ReportArguments& args,
                                               RecordingReader& reader) {
  std::vector<report::Still> stills;
  if (args.stills == 0) return stills;
  render::StageOptions options;
  options.camera = args.camera;
  auto source = render::StageSource::open(reader, options);
  if (!source) return source.error();
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  render::Renderer renderer(args.threads > 0 ? args.threads : cores);
  render::RenderOptions picture;
  picture.width = 480;
  picture.height = 270;
  const double from = source->first_time(), to = source->last_time();
  for (int k = 0; k < args.stills; ++k) {
    const double share = args.stills > 1 ? static_cast<double>(k) / (args.stills - 1) : 0.5;
    const auto stage = source->at(from + share * (to - from));
    if (!stage) return stage.error();
    const auto png =
        render::encode_png(renderer.draw(*stage, stage->cameras[stage->camera], picture));
    stills.push_back({stage->time, std::string(png.begin(), png.end())});
  }
  return stills;
}

Result<std::string> make_text(const ReportArguments& args) {
  if (Status good = check_output(args); !good) return good.error();
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return recording.error();
  warn_if_cut_off(*recording->reader);
  auto stills = draw_stills(args, *recording->reader);
  if (!stills) return stills.error();
  report::PageOptions options;
  options.stills = std::move(*stills);
  options.recording = std::filesystem::path(args.recording).filename().string();
  return report::make_page(*recording->reader, options);
}

}  // namespace

int write_report(const ReportArguments& args) { return write_made(make_text(args), args.output); }

}  // namespace tenon::cli
