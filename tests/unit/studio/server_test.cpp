// What the studio's server refuses, spoken to over plain sockets as a hostile program would.
#include "tenon/studio/server/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tenon/studio/server/folder.h"
#include "tenon/studio/server/jobs.h"

namespace tenon::test {
namespace {

namespace fs = std::filesystem;
using scene::Json;

// A connection that says what it likes.
class Wire {
 public:
  explicit Wire(int port) {
    descriptor_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    timeval limit{20, 0};
    setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    open_ = connect(descriptor_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~Wire() { close(descriptor_); }
  bool open() const { return open_; }
  void say(const std::string& bytes) {
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::send(descriptor_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (n <= 0) return;
      done += static_cast<size_t>(n);
    }
  }
  // All that comes until `enough` is in it, or the other side ends.
  std::string hear(const std::string& enough = "\r\n\r\n") {
    char buffer[4096];
    while (heard_.find(enough) == std::string::npos) {
      const ssize_t n = recv(descriptor_, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      heard_.append(buffer, static_cast<size_t>(n));
    }
    return heard_;
  }
  bool ended() {
    char buffer[4096];
    ssize_t n = 0;
    while ((n = recv(descriptor_, buffer, sizeof buffer, 0)) > 0) {
    }
    return n == 0 || errno == ECONNRESET;
  }

 private:
  int descriptor_ = -1;
  bool open_ = false;
  std::string heard_;
};

// A text frame of a WebSocket, masked by zeros.
std::string frame(const std::string& text, unsigned first = 0x81) {
  std::string out(1, static_cast<char>(first));
  if (text.size() < 126) {
    out += static_cast<char>(0x80 | text.size());
  } else {
    out += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8)
      out += static_cast<char>(static_cast<uint64_t>(text.size()) >> shift & 255);
  }
  return out + std::string(4, '\0') + text;
}

class StudioServer : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("tenon-server-" + std::to_string(getpid()));
    fs::create_directories(root_ / "scenes");
    std::ofstream(root_ / "secret.json") << R"({"tenon": 1, "title": "secret"})";
    std::ofstream(root_ / "scenes/mine.json") << R"({"tenon": 1, "title": "mine"})";
    std::ofstream(root_ / "scenes/notes.txt") << "not a scene";
    fs::create_symlink(root_ / "secret.json", root_ / "scenes/way-out.json");
    studio::ServerOptions options;
    options.page = {{"index.html", "<!doctype html>page"}, {"app.js", "1"}};
    options.folder = (root_ / "scenes").string();
    options.session.max_message_bytes = 100'000;
    options.log = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      log_ += line + "\n";
    };
    Result<std::unique_ptr<studio::Server>> server = studio::Server::start(options);
    ASSERT_TRUE(server.ok()) << format(server.error());
    server_ = std::move(*server);
  }
  void TearDown() override {
    server_.reset();
    fs::remove_all(root_);
  }

