// export: recordings as tables, pictures and files of other programs.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <span>

#include "tenon/cli/commands.h"
#include "tenon/cli/late_file.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/scene_source.h"
#include "tenon/render/export/gltf.h"
#include "tenon/render/export/replay.h"

namespace tenon::cli {
namespace {

template <class T>
int fail(const Result<T>& result) {
  print_error(result.error());
  return 1;
}

// Takes nothing: tables find out whether they can be written before they write.
class ProbeSink final : public ByteSink {
 public:
  Status write(std::span<const std::byte>) override {
    reached_ = true;
    return Error{.message = "only a probe"};
  }
  bool reached() const { return reached_; }

 private:
  bool reached_ = false;
};

// One table into one file; an empty path asks for none.
using ExportTable = Result<uint64_t> (*)(RecordingReader&, ByteSink&, const CsvOptions&);
struct TableOrder {
  ExportTable table;
  std::string path;
};

// Whether all tables can be written; prints every reason why not, each once.
bool check_tables(std::span<const TableOrder> orders, const CsvOptions& options,
                  RecordingReader& reader) {
  std::vector<std::string> said;
  for (const auto& [table, path] : orders) {
    if (path.empty()) continue;
    ProbeSink probe;
    const Result<uint64_t> lines = table(reader, probe, options);
    if (lines || probe.reached()) continue;
    const std::string words = format(lines.error());
    if (std::find(said.begin(), said.end(), words) != said.end()) continue;
    said.push_back(words);
    print_error(lines.error());
  }
  return said.empty();
}

int export_table(const TableOrder& order, const CsvOptions& options, RecordingReader& reader) {
  if (order.path.empty()) return 0;
  LateFileSink sink(order.path);
  const Result<uint64_t> lines = order.table(reader, sink, options);
  if (!lines) return fail(lines);
  if (const Status closed = sink.close(); !closed) return fail(closed);
  std::printf("%s: %s\n", order.path.c_str(), counted(*lines, "line", "lines").c_str());
  return 0;
}

// A file made in memory before any file is touched.
struct FileOrder {
  std::string path;
  std::function<Result<std::string>(RecordingReader&)> make;
  std::string text = {};
};

Result<std::string> draw_svg(const ExportArguments& args, RecordingReader& reader) {
  render::SketchOptions options = args.sketch;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  if (!args.size.empty()) {
    char rest = 0;
    if (std::sscanf(args.size.c_str(), "%5dx%5d%c", &options.width, &options.height, &rest) != 2) {
      return Error{.message = "the size of the picture is not understood",
                   .value = args.size,
                   .accepted = "WIDTHxHEIGHT in pixels, such as 1280x720"};
    }
  }
  return render::sketch_svg(reader, options);
}

exports::BakeOptions bake_options(const ExportArguments& args) {
  exports::BakeOptions options;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  options.every = args.csv.every;
  options.camera = args.sketch.camera;
  return options;
}

std::vector<FileOrder> file_orders(const ExportArguments& args) {
  std::vector<FileOrder> orders;
  if (!args.svg.empty())
    orders.push_back({args.svg, [&](RecordingReader& reader) { return draw_svg(args, reader); }});
  if (!args.gltf.empty())
    orders.push_back({args.gltf, [&](RecordingReader& reader) -> Result<std::string> {
                        const auto baked = exports::bake(reader, bake_options(args));
                        if (!baked) return baked.error();
                        return exports::to_glb(*baked);
                      }});
  if (!args.html.empty())
    orders.push_back({args.html, [&](RecordingReader& reader) -> Result<std::string> {
                        const auto baked = exports::bake(reader, bake_options(args));
                        if (!baked) return baked.error();
                        return exports::to_replay_html(*baked);
                      }});
  return orders;
}

std::vector<TableOrder> table_orders(const ExportArguments& args) {
  return {{export_poses_csv, args.poses},
          {export_joints_csv, args.joints},
          {export_contacts_csv, args.contacts},
          {export_events_csv, args.events},
          {export_diagnostics_csv, args.diagnostics}};
}

// Whether no file of an export would overwrite the recording or another one.
Status check_outputs(const std::string& recording, const std::vector<std::string>& paths) {
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    if (same_file(recording, paths[i]))
      return Error{.message = "the export would overwrite the recording", .file = paths[i]};
    if (Status writable = check_writable(paths[i]); !writable) return writable;
    if (Status free = check_replaceable(paths[i], Output::kOther); !free) return free;
    for (size_t k = 0; k < i; ++k)
      if (!paths[k].empty() && same_output(paths[i], paths[k]))
        return Error{.message = "every table and picture needs a file of its own",
                     .file = paths[i]};
  }
  return Ok{};
}

}  // namespace

int export_files(const ExportArguments& args) {
  const std::vector<TableOrder> tables = table_orders(args);
  std::vector<FileOrder> files = file_orders(args);
  std::vector<std::string> paths;
  for (const TableOrder& order : tables) paths.push_back(order.path);
  for (const FileOrder& order : files) paths.push_back(order.path);
  if (const Status distinct = check_outputs(args.recording, paths); !distinct)
    return fail(distinct);
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return fail(recording);
  RecordingReader& reader = *recording->reader;
  // all or nothing: half an export is easily taken for a whole one
  bool good = check_tables(tables, args.csv, reader);
  for (FileOrder& order : files) {
    Result<std::string> text = order.make(reader);
    if (text) {
      order.text = std::move(*text);
    } else {
      print_error(text.error());
      good = false;
    }
  }
  if (!good) {
    std::fprintf(stderr, "nothing was written\n");
    return 1;
  }
  for (const TableOrder& order : tables)
    if (const int code = export_table(order, args.csv, reader); code != 0) return code;
  for (const FileOrder& order : files) {
    if (const Status written = write_text_file(order.path, order.text); !written)
      return fail(written);
    std::printf("%s: %zu bytes\n", order.path.c_str(), order.text.size());
  }
  return 0;
}

}  // namespace tenon::cli
