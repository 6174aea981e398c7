// Records as text, lookup and merging; malformed files give the exact message.
#include "TileGPT/Runtime/Tuning/Records.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

static TuningRecord record(std::string digest, int64_t first, int64_t last,
                           int64_t bm, TuningMeasurement measured = {}) {
  return {"linear",
          {std::move(digest), {"?x768xf32", "f32"}, first, last},
          {{{"BM", bm}, {"BN", 64}}, {}},
          measured,
          "0.1.0"};
}

static TuningRecords file(std::vector<TuningRecord> records) {
  return {{"x86_64", "znver4", 4}, std::move(records)};
}

static std::string problemOf(std::string_view text) {
  const auto parsed = TuningRecords::parse(text, "tuning: 'a.json'");
  return parsed ? "" : parsed.error().message;
}

TEST(Records, AreWrittenALineEachAndSorted) {
  const TuningRecords records =
      file({record("ff", 1, 1, 32),
            record("0a", 17, 64, 16, {9.5, 10.25, 0.975, 80})});
  EXPECT_EQ(
      records.format(),
      "{\"format\": \"tilegpt-tuning\", \"version\": 1,\n"
      " \"device\": {\"arch\": \"x86_64\", \"name\": \"znver4\", \"lanes\": "
      "4},\n"
      " \"records\": [\n"
      "  {\"kernel\": \"linear\", \"digest\": \"0a\", \"operands\": "
      "[\"?x768xf32\", \"f32\"], \"rows\": [17, 64], \"params\": {\"BM\": 16, "
      "\"BN\": 64}, \"measured\": {\"us\": 9.5, \"defaultUs\": 10.25, "
      "\"wins\": "
      "0.975, \"samples\": 80}, \"tool\": \"0.1.0\"},\n"
      "  {\"kernel\": \"linear\", \"digest\": \"ff\", \"operands\": "
      "[\"?x768xf32\", \"f32\"], \"rows\": [1, 1], \"params\": {\"BM\": 32, "
      "\"BN\": 64}, \"measured\": {\"us\": 0, \"defaultUs\": 0, \"wins\": 0, "
      "\"samples\": 0}, \"tool\": \"0.1.0\"}\n"
      " ]}\n");
  const auto again = TuningRecords::parse(records.format(), "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->format(), records.format());
  EXPECT_EQ(again->device, records.device);
}

TEST(Records, AreDescribedInALine) {
  EXPECT_EQ(describe(record("0a", 17, 64, 16, {9.5, 10.25, 0.975, 80}), 0.93),
            "linear                   rows 17-64       9.50 us, default     "
            "10.25 (-7.0 %, wins 98 % of 80)  BM=16 BN=64\n");
}

TEST(Records, MaySayWhetherTwoLaunchesAreFused) {
  TuningRecord one = record("0a", 0, 0, 16);
  one.choice = {{}, {}, false};
  const std::string text = file({one}).format();
  EXPECT_NE(text.find("\"params\": {}, \"fused\": false, \"measured\""),
            std::string::npos)
      << text;
  EXPECT_EQ(describe(one.choice), " apart");
  const auto again = TuningRecords::parse(text, "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->records.front().choice, one.choice);
  std::string wrong = text;
  wrong.replace(wrong.find("false"), 5, "0");
  EXPECT_EQ(problemOf(wrong), "tuning: 'a.json' expected a boolean for "
                              "records[0].fused");
}

TEST(Records, MaySayWhereAPlanEnds) {
  TuningRecord one = record("0a", 0, 17, 20);
  one.choice = {{}, {}, {}, true};
  const std::string text = file({one}).format();
  EXPECT_NE(text.find("\"params\": {}, \"range\": true, \"measured\""),
            std::string::npos)
      << text;
  EXPECT_EQ(describe(one.choice), " range");
  const auto again = TuningRecords::parse(text, "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->records.front().choice, one.choice);
  std::string wrong = text;
  wrong.replace(wrong.find("true"), 4, "\"a\"");
  EXPECT_EQ(problemOf(wrong), "tuning: 'a.json' expected a boolean for "
                              "records[0].range");
}

TEST(Records, MaySayWhatThePlanIs) {
  TuningRecord one = record("0a", 0, 0, 16);
  one.choice.plan = {{"parts", 2}, {"overlap", 0}};
  const std::string text = file({one}).format();
  EXPECT_NE(text.find("\"params\": {\"BM\": 16, \"BN\": 64}, \"plan\": "
                      "{\"overlap\": 0, \"parts\": 2}, \"measured\""),
            text.npos)
      << text;
  const auto again = TuningRecords::parse(text, "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->records[0].choice, one.choice);
  // Without a plan, a line gives the sizes of the data.
  EXPECT_EQ(
      describe(one, 0.9),
      "linear                   ?x768xf32,f32       0.00 us, default      "
      "0.00 (-10.0 %, wins 0 % of 0)  BM=16 BN=64 plan.overlap=0 "
      "plan.parts=2\n");
}

TEST(Records, AreForTheTextTheOperandsAndTheRows) {
  const TuningRecords records = file(
      {record("a", 1, 64, 8), record("a", 17, 64, 16), record("b", 1, 1, 32)});
  const auto bmOf = [&](LaunchKey key) {
    const TuningRecord *found = records.find(key);
    return found ? found->choice.parameters.at("BM") : 0;
  };
  const std::vector<std::string> operands = {"?x768xf32", "f32"};
  EXPECT_EQ(bmOf({"a", operands, 17, 64}), 16); // the narrower of two
  EXPECT_EQ(bmOf({"a", operands, 2, 16}), 8);
  EXPECT_EQ(bmOf({"a", operands, 65, 128}), 0);
  EXPECT_EQ(bmOf({"a", operands, 60, 70}), 0);
  EXPECT_EQ(bmOf({"c", operands, 1, 1}), 0);
  EXPECT_EQ(bmOf({"b", {"?x767xf32", "f32"}, 1, 1}), 0);
}

TEST(Records, MergeKeepsWhatIsBetterKnownThenWhatSavesMore) {
  TuningRecords all = file({record("a", 1, 1, 8, {9, 10, 1, 20}),
                            record("b", 1, 1, 8, {9, 10, 1, 20})});
  ASSERT_TRUE(all.merge(
      file({record("a", 1, 1, 16, {5, 10, 1, 10}),
            record("b", 1, 1, 16, {8, 10, 1, 20}), record("c", 1, 1, 16)})));
  ASSERT_EQ(all.records.size(), 3u);
  EXPECT_EQ(all.records[0].choice.parameters.at("BM"), 8);
  EXPECT_EQ(all.records[1].choice.parameters.at("BM"), 16);
  EXPECT_EQ(all.records[2].key.digest, "c");
}

TEST(Records, MergeDoesNotDependOnTheOrder) {
  const TuningRecords one = file({record("a", 1, 1, 16)});
  const TuningRecords two = file({record("a", 1, 1, 8)});
  TuningRecords forth = one, back = two;
  ASSERT_TRUE(forth.merge(two));
  ASSERT_TRUE(back.merge(one));
  EXPECT_EQ(forth.format(), back.format());
  EXPECT_EQ(forth.records[0].choice.parameters.at("BM"), 8);
}

TEST(Records, DoNotMergeWithThoseOfAnotherDevice) {
  TuningRecords all = file({});
  TuningRecords other = file({});
  other.device.lanes = 1;
  const auto merged = all.merge(other);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().message,
            "tuning: expected records for x86_64 znver4 with 4 lanes, got some "
            "for x86_64 znver4 with 1 lane");
}

TEST(Records, BrokenFilesAreReportedWithTheirPlace) {
  EXPECT_EQ(problemOf("{\"format\":\n  tilegpt"),
            "tuning: 'a.json' is not valid JSON at line 2, column 4");
  EXPECT_EQ(problemOf("[]"), "tuning: 'a.json' expected a string for format");
  EXPECT_EQ(problemOf("{\"format\": \"other\"}"),
            "tuning: 'a.json' expected \"tilegpt-tuning\" for format");
  const std::string head = "{\"format\": \"tilegpt-tuning\", \"version\": ";
  const std::string device =
      "1, \"device\": {\"arch\": \"a\", \"name\": \"b\", \"lanes\": 1}, ";
  EXPECT_EQ(problemOf(head + "2}"), "tuning: 'a.json' expected 1 for version");
  EXPECT_EQ(problemOf(head + "1}"),
            "tuning: 'a.json' expected an object for device");
  EXPECT_EQ(problemOf(head + device + "\"records\": 1}"),
            "tuning: 'a.json' expected an array for records");
  EXPECT_EQ(problemOf(head + device + "\"records\": [{}]}"),
            "tuning: 'a.json' expected a string for records[0].kernel");
  for (const char *rows : {"[2, 1]", "[-1, 1]", "[1]", "[1, \"2\"]"})
    EXPECT_EQ(problemOf(head + device +
                        "\"records\": [{\"kernel\": \"k\", \"digest\": \"d\", "
                        "\"operands\": [], \"rows\": " +
                        rows + "}]}"),
              "tuning: 'a.json' expected the first and the last number, 0 or "
              "more, for records[0].rows");
  EXPECT_EQ(problemOf(head + device +
                      "\"records\": [{\"kernel\": \"k\", \"digest\": \"d\", "
                      "\"operands\": [], \"rows\": [1, 1], \"params\": "
                      "{\"BM\": 0}}]}"),
            "tuning: 'a.json' expected a positive integer for "
            "records[0].params.BM");
  EXPECT_EQ(problemOf(head + device +
                      "\"records\": [{\"kernel\": \"k\", \"digest\": \"d\", "
                      "\"operands\": [], \"rows\": [1, 1], \"params\": {}, "
                      "\"plan\": {\"parts\": \"two\"}}]}"),
            "tuning: 'a.json' expected an integer, 0 or more, for "
            "records[0].plan.parts");
}
