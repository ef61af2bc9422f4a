// A session of the studio as WebAssembly exports: messages in, messages out. The page's Web Worker
// (studio/page/src/link/worker.ts) is the other side.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/studio/session/session.h"

#define TENON_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// The one thing a module cannot have of its own: a clock, s.
extern "C" __attribute__((import_module("tenon"), import_name("now"))) double tenon_now();

namespace {

// The module is one program with one caller, so its session is its own.
struct Studio {
  std::vector<tenon::studio::SceneOffer> gallery;
  std::unique_ptr<tenon::studio::Session> session;
  std::vector<tenon::studio::Outgoing> outgoing;
};
Studio& studio() {
  static Studio one;
  return one;
}

// The importer that needs no library to read XML.
tenon::Result<tenon::studio::ImportedScene> import_figure(const std::string& name,
                                                          const tenon::studio::Uploads& uploads) {
  namespace bvh = tenon::scene::bvh;
  const tenon::scene::FileBytes text = uploads.find(name);
  if (!text || !bvh::is_motion_file(name))
    return tenon::Error{.message = "the studio without a server imports BVH files",
                        .file = name,
                        .accepted = "`tenon import " + name +
                                    " -o scene.json` on a computer, and the scene that it writes"};
  bvh::ImportOptions options;
  options.floor = true;
  tenon::Result<bvh::Imported> figure = bvh::import_motion(*text, name, options);
  if (!figure) return figure.error();
  return tenon::studio::ImportedScene{tenon::scene::save_scene(figure->document),
                                      format(figure->report)};
}

}  // namespace

TENON_EXPORT(studio_allocate) uint8_t* studio_allocate(uint32_t size) { return new uint8_t[size]; }
TENON_EXPORT(studio_free) void studio_free(uint8_t* bytes) { delete[] bytes; }

TENON_EXPORT(studio_offer)
void studio_offer(const char* name, uint32_t name_size, const char* text, uint32_t text_size) {
  studio().gallery.push_back({{name, name_size}, {text, text_size}});
}

// Begins; scenes of the gallery are offered before.
TENON_EXPORT(studio_begin)
void studio_begin(const char* source, uint32_t source_size, uint32_t memory_mb) {
  tenon::studio::SessionOptions options;
  options.timeline.clock = tenon_now;
  options.timeline.memory_bytes = size_t{memory_mb} << 20;
  options.gallery = &studio().gallery;
  options.version = TENON_VERSION;
  options.transport = "worker";
  options.source.assign(source, source_size);
  options.import = import_figure;
  options.import_endings = {".bvh"};
  studio().session = std::make_unique<tenon::studio::Session>(options);
}

TENON_EXPORT(studio_open)
void studio_open(const char* text, uint32_t text_size, const char* name, uint32_t name_size) {
  studio().session->open_scene({text, text_size}, std::string(name, name_size));
}

TENON_EXPORT(studio_receive) void studio_receive(const char* message, uint32_t size) {
  studio().session->receive({message, size});
}
TENON_EXPORT(studio_advance) void studio_advance(double seconds) {
  studio().session->advance(seconds);
}
TENON_EXPORT(studio_busy) uint32_t studio_busy() { return studio().session->busy() ? 1 : 0; }

// How many messages there are; they stay valid until the next call of this function.
TENON_EXPORT(studio_collect) uint32_t studio_collect() {
  studio().outgoing = studio().session->take_outgoing();
  return static_cast<uint32_t>(studio().outgoing.size());
}
TENON_EXPORT(studio_message) const char* studio_message(uint32_t i) {
  return studio().outgoing[i].bytes.data();
}
TENON_EXPORT(studio_message_size) uint32_t studio_message_size(uint32_t i) {
  return static_cast<uint32_t>(studio().outgoing[i].bytes.size());
}
TENON_EXPORT(studio_message_binary) uint32_t studio_message_binary(uint32_t i) {
  return studio().outgoing[i].binary ? 1 : 0;
}
