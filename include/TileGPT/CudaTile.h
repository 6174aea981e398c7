/* Compiles tile kernels that take pointers and scalars, and launches them: for
 * C and whatever calls C. A module is compiled from the text or the bytecode of
 * a program; its entries are the kernels whose grid comes from the launch
 * (docs/CudaTile.md). */
#ifndef TILEGPT_CUDATILE_H
#define TILEGPT_CUDATILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tilegpt_cuda_tile_module_s tilegpt_cuda_tile_module_t;
typedef struct tilegpt_cuda_tile_entry_s tilegpt_cuda_tile_entry_t;

/* What a call returns. All but OK come with a message. */
typedef enum {
  TILEGPT_CUDA_TILE_OK = 0,
  TILEGPT_CUDA_TILE_FAILURE = 1, /* does not compile, or an assertion failed */
  TILEGPT_CUDA_TILE_USAGE = 2,   /* an argument that makes no sense */
  TILEGPT_CUDA_TILE_BAD_INPUT = 3, /* a program that cannot be read */
  TILEGPT_CUDA_TILE_DEVICE = 4     /* device, driver or memory */
} tilegpt_cuda_tile_status_t;

/* Set `size` to sizeof(tilegpt_cuda_tile_options_t) and everything else to 0
 * for the defaults: a library that knows more options than the caller takes
 * defaults for them, one that knows fewer refuses. */
typedef struct {
  size_t size;
  /* Folder of compiled code; "off" compiles all of it anew, NULL takes the
   * default (docs/Running.md). */
  const char *cache_folder;
  /* Number of the GPU that launches go to. */
  int32_t device;
  /* Threads of a launch on the CPU; 0 takes every CPU. */
  uint32_t threads;
  /* Nonzero: launches on a GPU compile nothing. Else the first launch whose
   * pointers and integers are multiples of 16 bytes, where no earlier one's
   * were, compiles the entry for such arguments. */
  int32_t general_only;
} tilegpt_cuda_tile_options_t;

typedef enum {
  TILEGPT_CUDA_TILE_POINTER = 0,
  TILEGPT_CUDA_TILE_INTEGER = 1,
  TILEGPT_CUDA_TILE_FLOAT = 2
} tilegpt_cuda_tile_kind_t;

typedef struct {
  tilegpt_cuda_tile_kind_t kind;
  /* Of the parameter: 8 for a pointer, 1 for i1, 2 for f16, … */
  uint32_t bytes;
  /* "f32"; of a pointer, of what it points to. Lives as long as the module. */
  const char *type;
  /* Of a pointer: whether the kernel writes there. */
  int32_t is_written;
} tilegpt_cuda_tile_argument_t;

/* Compiles a program.
 *   bytes, size  text of `tile` or `cuda_tile` ops, or bytecode
 *   target       "cpu", or a GPU such as "sm_90a", which need not be there
 *   options      may be NULL
 *   module       receives the module; NULL on failure
 *   error        may be NULL; receives a message on failure, to be given to
 *                tilegpt_cuda_tile_free_error() */
tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_compile(const void *bytes, size_t size, const char *target,
                          const tilegpt_cuda_tile_options_t *options,
                          tilegpt_cuda_tile_module_t **module, char **error);

/* The entry of this name, or NULL. Lives as long as the module. */
const tilegpt_cuda_tile_entry_t *
tilegpt_cuda_tile_entry(const tilegpt_cuda_tile_module_t *module,
                        const char *name);

/* The number of arguments of an entry; *arguments receives the first one. */
size_t
tilegpt_cuda_tile_arguments(const tilegpt_cuda_tile_entry_t *entry,
                            const tilegpt_cuda_tile_argument_t **arguments);

/* Launches an entry.
 *   grid    blocks along x, y, z
 *   params  where each argument lies, in its natural size, as for
 *           cuLaunchKernel; read before the call returns
 *   stream  a CUstream of the GPU's primary context, or NULL for its default
 *           stream. On a GPU the call does not wait; on the CPU, where stream
 *           is ignored, it returns when all blocks have run. */
tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_launch(const tilegpt_cuda_tile_entry_t *entry,
                         const uint32_t grid[3], void *const *params,
                         void *stream, char **error);

/* Waits for a stream, and says whether an assertion of the entry has failed in
 * a launch since the last such call. On the CPU launches say so themselves. */
tilegpt_cuda_tile_status_t
tilegpt_cuda_tile_wait(const tilegpt_cuda_tile_entry_t *entry, void *stream,
                       char **error);

/* Frees a module, none of whose launches may still run; NULL is fine. */
void tilegpt_cuda_tile_free(tilegpt_cuda_tile_module_t *module);

void tilegpt_cuda_tile_free_error(char *error);

#ifdef __cplusplus
}
#endif

#endif
