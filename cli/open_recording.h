// Recording files that commands read.
#pragma once

#include <cstdio>
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

// Says that a recording has no end: pictures and pages of it show less than the run was meant to
// be.
inline void warn_if_cut_off(const RecordingReader& reader) {
  const EndRecord& end = reader.end();
  if (end.end != RunEnd::kCutOff) return;
  std::fprintf(stderr,
               "warning: %s: the recording is cut off%s%s; what there is ends at %g of %g s\n",
               reader.source().name().c_str(), end.reason.empty() ? "" : ": ", end.reason.c_str(),
               end.time, reader.run().seconds);
}

}  // namespace tenon::cli
