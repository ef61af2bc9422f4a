#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tenon/cli/commands.h"
#include "tenon/cli/gallery.h"
#include "tenon/cli/run_program.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/cli/studio_import.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/server/folder.h"
#include "tenon/studio/server/server.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kModule = "tenon-studio.wasm";
constexpr const char* kFirstScene = "cradle";

// Beside the program: bin/tenon -> share/tenon/studio, in a build tree as in an installation.
std::string find_page(const StudioArguments& args) {
  if (!args.page.empty()) return args.page;
  std::error_code trouble;
  const fs::path program = fs::read_symlink("/proc/self/exe", trouble);
  return (program.parent_path().parent_path() / "share/tenon/studio").string();
}

int fail(const Error& error) {
  print_error(error);
  return 1;
}

// What the page is told about where it runs.
std::string site_description(const char* transport, const std::string& scene,
                             const std::map<std::string, std::string>& page) {
  scene::Json out = scene::Json::object(), previews = scene::Json::array();
  for (const auto& [name, content] : page)
    if (name.starts_with("previews/")) previews.push(name);
  out.set("transport", transport).set("scene", scene).set("previews", std::move(previews));
  return scene::format_compact(out);
}

std::string gallery_file() {
  scene::Json list = scene::Json::array();
  for (const GalleryScene& one : gallery())
    list.push(scene::Json::object().set("name", one.name).set("text", one.text));
  return scene::format_compact(list);
}

// What pages keep their work of: the same words in two folders are two scenes.
std::string source_of(const std::string& scene) {
  if (scene.empty() || scene.starts_with("gallery:")) return scene;
  std::error_code trouble;
  const fs::path whole = fs::weakly_canonical(scene, trouble);
  return trouble ? scene : whole.string();
}

int export_site(const StudioArguments& args, std::map<std::string, std::string> page) {
  if (!page.contains(kModule)) {
    return fail({.message = "the engine is not built for WebAssembly",
                 .file = kModule,
                 .accepted = "tools/build_studio wasm, which makes it (clang-19)"});
  }
  page["gallery.json"] = gallery_file();
  const std::string scene = args.scene.empty() ? std::string("gallery:") + kFirstScene : args.scene;
  if (!scene.starts_with("gallery:")) {
    const Result<SceneText> text = read_scene_text(scene);
    if (!text) return fail(text.error());
    page["scene.json"] = text->text;
  }
  page["studio.json"] =
      site_description("worker", scene.starts_with("gallery:") ? scene : "scene.json", page);
  size_t bytes = 0;
  for (const auto& [name, content] : page) {
    const fs::path path = fs::path(args.export_to) / name;
    std::error_code trouble;
    fs::create_directories(path.parent_path(), trouble);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) return fail({.message = "the file cannot be written", .file = path.string()});
    bytes += content.size();
  }
  std::printf("%zu files, %.1f MB, in %s: put the folder on any web server.\n", page.size(),
              static_cast<double>(bytes) / 1e6, args.export_to.c_str());
  return 0;
}

void open_browser(const std::string& address) {
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if ((display == nullptr && wayland == nullptr) || !program_exists("xdg-open")) return;
  (void)run_program({"xdg-open", address}, ".", "/dev/null");
}

Result<std::unique_ptr<studio::Server>> start(studio::ServerOptions& options, int port) {
  options.port = port;
  Result<std::unique_ptr<studio::Server>> server = studio::Server::start(options);
  // the usual port keeps what pages have stored; another one is better than none
  if (!server && port == StudioArguments{}.port) {
    options.port = 0;
    return studio::Server::start(options);
  }
  return server;
}

}  // namespace

int run_studio(const StudioArguments& args) {
  Result<std::map<std::string, std::string>> page = studio::load_page(find_page(args));
  if (!page) return fail(page.error());
  if (!args.export_to.empty()) return export_site(args, std::move(*page));
  studio::ServerOptions options;
  options.page = std::move(*page);
  options.page["studio.json"] = site_description("server", "", options.page);
  options.version = TENON_VERSION;
  options.folder = args.folder.empty() ? "." : args.folder;
  options.scene_source = source_of(args.scene);
  std::error_code unknown;
  options.program = fs::read_symlink("/proc/self/exe", unknown).string();
  options.session.timeline.memory_bytes = static_cast<size_t>(args.memory_mb) << 20;
  options.session.timeline.threads = 0;
  for (const GalleryScene& one : gallery()) options.gallery.push_back({one.name, one.text});
  const Result<SceneText> scene =
      read_scene_text(args.scene.empty() ? std::string("gallery:") + kFirstScene : args.scene);
  if (!scene) return fail(scene.error());
  options.scene_text = scene->text;
  options.scene_name = fs::path(scene->name).filename().string();
  options.scene_file = studio::file_in_folder(options.folder, args.scene);
  // what a recording brought with it, else what lies where the scene names it
  options.session.read =
      scene->files.empty() ? studio::read_beside(scene->name, scene->text) : file_reader(*scene);
  options.session.import = import_uploaded;
  options.session.import_endings = {".urdf", ".xml", ".mjcf", ".gltf", ".glb", ".bvh"};
  std::mutex printing;
  options.log = [&printing](const std::string& line) {
    const std::lock_guard lock(printing);
    std::fprintf(stderr, "%s\n", line.c_str());
  };
  Result<std::unique_ptr<studio::Server>> server = start(options, args.port);
  if (!server) return fail(server.error());
  catch_interrupts();
  std::printf("The studio: %s\nCtrl-C ends it.\n", (*server)->address().c_str());
  std::fflush(stdout);
  if (args.browser) open_browser((*server)->address());
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return 0;
}

}  // namespace tenon::cli
