// What a film is of: a recording, or a scene that is run first.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenon/recording/reader.h"

namespace tenon::cli {

struct FilmSubject {
  std::string name;  // for people
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<RecordingReader> reader;
  bool interrupted = false;        // Ctrl-C while the scene ran
  std::vector<std::string> hints;  // about the run of a scene, as `tenon run` gives them

  // Reads a recording that is in memory.
  Status open(std::vector<std::byte> bytes);
};

// `subject` is a .tenon file, a scene file, gallery:NAME, or a project of the studio. Scenes are
// run in memory with `overrides`, contacts recorded where `contacts` says so. A project may have
// several, one after the other (project_reel.h). Mistakes are printed; nothing then.
std::vector<FilmSubject> open_subjects(const std::string& subject,
                                       const std::vector<std::string>& overrides, bool contacts,
                                       int threads);

}  // namespace tenon::cli
