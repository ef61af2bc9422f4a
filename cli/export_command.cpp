// export: recordings as tables, pictures and files of other programs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <span>

#include "tenon/cli/commands.h"
#include "tenon/cli/late_file.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/project_reel.h"
#include "tenon/cli/scene_source.h"
#include "tenon/render/export/gltf.h"
#include "tenon/render/export/obj.h"
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
  WholeFileSink sink(order.path);
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

// "1280x720"; an empty text changes nothing.
Status parse_size(const std::string& text, int& width, int& height) {
  if (text.empty()) return Ok{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &rest) == 2) return Ok{};
  return Error{.message = "the size of the picture is not understood",
               .value = text,
               .accepted = "WIDTHxHEIGHT in pixels, such as 1280x720"};
}

Result<std::string> draw_svg(const ExportArguments& args, RecordingReader& reader) {
  render::SketchOptions options = args.sketch;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  if (const Status size = parse_size(args.size, options.width, options.height); !size)
    return size.error();
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

std::string mtl_path(const std::string& obj) {
  return std::filesystem::path(obj).replace_extension(".mtl").string();
}

Result<exports::ObjFiles> make_obj(const ExportArguments& args, RecordingReader& reader) {
  render::StageOptions options;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  auto source = render::StageSource::open(reader, options);
  if (!source) return source.error();
  const double first = source->first_time(), last = source->last_time();
  const double t = args.sketch.at_s.value_or(0.5 * (first + last));
  if (!(t >= first - 1e-9 && t <= last + 1e-9))
    return Error{.message = "the recording has nothing at this time",
                 .value = plot::decimal(t, 9) + " s",
                 .accepted = plot::decimal(first, 9) + " to " + plot::decimal(last, 9) + " s"};
  const auto stage = source->at(t);
  if (!stage) return stage.error();
  return exports::to_obj(*stage, std::filesystem::path(mtl_path(args.obj)).filename().string());
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
  if (!args.obj.empty()) {
    orders.push_back({args.obj, [&](RecordingReader& reader) -> Result<std::string> {
                        const auto files = make_obj(args, reader);
                        if (!files) return files.error();
                        return files->obj;
                      }});
    orders.push_back({mtl_path(args.obj), [&](RecordingReader& reader) -> Result<std::string> {
                        const auto files = make_obj(args, reader);
                        if (!files) return files.error();
                        return files->mtl;
                      }});
  }
  if (!args.html.empty())
    orders.push_back({args.html, [&](RecordingReader& reader) -> Result<std::string> {
                        const auto baked = exports::bake(reader, bake_options(args));
                        if (!baked) return baked.error();
                        return exports::to_replay_html(*baked);
                      }});
  return orders;
}

// The tables that were asked for, and where a folder was, all that the recording has.
std::vector<TableOrder> table_orders(const ExportArguments& args, const RunRecord& run) {
  std::vector<TableOrder> orders{{export_poses_csv, args.poses},
                                 {export_joints_csv, args.joints},
                                 {export_contacts_csv, args.contacts},
                                 {export_events_csv, args.events},
                                 {export_diagnostics_csv, args.diagnostics}};
  if (args.all_csv.empty()) return orders;
  const auto in_folder = [&](const char* name) {
    return (std::filesystem::path(args.all_csv) / name).string();
  };
  orders.push_back({export_poses_csv, in_folder("poses.csv")});
  if (run.joint_track) orders.push_back({export_joints_csv, in_folder("joints.csv")});
  if (run.contact_track) orders.push_back({export_contacts_csv, in_folder("contacts.csv")});
  orders.push_back({export_events_csv, in_folder("events.csv")});
  orders.push_back({export_diagnostics_csv, in_folder("diagnostics.csv")});
  return orders;
}

Status make_folder(const std::string& folder) {
  if (folder.empty()) return Ok{};
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error))
    return Error{.message = "this is a file; the tables need a folder", .file = folder};
  std::filesystem::create_directories(folder, error);
  if (error) return Error{.message = "cannot make the folder: " + error.message(), .file = folder};
  return Ok{};
}

// What is written is binary glTF, whatever the file is called; programs go by the ending.
Status check_gltf_name(const std::string& path) {
  if (path.empty() || std::filesystem::path(path).extension() == ".glb") return Ok{};
  return Error{.message = "the name does not say what is written, binary glTF",
               .value = path,
               .accepted = "a name that ends in .glb"};
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
  Result<OpenRecording> recording = Error{};
  std::vector<FilmSubject> pieces;
  if (is_project_file(args.recording)) {
    pieces = record_project(args.recording, false);
    if (pieces.empty() || pieces.back().interrupted) return 1;
    if (pieces.size() > 1)
      return fail(Status(Error{.message = "the take was changed in mid-run: it is several scenes",
                               .file = args.recording,
                               .accepted = "tenon film, which shows them one after the other"}));
  } else {
    recording = open_recording(args.recording);
    if (!recording) return fail(recording);
  }
  RecordingReader& reader = pieces.empty() ? *recording->reader : *pieces.front().reader;
  warn_if_cut_off(reader);
  if (const Status made = make_folder(args.all_csv); !made) return fail(made);
  const std::vector<TableOrder> tables = table_orders(args, reader.run());
  std::vector<FileOrder> files = file_orders(args);
  std::vector<std::string> paths;
  for (const TableOrder& order : tables) paths.push_back(order.path);
  for (const FileOrder& order : files) paths.push_back(order.path);
  if (const Status distinct = check_outputs(args.recording, paths); !distinct)
    return fail(distinct);
  if (const Status named = check_gltf_name(args.gltf); !named) return fail(named);
  PovArguments pov = args.pov;
  pov.camera = args.sketch.camera;
  pov.from_s = args.csv.from_s;
  pov.to_s = args.csv.to_s;
  if (const Status size = parse_size(args.size, pov.options.width, pov.options.height); !size)
    return fail(size);
  // all or nothing: half an export is easily taken for a whole one
  bool good = check_tables(tables, args.csv, reader);
  std::vector<std::string> said;
  for (FileOrder& order : files) {
    Result<std::string> text = order.make(reader);
    if (text) {
      order.text = std::move(*text);
      continue;
    }
    good = false;
    // two files of one export fail for the same reason
    const std::string words = format(text.error());
    if (std::find(said.begin(), said.end(), words) != said.end()) continue;
    said.push_back(words);
    print_error(text.error());
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
  return pov.folder.empty() ? 0 : export_pov(pov, reader);
}

}  // namespace tenon::cli
