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
};

// `subject` is a .tenon file, a scene file or gallery:NAME. A scene is run in memory with
// `overrides`, contacts recorded where `contacts` says so. Mistakes of scenes are printed; nothing
// then.
std::optional<FilmSubject> open_subject(const std::string& subject,
                                        const std::vector<std::string>& overrides, bool contacts,
                                        int threads);

}  // namespace tenon::cli
