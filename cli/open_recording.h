// Recording files that commands read.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tenon/recording/file_io.h"
#include "tenon/recording/reader.h"

namespace tenon::cli {

// A recording file and its reader; the source must not move once the reader looks at it.
struct OpenRecording {
  std::unique_ptr<FileSource> source;
  std::unique_ptr<RecordingReader> reader;
};

inline Result<OpenRecording> open_recording(const std::string& path) {
  Result<FileSource> source = FileSource::open(path);
  if (!source) return source.error();
  OpenRecording open;
  open.source = std::make_unique<FileSource>(std::move(*source));
  Result<RecordingReader> reader = RecordingReader::open(*open.source);
  if (!reader) return reader.error();
  open.reader = std::make_unique<RecordingReader>(std::move(*reader));
  return open;
}

}  // namespace tenon::cli
