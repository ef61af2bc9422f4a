// Files that were cut off, damaged, or made to do harm.
#include <gtest/gtest.h>

#include "sample_run.h"
#include "tenon/engine/base/encoding.h"
#include "tenon/recording/detail/crc32c.h"
#include "tenon/recording/info.h"
#include "tenon/tests/effort.h"

namespace tenon {
namespace {

using namespace test;
using Bytes = std::vector<std::byte>;

WriteOptions small_chunks() {
  WriteOptions options;
  options.frames_per_chunk = 4;
  return options;
}

// Reads everything; true if nothing failed. Never crashes, whatever the bytes.
bool read_all(RecordingReader& reader) {
  bool fine = reader.scene().ok();
  for (uint64_t i = 0; i < reader.frame_count(); ++i) fine &= reader.read_frame(i).ok();
  for (uint64_t i = 0; i < reader.keyframe_count(); ++i) fine &= reader.read_keyframe(i).ok();
  fine &= reader.read_events(0, ~uint64_t{0}).ok();
  if (reader.run().contact_track) fine &= reader.read_contacts(0, ~uint64_t{0}).ok();
  fine &= reader.read_diagnostics(0, ~uint64_t{0}).ok();
  return fine;
}

TEST(Truncation, EveryLengthReadsUpToTheLastCompleteChunk) {
  SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 20);
  add_contacts(sample, 3);
  const Bytes whole = sample_bytes(sample, small_chunks());
  MemorySource whole_source(whole);
  const auto whole_reader = RecordingReader::open(whole_source);
  ASSERT_TRUE(whole_reader.ok());
  for (size_t length = 0; length < whole.size(); length += test::effort(1, 13)) {
    uint64_t frames = 0, keyframes = 0, chunks = 0;
    for (const ChunkEntry& entry : whole_reader->chunks()) {
      if (entry.offset + kChunkHeaderBytes + entry.header.stored_size > length) break;
      ++chunks;
      if (entry.header.kind == kChunkPoses) frames += entry.header.count;
      if (entry.header.kind == kChunkKeyframe) ++keyframes;
    }
    MemorySource source{std::span(whole).first(length), "cut.tenon"};
    auto reader = RecordingReader::open(source);
    ASSERT_EQ(reader.ok(), chunks > 0) << "length " << length;
    if (!reader.ok()) {
      EXPECT_NE(format(reader.error()).find("cut.tenon"), std::string::npos);
      continue;
    }
    EXPECT_FALSE(reader->has_index());
    ASSERT_EQ(reader->frame_count(), frames) << "length " << length;
    ASSERT_EQ(reader->keyframe_count(), keyframes);
    for (uint64_t i = 0; i < frames; ++i) {
      const auto frame = reader->read_frame(i);
      ASSERT_TRUE(frame.ok());
      ASSERT_TRUE(same_bits(*frame, sample.frames[i]));
      // a frame that is there has its events and diagnostics
      if (i > 0) {
        ASSERT_EQ(reader->read_diagnostics(frame->step, frame->step)->size(), 1u);
        const auto contacts = reader->read_contacts(frame->step, frame->step);
        ASSERT_TRUE(contacts.ok());
        ASSERT_EQ(contacts->size(), i % 4 != 0 ? 3u : 0u);
      }
    }
  }
}

TEST(Truncation, IsToldAsCutOffWithItsPlace) {
  const Bytes whole = sample_bytes(make_sample(SampleMotion::kFlight, 1, 20), small_chunks());
  MemorySource source{std::span(whole).first(whole.size() / 2)};
  const auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->end().end, RunEnd::kCutOff);
  EXPECT_NE(reader->end().reason.find("at byte"), std::string::npos) << reader->end().reason;
  EXPECT_GT(reader->end().step, 0u);
}

TEST(Corruption, EveryDamagedByteIsNoticedOrHarmless) {
  SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 12);
  add_contacts(sample, 2);
  const Bytes whole = sample_bytes(sample, small_chunks());
  Rng rng(5);
  for (size_t at = 0; at < whole.size(); at += test::effort(1, 5)) {
    Bytes damaged = whole;
    damaged[at] ^= static_cast<std::byte>(1u << rng.below(8));
    if (at % 2) damaged[at] = ~damaged[at];
    MemorySource source(damaged);
    auto reader = RecordingReader::open(source);
    if (!reader.ok()) continue;
    // whatever is read without an error is right
    ASSERT_EQ(reader->run(), sample.run) << "byte " << at;
    if (const auto scene = reader->scene()) {
      ASSERT_EQ(*scene, sample.scene) << "byte " << at;
    }
    for (uint64_t i = 0; i < reader->frame_count(); ++i) {
      const auto frame = reader->read_frame(i);
      if (frame) {
        ASSERT_TRUE(same_bits(*frame, sample.frames[i])) << "byte " << at;
      }
    }
    for (uint64_t i = 0; i < reader->keyframe_count(); ++i) {
      const auto key = reader->read_keyframe(i);
      if (key) {
        ASSERT_EQ(key->state, sample.keyframes[i].state) << "byte " << at;
      }
    }
    if (const auto events = reader->read_events(0, 3)) {
      for (const auto& event : *events) ASSERT_EQ(event.step, 3u);
    }
    if (const auto contacts = reader->read_contacts(5, 5)) {
      // those of chunks that are there at all, in their order
      for (const RecordedContact& contact : *contacts) {
        const bool known =
            same_bits(contact, sample.contacts[6]) || same_bits(contact, sample.contacts[7]);
        ASSERT_TRUE(known) << "byte " << at;
      }
    }
  }
}

