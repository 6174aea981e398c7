// The tuning records that ship with TileGPT match the shipped kernels and
// models: a record that matches none is out of date.
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "LaunchTuning/CompiledLaunch.h"
#include "SourceFolder.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilegpt;
using runtime::TuningRecord;
using runtime::TuningRecords;

static std::vector<TuningRecords> shippedRecords() {
  return tile::readShippedRecords().value();
}

static PhaseOptions phasesFor(const TuningRecords &records) {
  PhaseOptions phases;
  phases.compileForGpu(records.device.architecture);
  phases.multiprocessors = records.device.lanes;
  return phases;
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
    compiler::LaunchCompiler compiler;
    compiler.phases = phasesFor(records);
    compiler.gpu = &*target::GpuTarget::find(records.device.architecture);
    const auto launches =
        compiler::readLaunches(test::sourceFolder() / "tuning/launches.mlir",
                               compiler.phases)
            .value();
    for (const TuningRecord &record : records.records) {
      const std::string what = "the record of @" + record.kernel + " on " +
                               testing::PrintToString(record.key.operands);
      const TuningRecords alone{records.device, {record}};
      const auto launch =
          llvm::find_if(launches, [&](const compiler::LaunchText &launch) {
            return alone.find(launch.tunable.key) != nullptr;
          });
      if (launch == launches.end()) {
        ADD_FAILURE() << what << " is for a text of digest "
                      << record.key.digest
                      << ", which no launch of tuning/launches.mlir has; "
                         "measure it again (docs/Tuning.md), or take it out";
        continue;
      }
      // Refused if the kernel does not accept the plan.
      const auto compiled = compiler.compile(*launch, &record.choice);
      EXPECT_TRUE(compiled) << what << ": " << compiled.error().what;
    }
  }
}
