// The C API of compiler::CudaTileModule: handles, codes, messages.
#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/CudaTile.h"
#include <cstdlib>
#include <cstring>
#include <exception>

using namespace tilegpt;
using compiler::CudaTileArgument;
using compiler::CudaTileEntry;
using compiler::CudaTileModule;
using compiler::CudaTileOptions;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

struct tilegpt_cuda_tile_entry_s {
  const CudaTileEntry *entry;
  std::vector<tilegpt_cuda_tile_argument_t> arguments;
};

struct tilegpt_cuda_tile_module_s {
  CudaTileModule module;
  std::vector<tilegpt_cuda_tile_entry_t> entries;
};

static tilegpt_cuda_tile_status_t statusOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::Usage:
    return TILEGPT_CUDA_TILE_USAGE;
  case ErrorCode::BadInput:
    return TILEGPT_CUDA_TILE_BAD_INPUT;
  case ErrorCode::Device:
    return TILEGPT_CUDA_TILE_DEVICE;
  case ErrorCode::Failure:
  case ErrorCode::Mismatch:
  case ErrorCode::OutOfRange:
    return TILEGPT_CUDA_TILE_FAILURE;
  }
  __builtin_unreachable();
}

static tilegpt_cuda_tile_status_t report(const runtime::Error &error,
                                         char **text) {
  if (text)
    *text = strdup(error.message.c_str());
  return statusOf(error.code);
}

/// Runs `work`, which returns a Result<void>, and converts its error to C.
template <typename Work>
static tilegpt_cuda_tile_status_t guarded(char **error, const Work &work) {
  if (error)
    *error = nullptr;
  try {
    if (const Result<void> done = work(); !done)
      return report(done.error(), error);
  } catch (const std::exception &exception) {
    return report({ErrorCode::Device, exception.what()}, error);
  }
  return TILEGPT_CUDA_TILE_OK;
}

static Result<CudaTileOptions>
readOptions(const char *target, const tilegpt_cuda_tile_options_t *given) {
  CudaTileOptions options;
  if (!target)
    return makeError(ErrorCode::Usage,
                     "expected a target, \"cpu\" or a GPU such as \"sm_90a\", "
                     "found NULL");
  options.target = target;
  if (!given)
    return options;
  // The first version ends with `general_only`.
  constexpr size_t first = sizeof(tilegpt_cuda_tile_options_t);
  if (given->size != first)
    return makeError(ErrorCode::Usage, "expected options of ", first,
                     " bytes, found ", given->size,
                     "; set size to sizeof(tilegpt_cuda_tile_options_t) and "
                     "use the header of this library");
  if (given->cache_folder)
    options.cacheFolder = given->cache_folder;
  options.device = given->device;
  options.threads = given->threads;
  options.specialize = given->general_only == 0;
  return options;
}

static tilegpt_cuda_tile_argument_t toC(const CudaTileArgument &argument) {
  constexpr tilegpt_cuda_tile_kind_t kinds[] = {TILEGPT_CUDA_TILE_POINTER,
                                                TILEGPT_CUDA_TILE_INTEGER,
                                                TILEGPT_CUDA_TILE_FLOAT};
  return {kinds[size_t(argument.kind)], argument.bytes, argument.type.c_str(),
          argument.isWritten};
}

tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_compile(const void *bytes, size_t size, const char *target,
                          const tilegpt_cuda_tile_options_t *options,
                          tilegpt_cuda_tile_module_t **module, char **error) {
  return guarded(error, [&]() -> Result<void> {
    if (!module)
      return makeError(ErrorCode::Usage,
                       "expected a place for the module, found NULL");
    *module = nullptr;
    if (!bytes)
      return makeError(ErrorCode::Usage, "expected a program, found NULL");
    auto read = readOptions(target, options);
    if (!read)
      return tl::unexpected(read.error());
    auto compiled = CudaTileModule::compile(
        {static_cast<const std::byte *>(bytes), size}, *read);
    if (!compiled)
      return tl::unexpected(compiled.error());
    auto made = std::make_unique<tilegpt_cuda_tile_module_t>();
    made->module = std::move(*compiled);
    for (const auto &entry : made->module.entries()) {
      auto &handle = made->entries.emplace_back();
      handle.entry = entry.get();
      for (const CudaTileArgument &argument : entry->arguments())
        handle.arguments.push_back(toC(argument));
    }
    *module = made.release();
    return {};
  });
}

const tilegpt_cuda_tile_entry_t *
tilegpt_cuda_tile_entry(const tilegpt_cuda_tile_module_t *module,
                        const char *name) {
  if (!module || !name)
    return nullptr;
  for (const tilegpt_cuda_tile_entry_t &entry : module->entries)
    if (entry.entry->name() == name)
      return &entry;
  return nullptr;
}

size_t
tilegpt_cuda_tile_arguments(const tilegpt_cuda_tile_entry_t *entry,
                            const tilegpt_cuda_tile_argument_t **arguments) {
  if (arguments)
    *arguments = entry ? entry->arguments.data() : nullptr;
  return entry ? entry->arguments.size() : 0;
}

static Result<void> checkLaunch(const tilegpt_cuda_tile_entry_t *entry,
                                const uint32_t grid[3], void *const *params) {
  if (!entry)
    return makeError(ErrorCode::Usage,
                     "expected an entry, found NULL; the module has none of "
                     "that name");
  if (!grid)
    return makeError(ErrorCode::Usage, "expected a grid, found NULL");
  for (size_t i = 0; i < entry->arguments.size(); ++i)
    if (!params || !params[i])
      return makeError(ErrorCode::Usage, "'", entry->entry->name(), "' has ",
                       entry->arguments.size(),
                       " arguments; expected the address of argument ", i,
                       ", found NULL");
  return {};
}

tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_launch(const tilegpt_cuda_tile_entry_t *entry,
                         const uint32_t grid[3], void *const *params,
                         void *stream, char **error) {
  return guarded(error, [&]() -> Result<void> {
    if (auto checked = checkLaunch(entry, grid, params); !checked)
      return checked;
    return entry->entry->launch({grid[0], grid[1], grid[2]}, params, stream);
  });
}

tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_wait(const tilegpt_cuda_tile_entry_t *entry, void *stream,
                       char **error) {
  return guarded(error, [&]() -> Result<void> {
    if (!entry)
      return makeError(ErrorCode::Usage, "expected an entry, found NULL");
    return entry->entry->wait(stream);
  });
}

void tilegpt_cuda_tile_free(tilegpt_cuda_tile_module_t *module) {
  delete module;
}

void tilegpt_cuda_tile_free_error(char *error) { std::free(error); }
