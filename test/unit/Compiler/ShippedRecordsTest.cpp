// The records that come with TileGPT against the texts and the models that come
// with it: one that fits nothing any more was measured on something else.
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "LaunchTuning/LaunchTexts.h"
#include "SourceFolder.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilegpt;
using runtime::LaunchKey;
using runtime::TuningRecord;
using runtime::TuningRecords;

static std::vector<TuningRecords> shippedRecords() {
  return tile::readShippedRecords().value();
}

/// The keys of all launches of a file, as they are compiled for a device.
static std::vector<LaunchKey> keysOf(const std::string &file,
                                     const std::string &architecture,
                                     const std::vector<std::string> &plans) {
  PhaseOptions phases;
  phases.weights = "bf16";
  phases.configure = plans.empty() ? "" : "layers=1";
  phases.plans = plans;
  phases.compileForGpu(architecture);
  const auto launches =
      compiler::readLaunches(test::sourceFolder() / file, phases).value();
  std::vector<LaunchKey> keys;
  for (const compiler::LaunchText &launch : launches)
    keys.push_back(launch.tunable.key);
  return keys;
}

TEST(ShippedRecords, AreAsTuneWritesThem) {
  for (const library::File &file : library::tuning()) {
    const auto records = TuningRecords::parse(file.text, file.name);
    ASSERT_TRUE(records) << records.error().message;
    EXPECT_EQ(records->format(), file.text) << file.name;
  }
}

TEST(ShippedRecords, AreForMeasuredDevices) {
  for (const TuningRecords &records : shippedRecords()) {
    const auto models = target::GpuModel::all();
    EXPECT_TRUE(llvm::any_of(models, [&](const target::GpuModel &model) {
      return model.isMeasured &&
             records.device == runtime::TuningDevice{model.architecture.str(),
                                                     model.name.str(),
                                                     model.multiprocessors};
    })) << records.device.describe();
    EXPECT_EQ(tile::shippedRecordsFor(records.device.describe())->format(),
              records.format());
  }
  EXPECT_EQ(tile::shippedRecordsFor("sm_90a NVIDIA H200 with 66 lanes"),
            nullptr);
}

TEST(ShippedRecords, WereVerified) {
  for (const TuningRecords &records : shippedRecords())
    for (const TuningRecord &record : records.records) {
      EXPECT_GE(record.measured.samples, 20) << record.kernel;
      EXPECT_GE(record.measured.wins, 0.9) << record.kernel;
    }
}

TEST(ShippedRecords, FitTheLibrary) {
  for (const TuningRecords &records : shippedRecords()) {
    const std::string &architecture = records.device.architecture;
    std::vector<LaunchKey> keys =
        keysOf("tuning/launches.mlir", architecture, {});
    for (const TuningRecord &record : records.records) {
      const TuningRecords alone{records.device, {record}};
      EXPECT_TRUE(llvm::any_of(
          keys,
          [&](const LaunchKey &key) { return alone.find(key) != nullptr; }))
          << "the record of @" << record.kernel << " ("
          << testing::PrintToString(record.key.operands)
          << ") is for a text of digest " << record.key.digest
          << ", which no launch of tuning/launches.mlir has; measure it again "
             "(docs/Tuning.md), or take it out";
    }
  }
}
