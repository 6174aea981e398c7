// Row ranges of plans: the compiler's, and those of tuning records.
#include "TileGPT/Compiler/CompileOptions.h"
#include "Tuning/RecordedRanges.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::compiler;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

CompileOptions prefillOf(int64_t rows) {
  CompileOptions options;
  options.sequences = 1;
  options.needed = {{bundle::PlanKind::Prefill, rows}};
  return options;
}

runtime::TuningRecord rangeRecord(int64_t lastRows) {
  runtime::TuningRecord record;
  record.key = {"ab", {"prefill", "f32"}, 17, lastRows};
  record.choice.isRange = true;
  return record;
}

TEST(PlanRanges, ArePlansWithoutEnds) {
  EXPECT_THAT(plansOf(prefillOf(20), 1024),
              ElementsAre("decode:1-1", "prefill:17-64"));
}

TEST(PlanRanges, CoverAllRowsOfAPlanThatIsCut) {
  EXPECT_THAT(plansOf(prefillOf(20), 1024,
                      {{"prefill", 40}, {"prefill", 20}, {"prefill", 20}}),
              ElementsAre("decode:1-1", "prefill:17-20", "prefill:21-40",
                          "prefill:41-64"));
  EXPECT_THAT(plansOf(prefillOf(20), 1024, {{"prefill", 17}}),
              ElementsAre("decode:1-1", "prefill:17-17", "prefill:18-64"));
}

TEST(PlanRanges, StayWhereAnEndIsOfNoPlan) {
  EXPECT_THAT(
      plansOf(
          prefillOf(20), 1024,
          {{"score", 20}, {"prefill", 16}, {"prefill", 64}, {"prefill", 100}}),
      ElementsAre("decode:1-1", "prefill:17-64"));
}

TEST(PlanRanges, EndWhereRecordsOfTheModelSaySo) {
  PlanOwner owner;
  owner.digest = "ab";
  owner.weights = "f32";
  runtime::TuningRecords records;
  records.records = {rangeRecord(20), rangeRecord(40)};
  const std::vector<runtime::PlanEnd> ends = recordedEnds(records, owner);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].kind, "prefill");
  EXPECT_EQ(ends[0].rows, 20);
  EXPECT_EQ(ends[1].rows, 40);

  // Another model or type of weights, or a record of another kind.
  records.records[1].choice.isRange = false;
  records.records[0].key.operands[1] = "bf16";
  EXPECT_THAT(recordedEnds(records, owner), IsEmpty());
  records.records[0] = rangeRecord(20);
  owner.digest = "cd";
  EXPECT_THAT(recordedEnds(records, owner), IsEmpty());
}

} // namespace
