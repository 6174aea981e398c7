// Programs of raw kernels through the C API: compilation, execution on the CPU,
// and errors for misuse.
#include "TileGPT/CudaTile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <string>

namespace {

using testing::HasSubstr;

constexpr char program[] = R"(
  tile.kernel @scale(%s: f32, %y: !tile.ptr<f32>, %n: i16) grid launch {
    %m = tile.block_id 0
    %size = arith.index_cast %n : i16 to index
    %v = tile.view_at %y sizes [%size] : !tile.ptr<f32> -> !tile.view<?xf32>
    %0 = tile.load %v[%m] [4] : !tile.view<?xf32> -> tensor<4xf32>
    %f = tile.splat %s [4] : f32 -> tensor<4xf32>
    %1 = arith.mulf %0, %f : tensor<4xf32>
    tile.store %1, %v[%m] : tensor<4xf32>, !tile.view<?xf32>
  }
  tile.kernel @checks(%p: !tile.ptr<i8>, %n: i64, %c: i1) grid launch {
    tile.assert %c, "a flag that is set" : i1
  }
)";

/// Returns the error message of a call and frees it.
std::string take(char *error) {
  std::string text = error ? error : "";
  tilegpt_cuda_tile_free_error(error);
  return text;
}

struct Module {
  explicit Module(const std::string &text, const char *target = "cpu",
                  const tilegpt_cuda_tile_options_t *options = nullptr) {
    char *message;
    status = tilegpt_cuda_tile_compile(text.data(), text.size(), target,
                                       options, &handle, &message);
    error = take(message);
  }
  ~Module() { tilegpt_cuda_tile_free(handle); }
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  tilegpt_cuda_tile_module_t *handle = nullptr;
  tilegpt_cuda_tile_status_t status;
  std::string error;
};

TEST(CudaTileModule, DescribesArguments) {
  Module module(program);
  ASSERT_EQ(module.status, TILEGPT_CUDA_TILE_OK) << module.error;
  const auto *scale = tilegpt_cuda_tile_entry(module.handle, "scale"),
             *checks = tilegpt_cuda_tile_entry(module.handle, "checks");
  const tilegpt_cuda_tile_argument_t *of;
  ASSERT_EQ(tilegpt_cuda_tile_arguments(scale, &of), 3u);
  EXPECT_EQ(of[0].kind, TILEGPT_CUDA_TILE_FLOAT);
  EXPECT_EQ(of[0].bytes, 4u);
  EXPECT_STREQ(of[0].type, "f32");
  EXPECT_EQ(of[1].kind, TILEGPT_CUDA_TILE_POINTER);
  EXPECT_EQ(of[1].bytes, 8u);
  EXPECT_TRUE(of[1].is_written);
  EXPECT_EQ(of[2].kind, TILEGPT_CUDA_TILE_INTEGER);
  EXPECT_EQ(of[2].bytes, 2u);
  ASSERT_EQ(tilegpt_cuda_tile_arguments(checks, &of), 3u);
  EXPECT_FALSE(of[0].is_written);
  EXPECT_EQ(of[1].bytes, 8u);
  EXPECT_EQ(of[2].bytes, 1u);
  EXPECT_EQ(tilegpt_cuda_tile_entry(module.handle, "other"), nullptr);
}

TEST(CudaTileModule, LaunchesOnTheCpu) {
  tilegpt_cuda_tile_options_t options = {};
  options.size = sizeof(options);
  options.threads = 2;
  options.cache_folder = "off";
  Module module(program, "cpu", &options);
  ASSERT_EQ(module.status, TILEGPT_CUDA_TILE_OK) << module.error;
  float factor = 3, values[6] = {1, 2, 3, 4, 5, 6};
  void *memory = values;
  int16_t n = 5;
  void *params[] = {&factor, &memory, &n};
  const uint32_t grid[3] = {2, 1, 1};
  char *error;
  const auto *scale = tilegpt_cuda_tile_entry(module.handle, "scale");
  ASSERT_EQ(tilegpt_cuda_tile_launch(scale, grid, params, nullptr, &error),
            TILEGPT_CUDA_TILE_OK)
      << error;
  EXPECT_THAT(values, testing::ElementsAre(3, 6, 9, 12, 15, 6));
  EXPECT_EQ(tilegpt_cuda_tile_wait(scale, nullptr, &error),
            TILEGPT_CUDA_TILE_OK);
}

