// Everything `tenon info` says about a recording.
#pragma once

#include "tenon/recording/reader.h"

namespace tenon {

struct RecordingInfo {
  std::string source;  // file name
  uint64_t bytes = 0;  // of the file
  uint32_t format_major = 0, format_minor = 0;
  SceneRecord scene;  // the text may be long
  RunRecord run;
  EndRecord end;
  bool has_index = false;  // false: rebuilt by a scan
  uint64_t frames = 0, keyframes = 0, events = 0, contacts = 0, diagnostics = 0;
  uint64_t bodies = 0;
  double first_time = 0, last_time = 0;  // s, of frames
  uint64_t first_step = 0, last_step = 0;
  // per chunk kind in order of first appearance
  struct Part {
    std::string kind;
    uint64_t chunks = 0, stored_bytes = 0, raw_bytes = 0;
  };
  std::vector<Part> parts;
  std::vector<std::string> codecs;  // names of the codecs in use
  double bytes_per_body_frame = 0;  // pose track only; 0 without frames
  std::vector<std::string> health;  // hints in plain words
  std::string scene_problem;        // why the scene could not be read; empty = fine
};

Result<RecordingInfo> read_info(RecordingReader& reader);

// Several lines for a person, ending in a newline.
std::string format(const RecordingInfo& info);

}  // namespace tenon
