// Documents keep order and values; everything forbidden by the format or by us
// has its own message.
#include "TileGPT/Runtime/Data/Json.h"
#include "../TemporaryFolder.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

TEST(Json, KeepsValuesAndTheirOrder) {
  const auto document = JsonDocument::parse(
      R"({"z": [1, -2, 2.5, "a\u00e9"], "a": {"b": true, "c": null}, "": 18446744073709551615})",
      "test");
  ASSERT_TRUE(document) << document.error().message;
  const JsonValue root = document->root();
  EXPECT_TRUE(root.is(JsonKind::Object));
  EXPECT_EQ(root.size(), 3u);
  std::string keys;
  for (JsonValue member : root)
    keys += std::string(member.key()) + ";";
  EXPECT_EQ(keys, "z;a;;");

  const JsonValue list = *root.find("z");
  ASSERT_EQ(list.size(), 4u);
  auto element = list.begin();
  EXPECT_EQ((*element).integer(), 1);
  EXPECT_EQ((*++element).integer(), -2);
  EXPECT_EQ((*++element).number(), 2.5);
  EXPECT_EQ((*++element).string(), "aé");
  EXPECT_TRUE(++element == list.end());

  const JsonValue object = *root.find("a");
  EXPECT_TRUE(object.find("b")->boolean());
  EXPECT_TRUE(object.find("c")->is(JsonKind::Null));
  EXPECT_FALSE(object.find("z"));
  EXPECT_TRUE(root.find("")->is(JsonKind::Number));
}

TEST(Json, ValuesOutliveAMoveOfTheDocumentIntoPlace) {
  auto moved = [] { return JsonDocument::parse(R"(["x"])", "test").value(); }();
  EXPECT_EQ((*moved.root().begin()).string(), "x");
}

TEST(Json, RefusesBadText) {
  const std::string deep(65, '[');
  const std::pair<std::string, std::string> cases[] = {
      {"", "f ends too early, at line 1, column 1"},
      {"{", "f ends too early, at line 1, column 1"},
      {"{\n\"a\": tru}", "f is not valid JSON at line 2, column 9"},
      {"[1,]", "f is not valid JSON at line 1, column 4"},
      {"[NaN]", "f is not valid JSON at line 1, column 2"},
      {"1 2", "f is not valid JSON at line 1, column 3"},
      {"[1e999]", "f is not valid JSON at line 1, column 6"},
      {"\"\\ud800\"", "f is not valid JSON at line 1, column 8"},
      {"\"\xff\"", "f is not UTF-8 at byte 1"},
      {R"({"a": 1, "b": 2, "a": 3})", "f has the key 'a' twice"},
      {R"([{"x": {"\u0061": 1, "a": 2}}])", "f has the key 'a' twice"},
      {deep, "f is nested deeper than 64 levels"},
  };
  for (const auto &[text, message] : cases) {
    const auto document = JsonDocument::parse(text, "f");
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().message, message);
    EXPECT_EQ(document.error().code, ErrorCode::BadInput);
  }
}

TEST(Json, ReadsFiles) {
  const TemporaryFolder folder;
  const auto path = folder.write("x.json", "[7]");
  EXPECT_EQ((*JsonDocument::read(path, "config")->root().begin()).integer(), 7);
  const auto missing = JsonDocument::read(folder.path / "y.json", "config");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "config: cannot open '" +
                                         (folder.path / "y.json").string() +
                                         "': No such file or directory");
}
