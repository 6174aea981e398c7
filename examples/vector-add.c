/* Compiles a tile kernel and adds two vectors with it, on the CPU:
 *   vector-add            prints the sum of 0, 1, 2, … and 100, 100, 100, …
 * With a GPU, pass its architecture as target and addresses of its memory. */
#include "TileGPT/CudaTile.h"
#include <stdio.h>
#include <string.h>

static const char program[] =
    "!P = !tile.ptr<f32>\n"
    "!V = !tile.view<?xf32>\n"
    "tile.kernel @add(%a: !P, %b: !P, %y: !P, %n: i32) grid launch {\n"
    "  %m = tile.block_id 0\n"
    "  %size = arith.index_cast %n : i32 to index\n"
    "  %av = tile.view_at %a sizes [%size] : !P -> !V\n"
    "  %bv = tile.view_at %b sizes [%size] : !P -> !V\n"
    "  %yv = tile.view_at %y sizes [%size] : !P -> !V\n"
    "  %0 = tile.load %av[%m] [256] : !V -> tensor<256xf32>\n"
    "  %1 = tile.load %bv[%m] [256] : !V -> tensor<256xf32>\n"
    "  %2 = arith.addf %0, %1 : tensor<256xf32>\n"
    "  tile.store %2, %yv[%m] : tensor<256xf32>, !V\n"
    "}\n";

enum { count = 1000, tile = 256 };

static int fail(char *error) {
  fprintf(stderr, "vector-add: error: %s\n", error);
  tilegpt_cuda_tile_free_error(error);
  return 1;
}

int main(void) {
  static float a[count], b[count], sum[count];
  for (int i = 0; i < count; ++i) {
    a[i] = (float)i;
    b[i] = 100;
  }

  tilegpt_cuda_tile_module_t *module;
  char *error;
  if (tilegpt_cuda_tile_compile(program, strlen(program), "cpu", NULL, &module,
                                &error))
    return fail(error);

  const tilegpt_cuda_tile_entry_t *add = tilegpt_cuda_tile_entry(module, "add");
  const tilegpt_cuda_tile_argument_t *arguments;
  size_t number = tilegpt_cuda_tile_arguments(add, &arguments);
  for (size_t i = 0; i < number; ++i)
    printf("argument %zu: %s%s, %u bytes%s\n", i,
           arguments[i].kind == TILEGPT_CUDA_TILE_POINTER ? "pointer to " : "",
           arguments[i].type, (unsigned)arguments[i].bytes,
           arguments[i].is_written ? ", written" : "");

  /* Pointers and scalars, each where it lies and in its own size. */
  void *pa = a, *pb = b, *psum = sum;
  int32_t n = count;
  void *params[] = {&pa, &pb, &psum, &n};
  const uint32_t grid[3] = {(count + tile - 1) / tile, 1, 1};
  if (tilegpt_cuda_tile_launch(add, grid, params, NULL, &error))
    return fail(error);
  tilegpt_cuda_tile_free(module);

  printf("%g %g … %g\n", sum[0], sum[1], sum[count - 1]);
  return 0;
}
