// Recordings in real files, and sinks that fail.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "sample_run.h"
#include "tenon/recording/file_io.h"

namespace tenon {
namespace {

using namespace test;

class Files : public testing::Test {
 protected:
  Files() : folder_(testing::TempDir() + "tenon_recording_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_;
};

WriteOptions small_chunks() {
  WriteOptions options;
  options.frames_per_chunk = 4;
  return options;
}

TEST_F(Files, RoundTrip) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 3, 50);
  auto sink = FileSink::create(path("run.tenon"));
  ASSERT_TRUE(sink.ok());
  ASSERT_TRUE(write_sample(sample, *sink).ok());
  ASSERT_TRUE(sink->close().ok());
  auto source = FileSource::open(path("run.tenon"));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->size(), sink->size());
  auto reader = RecordingReader::open(*source);
  ASSERT_TRUE(reader.ok());
  for (uint64_t i = 0; i < 50; ++i)
    EXPECT_TRUE(same_bits(*reader->read_frame(i), sample.frames[i]));
}

TEST_F(Files, ErrorsNamePathAndReason) {
  const auto text = [](const auto& result) { return result.ok() ? "ok" : format(result.error()); };
  EXPECT_EQ(text(FileSource::open(path("none.tenon"))),
            path("none.tenon") + ": cannot open the recording: No such file or directory");
  EXPECT_EQ(text(FileSource::open(folder_)), folder_ + ": is a directory, not a recording");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(text(FileSource::open(path("pipe"))), path("pipe") + ": is no regular file");
  EXPECT_EQ(text(FileSink::create(folder_)),
            folder_ + ": cannot write the recording: Is a directory");
  EXPECT_EQ(
      text(FileSink::create(path("no/such/folder.tenon"))),
      path("no/such/folder.tenon") + ": cannot write the recording: No such file or directory");
}

TEST_F(Files, AFullDeviceIsReported) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  auto sink = FileSink::create("/dev/full");
  ASSERT_TRUE(sink.ok());
  const auto status = write_sample(make_sample(SampleMotion::kRest, 1, 5), *sink);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(format(status.error()),
            "/dev/full: cannot write the recording: No space left on device");
}

// The limit on file size stands in for a full disk: write() takes a part, then fails.
TEST_F(Files, AFullDiskLeavesAReadableFile) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 3, 60);
  const size_t whole = sample_bytes(sample, small_chunks()).size();
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  for (size_t limit : {whole / 3, whole / 2, whole - 1}) {
    auto sink = FileSink::create(path("full.tenon"));
    ASSERT_TRUE(sink.ok());
    struct rlimit tight = before;
    tight.rlim_cur = limit;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto status = write_sample(sample, *sink, small_chunks());
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(format(status.error()).find("full.tenon"), std::string::npos);
    auto source = FileSource::open(path("full.tenon"));
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(source->size(), sink->size());  // the torn chunk is gone
    auto reader = RecordingReader::open(*source);
    ASSERT_TRUE(reader.ok());
    EXPECT_GT(reader->frame_count(), 0u);
    for (uint64_t i = 0; i < reader->frame_count(); ++i)
      EXPECT_TRUE(same_bits(*reader->read_frame(i), sample.frames[i]));
  }
  ::signal(SIGXFSZ, old_handler);
}

TEST_F(Files, AKilledProcessLeavesAReadableFile) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 400);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto sink = FileSink::create(path("killed.tenon"));
    if (!sink) ::_exit(1);
    RecordingWriter writer(*sink, small_chunks());
    bool fine = writer.begin(sample.run, sample.scene).ok();
    for (const auto& frame : sample.frames) {
      fine &= writer.add_frame(frame.step, frame.time, frame.state_hash, frame.bodies).ok();
      if (frame.step == 201) ::kill(::getpid(), SIGKILL);
    }
    ::_exit(fine ? 2 : 3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  auto source = FileSource::open(path("killed.tenon"));
  ASSERT_TRUE(source.ok());
  auto reader = RecordingReader::open(*source);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->frame_count(), 200u);  // the last full chunk of four
  EXPECT_EQ(reader->end().end, RunEnd::kCutOff);
  EXPECT_EQ(reader->end().reason, "no end chunk: the run was killed or is still going on");
}

// Takes a number of bytes, then fails; may keep a part of the failing call.
class FailingSink final : public ByteSink {
 public:
  explicit FailingSink(size_t room) : room_(room) {}
  Status write(std::span<const std::byte> bytes) override {
    ++calls;
    const size_t taken = std::min(bytes.size(), room_ - kept.size());
    kept.insert(kept.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    if (taken == bytes.size()) return Ok{};
    failed_at = calls;
    return Error{.message = "no room"};
  }
  std::vector<std::byte> kept;
  int calls = 0, failed_at = 0;

 private:
  size_t room_;
};

TEST(FailingSinks, AreToldOnceAndNeverWrittenToAgain) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 30);
  const size_t whole = sample_bytes(sample, small_chunks()).size();
  for (size_t room = 0; room < whole; room += 13) {
    FailingSink sink(room);
    RecordingWriter writer(sink, small_chunks());
    Status last = writer.begin(sample.run, sample.scene);
    for (const auto& frame : sample.frames)
      last = writer.add_frame(frame.step, frame.time, frame.state_hash, frame.bodies);
    last = writer.finish({});
    if (last.ok()) continue;  // events and rows are missing, so this one is shorter
    EXPECT_EQ(format(last.error()), "no room");
    EXPECT_EQ(sink.calls, sink.failed_at);
    MemorySource source(sink.kept);
    auto reader = RecordingReader::open(source);
    if (!reader.ok()) continue;
    for (uint64_t i = 0; i < reader->frame_count(); ++i)
      ASSERT_TRUE(same_bits(*reader->read_frame(i), sample.frames[i]));
  }
}

}  // namespace
}  // namespace tenon