TEST(Corruption, LeavesTheOtherChunksReadable) {
  const SampleRun sample = make_sample(SampleMotion::kFlight, 3, 40);
  Bytes bytes = sample_bytes(sample, small_chunks());
  MemorySource clean(bytes);
  const auto first = RecordingReader::open(clean);
  ASSERT_TRUE(first.ok());
  size_t place = 0, chunk = 0;
  for (const auto& entry : first->chunks())
    if (entry.header.kind == kChunkPoses && ++chunk == 3)
      place = static_cast<size_t>(entry.offset) + kChunkHeaderBytes + 5;
  bytes[place] ^= std::byte{1};
  MemorySource source(bytes, "bad.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  for (uint64_t i = 0; i < 40; ++i) EXPECT_EQ(reader->read_frame(i).ok(), i / 4 != 2) << i;
  const std::string text = format(reader->read_frame(8).error());
  EXPECT_NE(text.find("bad.tenon"), std::string::npos) << text;
  EXPECT_NE(text.find("checksum"), std::string::npos) << text;
  EXPECT_NE(text.find("at byte"), std::string::npos) << text;
}

TEST(Salvage, WithoutChecksumsNothingCrashes) {
  SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 12);
  add_contacts(sample, 2);
  const Bytes whole = sample_bytes(sample, small_chunks());
  ReadOptions options;
  options.checksums = ReadOptions::Checksums::kIgnore;
  options.max_chunk_bytes = 1 << 20;
  Rng rng(11);
  for (int round = 0; round < test::effort(4000, 800); ++round) {
    Bytes damaged = whole;
    for (uint32_t k = 1 + rng.below(4); k > 0; --k)
      damaged[rng.below(static_cast<uint32_t>(damaged.size()))] =
          static_cast<std::byte>(rng.below(256));
    MemorySource source(damaged);
    auto reader = RecordingReader::open(source, options);
    if (reader.ok()) read_all(*reader);
  }
}

TEST(Hostile, EmptyAndForeignFilesAreRefusedWithTheirName) {
  const auto message = [](const std::string& content) {
    MemorySource source(std::as_bytes(std::span(content)), "x.tenon");
    const auto reader = RecordingReader::open(source);
    EXPECT_FALSE(reader.ok());
    return reader.ok() ? "" : format(reader.error());
  };
  EXPECT_EQ(message(""), "x.tenon: the file is empty, not a Tenon recording");
  EXPECT_EQ(message("{ \"scene\": 1 }"),
            "x.tenon: not a Tenon recording (wrong first bytes) (accepted: what 'tenon run SCENE "
            "-o FILE.tenon' writes)");
  EXPECT_EQ(message("\x89TENON\r\n"),
            "x.tenon: the recording was cut off inside its first 16 bytes");
}

TEST(Hostile, AnotherMajorVersionIsRefusedAndAnotherMinorRead) {
  Bytes bytes = sample_bytes(make_sample(SampleMotion::kRest, 1, 3));
  const auto with_version = [&](uint16_t major, uint16_t minor) {
    Encoder version;
    version.u16(major);
    version.u16(minor);
    std::copy(version.view().begin(), version.view().end(), bytes.begin() + 8);
    Encoder crc;
    crc.u32(recording_detail::crc32c(std::span(bytes).first(12)));
    std::copy(crc.view().begin(), crc.view().end(), bytes.begin() + 12);
    MemorySource source(bytes, "v.tenon");
    auto reader = RecordingReader::open(source);
    return reader.ok() ? "minor " + std::to_string(reader->format_minor()) : format(reader.error());
  };
  EXPECT_EQ(with_version(1, 7), "minor 7");
  EXPECT_EQ(with_version(2, 0),
            "v.tenon: the recording has a format version that this program cannot read "
            "(got 2.0; accepted: 1.x)");
}