  std::string host() const { return "127.0.0.1:" + std::to_string(server_->port()); }
  std::string get(const std::string& path, const std::string& host_name,
                  const std::string& more = "") {
    Wire wire(server_->port());
    EXPECT_TRUE(wire.open());
    wire.say("GET " + path + " HTTP/1.1\r\nHost: " + host_name + "\r\n" + more + "\r\n");
    return wire.hear();
  }
  std::string upgrade(const std::string& token, const std::string& origin) const {
    return "GET /" + token + "/ws?session=t HTTP/1.1\r\nHost: " + host() + "\r\n" +
           (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  }
  std::string log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  // The server still does what it should.
  void expect_alive() {
    EXPECT_NE(get("/" + server_->token() + "/", host()).find("200 OK"), std::string::npos);
    Wire wire(server_->port());
    wire.say(upgrade(server_->token(), "http://" + host()));
    EXPECT_NE(wire.hear().find("101"), std::string::npos);
    wire.say(frame(R"({"id": 5, "do": "hello", "protocol": 1})"));
    EXPECT_NE(wire.hear("\"id\":5").find("\"id\":5"), std::string::npos);
  }

  fs::path root_;
  std::unique_ptr<studio::Server> server_;
  std::mutex mutex_;
  std::string log_;
};

TEST_F(StudioServer, ServesItsPageToWhoHasTheToken) {
  const std::string page = get("/" + server_->token() + "/", host());
  EXPECT_NE(page.find("200 OK"), std::string::npos);
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_NE(page.find("X-Frame-Options: DENY"), std::string::npos);
  expect_alive();
}

TEST_F(StudioServer, RefusesAWrongTokenAnotherHostAndAnotherOrigin) {
  const std::string token = server_->token();
  EXPECT_EQ(token.size(), 32u);
  std::string wrong = token;
  wrong[31] = wrong[31] == 'a' ? 'b' : 'a';
  for (const std::string& path : {std::string("/"), std::string("/index.html"), "/" + wrong + "/",
                                  "/" + token.substr(0, 31) + "/", "/" + token + "0/"})
    EXPECT_NE(get(path, host()).find("403"), std::string::npos) << path;
  // a name that an attacker lets point here (DNS rebinding)
  EXPECT_NE(get("/" + token + "/", "evil.example").find("403"), std::string::npos);
  EXPECT_NE(get("/" + token + "/", host(), "Origin: https://evil.example\r\n").find("403"),
            std::string::npos);
  EXPECT_NE(log().find("refused: GET /index.html (no token or a wrong one)"), std::string::npos);
  EXPECT_NE(log().find("another host name"), std::string::npos);
  EXPECT_EQ(log().find(token), std::string::npos) << "the secret is not for logs";
  expect_alive();
}

TEST_F(StudioServer, RefusesWebSocketsOfOtherPages) {
  const std::string token = server_->token();
  for (const std::string& origin : {std::string("https://evil.example"), std::string("null"),
                                    std::string("http://127.0.0.1:1"), std::string()}) {
    Wire wire(server_->port());
    wire.say(upgrade(token, origin));
    EXPECT_EQ(wire.hear().find("101"), std::string::npos) << origin;
  }
  Wire wire(server_->port());
  wire.say(upgrade(std::string(32, '0'), "http://" + host()));
  EXPECT_EQ(wire.hear().find("101"), std::string::npos);
  EXPECT_NE(log().find("another origin"), std::string::npos);
  EXPECT_NE(log().find("no origin"), std::string::npos);
  expect_alive();
}

TEST_F(StudioServer, HasNoFilesButItsPage) {
  const std::string token = server_->token();
  for (const char* path : {"/../secret.json", "/%2e%2e/secret.json", "/..%2f..%2fetc/passwd",
                           "/mine.json", "/scenes/mine.json", "/./../../etc/passwd", "//etc/passwd",
                           "/index.html/../../secret.json"}) {
    const std::string answer = get("/" + token + path, host());
    EXPECT_EQ(answer.find("200 OK"), std::string::npos) << path;
  }
  EXPECT_NE(get("/" + token + "/app.js", host()).find("200 OK"), std::string::npos);
  expect_alive();
}

TEST_F(StudioServer, EndsConnectionsWithMessagesThatAreTooLargeOrBinary) {
  for (const std::string& message :
       {frame(std::string(200'000, 'x')), frame("bytes", 0x82),
        frame(std::string(60'000, 'x'), 0x01) + frame(std::string(60'000, 'x'), 0x80)}) {
    Wire wire(server_->port());
    wire.say(upgrade(server_->token(), "http://" + host()));
    ASSERT_NE(wire.hear().find("101"), std::string::npos);
    wire.say(message);
    EXPECT_TRUE(wire.ended());
  }
  EXPECT_NE(log().find("refused: a message larger than 100000 bytes"), std::string::npos);
  EXPECT_NE(log().find("refused: a binary message"), std::string::npos);
  expect_alive();
}

TEST_F(StudioServer, AnswersMalformedMessagesAndGoesOn) {
  Wire wire(server_->port());
  wire.say(upgrade(server_->token(), "http://" + host()));
  ASSERT_NE(wire.hear().find("101"), std::string::npos);
  for (const char* text :
       {"{", "]]]]", "{\"do\": \"load\", \"text\": \"{\"}", "\x01\x02\xff", "{\"do\": null}"})
    wire.say(frame(text));
  wire.say(frame(R"({"id": 77, "do": "hello", "protocol": 1})"));
  const std::string heard = wire.hear("\"id\":77");
  EXPECT_NE(heard.find("\"ok\":false"), std::string::npos);
  EXPECT_NE(heard.find("\"id\":77"), std::string::npos);
  // garbage instead of HTTP, and half a request
  Wire(server_->port()).say(std::string(70'000, 'A'));
  Wire(server_->port()).say("GET / HT");
  expect_alive();
}

TEST_F(StudioServer, OpensAndSavesScenesInItsFolderOnly) {
  studio::Folder folder(root_ / "scenes");
  const Result<std::vector<std::string>> all = folder.list();
  ASSERT_TRUE(all.ok());
  EXPECT_NE(std::find(all->begin(), all->end(), "mine.json"), all->end());
  EXPECT_EQ(std::find(all->begin(), all->end(), "notes.txt"), all->end());
  EXPECT_TRUE(folder.read("mine.json").ok());
  for (const char* path : {"../secret.json", "way-out.json", "/etc/passwd", "notes.txt", "",
                           "a/../../secret.json", ".hidden.json", "missing.json"}) {
    EXPECT_FALSE(folder.read(path).ok()) << path;
  }
  EXPECT_TRUE(folder.write("new.json", "{\"tenon\": 1}").ok());
  EXPECT_TRUE(folder.read("new.json").ok());
  for (const char* path :
       {"../new.json", "way-out.json", "notes.txt", "nowhere/new.json", "new.world"})
    EXPECT_FALSE(folder.write(path, "{\"tenon\": 1}").ok()) << path;
  std::ofstream(root_ / "scenes/package.json") << "{\"name\": \"something else\"}";
  EXPECT_FALSE(folder.write("package.json", "{\"tenon\": 1}").ok()) << "no scene, so it stays";
}

TEST_F(StudioServer, ReadsMeshFilesBesideTheirSceneOnly) {
  studio::Folder folder(root_ / "scenes");
  fs::create_directories(root_ / "scenes/sub/meshes");
  std::ofstream(root_ / "scenes/sub/meshes/a.obj") << "v 0 0 0\n";
  std::ofstream(root_ / "scenes/b.stl") << "solid\n";
  std::ofstream(root_ / "outside.obj") << "v 0 0 0\n";
  fs::create_symlink(root_ / "outside.obj", root_ / "scenes/link.obj");
  EXPECT_TRUE(folder.read_mesh("sub/scene.json", "meshes/a.obj").ok());
  EXPECT_TRUE(folder.read_mesh("sub/scene.json", "../b.stl").ok());  // still in the folder
  for (const char* name : {"../outside.obj", "link.obj", "/etc/passwd", "mine.json", "missing.obj",
                           "sub/../../outside.obj", "notes.txt", ""})
    EXPECT_FALSE(folder.read_mesh("scene.json", name).ok()) << name;
}

TEST_F(StudioServer, ReadsOfTheSceneOnTheCommandLineWhatItNamesAndWhatLiesBelowIt) {
  fs::create_directories(root_ / "robot/urdf/parts");
  fs::create_directories(root_ / "robot/meshes");
  for (const char* name : {"robot/meshes/arm.stl", "robot/meshes/other.stl",
                           "robot/urdf/parts/a.obj", "robot/urdf/notes.txt"})
    std::ofstream(root_ / name) << "v 0 0 0\n";
  ASSERT_EQ(mkfifo((root_ / "robot/urdf/pipe.obj").c_str(), 0600), 0);
  const std::string text = R"({"tenon": 1, "bodies": [
    {"name": "arm", "shape": {"type": "mesh", "file": "../meshes/arm.stl"}},
    {"name": "pipe", "shape": {"type": "mesh", "file": "pipe.obj"}},
    {"name": "text", "shape": {"type": "mesh", "file": "notes.txt"}}]})";
  const scene::FileReader read = studio::read_beside(root_ / "robot/urdf/robot.json", text);
  EXPECT_TRUE(read("../meshes/arm.stl").ok());
  EXPECT_TRUE(read("parts/a.obj").ok());
  for (const char* name : {"../meshes/other.stl", "pipe.obj", "notes.txt", "/etc/passwd",
                           "/dev/tty", "parts", "../../secret.json"})
    EXPECT_FALSE(read(name).ok()) << name;
}

TEST_F(StudioServer, KnowsWhichFileOfItsFolderTheSceneOfTheCommandLineIs) {
  const fs::path folder = root_ / "scenes";
  EXPECT_EQ(studio::file_in_folder(folder, (folder / "mine.json").string()), "mine.json");
  EXPECT_EQ(studio::file_in_folder(root_, (folder / "mine.json").string()), "scenes/mine.json");
  EXPECT_EQ(studio::file_in_folder(folder, (root_ / "secret.json").string()), "");
  EXPECT_EQ(studio::file_in_folder(folder, (folder / "way-out.json").string()), "");
  EXPECT_EQ(studio::file_in_folder(folder, (folder / "notes.txt").string()), "");
  EXPECT_EQ(studio::file_in_folder(folder, "gallery:cradle"), "");
}

TEST_F(StudioServer, SavesThroughNoLinkThatLeadsOut) {
  studio::Folder folder(root_ / "scenes");
  const fs::path away = root_ / "away";
  fs::create_symlink(away, root_ / "scenes/mine.json.part");
  fs::create_symlink(away, root_ / "scenes/new.json");
  fs::create_symlink(away, root_ / "scenes/new.obj");
  EXPECT_TRUE(folder.write("mine.json", "{\"tenon\": 1}").ok());
  (void)folder.write("new.json", "{\"tenon\": 1}");
  EXPECT_FALSE(folder.write_mesh("mine.json", "new.obj", "v 0 0 0\n").ok());
  EXPECT_FALSE(fs::exists(away));
  EXPECT_TRUE(folder.write_mesh("mine.json", "other.obj", "v 0 0 0\n").ok());
  EXPECT_FALSE(folder.write_mesh("mine.json", "other.obj", "v 1 0 0\n").ok());
  // nothing half written is left
  for (const fs::directory_entry& one : fs::directory_iterator(root_ / "scenes"))
    EXPECT_FALSE(one.path().filename().string().starts_with(".tenon-")) << one.path();
}

TEST_F(StudioServer, LetsTheOldestFilmGoWhenThereAreMany) {
  const fs::path program = root_ / "tenon";
  std::ofstream(program) << "#!/bin/sh\necho film > film.mp4\n";
  fs::permissions(program, fs::perms::owner_all);
  studio::RenderJobs jobs(program.string());
  const auto idle = [&] {
    for (const Json& job : jobs.list().items)
      if (job.find("state")->string != "done") return false;
    return true;
  };
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(jobs.start(Json::object(), "", {}).ok()) << i;
    for (int k = 0; k < 2000 && !idle(); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_LE(jobs.list().items.size(), 40u);
  EXPECT_FALSE(jobs.read("1/film.mp4").ok());
  EXPECT_TRUE(jobs.read("60/film.mp4").ok());
}

// A program that stands for the command: says how far it is, then what it is told to.
TEST_F(StudioServer, MakesFilmsInTheBackgroundOneAfterTheOther) {
  const fs::path program = root_ / "tenon";
  std::ofstream(program) << "#!/bin/sh\n"
                            "for word in \"$@\"; do case $word in --camera=slow) sleep 60;; "
                            "--camera=bad) echo 'error: no such camera' >&2; exit 1;; esac; done\n"
                            "echo 'frame 1 of 2' >&2; cat project.json > film.mp4\n";
  fs::permissions(program, fs::perms::owner_all);
  studio::RenderJobs jobs(program.string());
  const auto start = [&](const char* camera) {
    const Json request = Json::object().set("kind", "film").set("camera", camera);
    return static_cast<int>(jobs.start(request, "the project", {})->find("job")->number);
  };
  const auto wait_for = [&](int id, const std::string& state) {
    for (int i = 0; i < 2000; ++i) {
      for (const Json& job : jobs.list().items)
        if (job.find("job")->number == id && job.find("state")->string == state) return job;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << id << " is never " << state;
    return Json::object();
  };
  const int good = start("auto"), bad = start("bad"), slow = start("slow"), late = start("auto");
  const Json done = wait_for(good, "done");
  EXPECT_EQ(done.find("done")->number, 1);
  EXPECT_EQ(done.find("of")->number, 2);
  EXPECT_EQ(*jobs.read("1/film.mp4"), "the project");
  EXPECT_NE(wait_for(bad, "failed").find("said")->string.find("no such camera"), std::string::npos);
  wait_for(slow, "running");
  EXPECT_TRUE(jobs.cancel(slow).ok());
  wait_for(slow, "cancelled");
  wait_for(late, "done");
  // only what finished jobs have made is given away
  for (const char* path : {"1/project.json", "2/film.mp4", "../1/film.mp4", "9/film.mp4", ""})
    EXPECT_FALSE(jobs.read(path).ok()) << path;
  EXPECT_FALSE(jobs.cancel(99).ok());
  EXPECT_FALSE(jobs.start(Json::object().set("kind", "opera"), "", {}).ok());
  EXPECT_FALSE(jobs.start(Json::object().set("fps", "fast"), "", {}).ok());
  const scene::SceneFile away{"../x.obj", std::make_shared<const std::string>("v")};
  EXPECT_FALSE(jobs.start(Json::object(), "", {away}).ok());
}

TEST_F(StudioServer, ListensOnThisMachineOnly) {
  // any other address of this machine would have to refuse: 127.0.0.2 is one that always exists
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(server_->port()));
  inet_pton(AF_INET, "127.0.0.2", &to.sin_addr);
  EXPECT_NE(connect(descriptor, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  close(descriptor);
}

}  // namespace
}  // namespace tenon::test