/// Front ends emit CUDA Tile IR; its entries become raw kernels.
TEST(CudaTileModule, CompilesCudaTile) {
  Module module(R"(
    cuda_tile.module @m {
      entry @negate(%x: tile<ptr<f32>>, %n: tile<i32>) {
        %v = make_tensor_view %x, shape = [%n], strides = [1]
            : tile<i32> -> tensor_view<?xf32, strides=[1]>
        %p = make_partition_view %v : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
        %i, %j, %k = get_tile_block_id : tile<i32>
        %0, %t0 = load_view_tko weak %p[%i]
            : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
        %1 = negf %0 : tile<4xf32>
        %t1 = store_view_tko weak %1, %p[%i]
            : tile<4xf32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      }
    })");
  ASSERT_EQ(module.status, TILEGPT_CUDA_TILE_OK) << module.error;
  float values[6] = {1, 2, 3, 4, 5, 6};
  void *memory = values;
  int32_t n = 5;
  void *params[] = {&memory, &n};
  const uint32_t grid[3] = {2, 1, 1};
  char *error;
  const auto *negate = tilegpt_cuda_tile_entry(module.handle, "negate");
  ASSERT_EQ(tilegpt_cuda_tile_launch(negate, grid, params, nullptr, &error),
            TILEGPT_CUDA_TILE_OK)
      << error;
  EXPECT_THAT(values, testing::ElementsAre(-1, -2, -3, -4, -5, 6));
}

TEST(CudaTileModule, NamesAFailedAssertion) {
  Module module(program);
  const auto *checks = tilegpt_cuda_tile_entry(module.handle, "checks");
  void *memory = nullptr;
  int64_t n = 0;
  bool flag = false;
  void *params[] = {&memory, &n, &flag};
  const uint32_t one[3] = {1, 1, 1}, none[3] = {0, 1, 1};
  char *error;
  EXPECT_EQ(tilegpt_cuda_tile_launch(checks, one, params, nullptr, &error),
            TILEGPT_CUDA_TILE_FAILURE);
  EXPECT_EQ(take(error), "'checks' failed: a flag that is set");
  EXPECT_EQ(tilegpt_cuda_tile_launch(checks, none, params, nullptr, &error),
            TILEGPT_CUDA_TILE_OK);
  flag = true;
  EXPECT_EQ(tilegpt_cuda_tile_launch(checks, one, params, nullptr, nullptr),
            TILEGPT_CUDA_TILE_OK);
}

TEST(CudaTileModule, RefusesWrongLaunches) {
  Module module(program);
  const auto *checks = tilegpt_cuda_tile_entry(module.handle, "checks");
  const uint32_t grid[3] = {1, 1, 1};
  void *params[] = {nullptr, nullptr, nullptr};
  char *error;
  EXPECT_EQ(tilegpt_cuda_tile_launch(nullptr, grid, params, nullptr, &error),
            TILEGPT_CUDA_TILE_USAGE);
  EXPECT_EQ(take(error),
            "expected an entry, found NULL; the module has none of that name");
  EXPECT_EQ(tilegpt_cuda_tile_launch(checks, nullptr, params, nullptr, &error),
            TILEGPT_CUDA_TILE_USAGE);
  EXPECT_EQ(take(error), "expected a grid, found NULL");
  EXPECT_EQ(tilegpt_cuda_tile_launch(checks, grid, params, nullptr, &error),
            TILEGPT_CUDA_TILE_USAGE);
  EXPECT_EQ(take(error), "'checks' has 3 arguments; expected the address of "
                         "argument 0, found NULL");
}

TEST(CudaTileModule, SaysWhatDoesNotCompile) {
  EXPECT_EQ(Module("tile.kernel").status, TILEGPT_CUDA_TILE_BAD_INPUT);
  EXPECT_THAT(Module("tile.kernel").error, HasSubstr("program:1:"));
  Module none("module {}");
  EXPECT_EQ(none.status, TILEGPT_CUDA_TILE_BAD_INPUT);
  EXPECT_EQ(none.error,
            "program: expected a kernel with 'grid launch', found none");
  Module unknown(program, "sm_1");
  EXPECT_EQ(unknown.status, TILEGPT_CUDA_TILE_USAGE);
  EXPECT_THAT(unknown.error, HasSubstr("sm_1"));
  EXPECT_EQ(Module(program, nullptr).status, TILEGPT_CUDA_TILE_USAGE);
  tilegpt_cuda_tile_options_t options = {};
  Module version(program, "cpu", &options);
  EXPECT_EQ(version.status, TILEGPT_CUDA_TILE_USAGE);
  EXPECT_THAT(version.error, HasSubstr("found 0; set size to"));
}

TEST(CudaTileModule, CompilesForAGpuThatIsNotThere) {
  Module module(program, "sm_90a");
  EXPECT_EQ(module.status, TILEGPT_CUDA_TILE_OK) << module.error;
}

} // namespace