// Appends a chunk with an arbitrary header and a correct checksum.
void append_chunk(Bytes& bytes, ChunkHeader header, std::span<const std::byte> stored) {
  header.payload_crc = recording_detail::crc32c(stored);
  const auto head = encode(header);
  bytes.insert(bytes.end(), head.begin(), head.end());
  bytes.insert(bytes.end(), stored.begin(), stored.end());
}

Bytes only_description(const SampleRun& sample) {
  MemorySink sink;
  RecordingWriter writer(sink);
  TENON_DEMAND(writer.begin(sample.run, sample.scene).ok());
  return sink.bytes();
}

TEST(Hostile, ClaimedSizesAreCheckedBeforeMemoryIsTaken) {
  const SampleRun sample = make_sample(SampleMotion::kRest, 1, 3);
  ChunkHeader header;
  header.kind = kChunkKeyframe;
  header.count = 1;
  // larger than the file: as if cut off there
  Bytes bytes = only_description(sample);
  header.stored_size = header.raw_size = 0xffffffffu;
  append_chunk(bytes, header, {});
  MemorySource cut(bytes);
  auto reader = RecordingReader::open(cut);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->keyframe_count(), 0u);
  EXPECT_EQ(reader->end().end, RunEnd::kCutOff);
  // a bomb: packs to little, claims more than the limit
  const Bytes zeros(3 << 20);
  const auto packed = compress(Codec::kZstd, zeros, 3);
  ASSERT_TRUE(packed.ok());
  bytes = only_description(sample);
  header.codec = Codec::kZstd;
  header.stored_size = static_cast<uint32_t>(packed->size());
  header.raw_size = 3 << 20;
  append_chunk(bytes, header, *packed);
  MemorySource bomb(bytes);
  ReadOptions options;
  options.max_chunk_bytes = 1 << 20;
  reader = RecordingReader::open(bomb, options);
  ASSERT_TRUE(reader.ok());
  const auto key = reader->read_keyframe(0);
  ASSERT_FALSE(key.ok());
  EXPECT_NE(key.error().message.find("too large"), std::string::npos);
  // claims less than it unpacks to
  options.max_chunk_bytes = 256 << 20;
  bytes = only_description(sample);
  header.raw_size = 100;
  append_chunk(bytes, header, *packed);
  MemorySource liar(bytes);
  reader = RecordingReader::open(liar, options);
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE(reader->read_keyframe(0).ok());
}

TEST(Hostile, FramesThatContradictTheirHeaderAreRefused) {
  const SampleRun sample = make_sample(SampleMotion::kRest, 1, 8);
  const Bytes whole = sample_bytes(sample, small_chunks());
  MemorySource clean(whole);
  const auto first = RecordingReader::open(clean);
  ASSERT_TRUE(first.ok());
  for (const auto& entry : first->chunks()) {
    if (entry.header.kind != kChunkPoses) continue;
    const auto stored = std::span(whole).subspan(
        static_cast<size_t>(entry.offset) + kChunkHeaderBytes, entry.header.stored_size);
    const auto attempt = [&](auto change) {
      ChunkHeader header = entry.header;
      change(header);
      Bytes bytes = only_description(sample);
      append_chunk(bytes, header, stored);
      MemorySource source(bytes);
      auto reader = RecordingReader::open(source);
      return reader.ok() && reader->read_frame(0).ok();
    };
    EXPECT_TRUE(attempt([](ChunkHeader&) {}));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.count = 0; }));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.count = 3; }));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.count = 0xffffffffu; }));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.last_step += 1; }));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.first_time = std::nan(""); }));
    EXPECT_FALSE(attempt([](ChunkHeader& h) { h.last_time = 1e300; }));
  }
}

TEST(Forward, UnknownChunkKindsAreSkipped) {
  const SampleRun sample = make_sample(SampleMotion::kFlight, 1, 8);
  const Bytes whole = sample_bytes(sample, small_chunks());
  Bytes bytes = only_description(sample);
  const size_t described = bytes.size();
  const std::string content = "something new";
  ChunkHeader header;
  header.kind = chunk_kind("NEW!");
  header.codec = static_cast<Codec>(200);
  header.stored_size = static_cast<uint32_t>(content.size());
  header.raw_size = 12345;
  append_chunk(bytes, header, std::as_bytes(std::span(content)));
  bytes.insert(bytes.end(), whole.begin() + static_cast<std::ptrdiff_t>(described), whole.end());
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);  // the old index does not fit any more
  ASSERT_TRUE(reader.ok()) << format(reader.error());
  EXPECT_FALSE(reader->has_index());
  EXPECT_EQ(reader->end().end, RunEnd::kCompleted);
  EXPECT_EQ(reader->frame_count(), 8u);
  EXPECT_TRUE(read_all(*reader));
  EXPECT_NE(format(*read_info(*reader)).find("unknown NEW!"), std::string::npos);
}

}  // namespace
}  // namespace tenon
