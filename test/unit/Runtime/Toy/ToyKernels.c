// Host kernels in the ABI of compiled ones, small enough to check by eye.
// Together the three `toy_` kernels are a model whose logits depend on every
// token before, so a wrong cache, position or slice shows. How many words a
// kernel takes is beside it, as a GPU's image knows it of its parameters.
#include <math.h>
#include <stdint.h>

typedef struct {
  char *data;
  const int64_t *sizes;
  const int64_t *strides;
} View;

static View viewAt(const uint64_t **words, int rank) {
  View view = {(char *)(uintptr_t)(*words)[0], (const int64_t *)*words + 1,
               (const int64_t *)*words + 1 + rank};
  *words += 1 + 2 * rank;
  return view;
}

static float *f32(View view, int64_t element) {
  return (float *)view.data + element;
}
static int32_t i32(View view, int64_t element) {
  return ((const int32_t *)view.data)[element];
}

// k[b, 1, p, 2] = id + 1 for row n of ids; k is [B, H, S, D].
const uint32_t toy_append_words = 15;
int32_t toy_append(const uint64_t *words, const int64_t grid[3], int64_t begin,
                   int64_t end) {
  const View ids = viewAt(&words, 1), pos = viewAt(&words, 1),
             k = viewAt(&words, 4);
  const int64_t tokens = ids.sizes[0] / pos.sizes[0];
  for (int64_t n = begin; n < end; ++n) {
    const int64_t b = n / tokens, p = i32(pos, b) + n % tokens;
    if (p >= k.sizes[2])
      return 1;
    *f32(k, b * k.strides[0] + k.strides[1] + p * k.strides[2] +
                2 * k.strides[3]) = (float)(i32(ids, n) + 1);
  }
  return 0;
}

// x[n] = sum over p' <= p of (p' + 1) * k[b, 1, p', 2].
const uint32_t toy_sum_words = 15;
int32_t toy_sum(const uint64_t *words, const int64_t grid[3], int64_t begin,
                int64_t end) {
  const View pos = viewAt(&words, 1), k = viewAt(&words, 4),
             x = viewAt(&words, 1);
  const int64_t tokens = x.sizes[0] / pos.sizes[0];
  for (int64_t n = begin; n < end; ++n) {
    const int64_t b = n / tokens, p = i32(pos, b) + n % tokens;
    float sum = 0;
    for (int64_t i = 0; i <= p; ++i)
      sum += (float)(i + 1) * *f32(k, b * k.strides[0] + k.strides[1] +
                                          i * k.strides[2] + 2 * k.strides[3]);
    *f32(x, n) = sum;
  }
  return 0;
}

// logits[r, v] = w[v] * (x[last row of r] * (v + 1) mod 17); one block a row.
const uint32_t toy_head_words = 11;
int32_t toy_head(const uint64_t *words, const int64_t grid[3], int64_t begin,
                 int64_t end) {
  const View x = viewAt(&words, 1), w = viewAt(&words, 1),
             logits = viewAt(&words, 2);
  const int64_t tokens = x.sizes[0] / logits.sizes[0];
  for (int64_t r = begin; r < end; ++r)
    for (int64_t v = 0; v < logits.sizes[1]; ++v)
      *f32(logits, r * logits.strides[0] + v) =
          *f32(w, v) *
          fmodf(*f32(x, (r + 1) * tokens - 1) * (float)(v + 1), 17);
  return 0;
}

// The same as bf16, cut off.
const uint32_t toy_head_bf16_words = 11;
int32_t toy_head_bf16(const uint64_t *words, const int64_t grid[3],
                      int64_t begin, int64_t end) {
  const View x = viewAt(&words, 1), w = viewAt(&words, 1),
             logits = viewAt(&words, 2);
  const int64_t tokens = x.sizes[0] / logits.sizes[0];
  for (int64_t r = begin; r < end; ++r)
    for (int64_t v = 0; v < logits.sizes[1]; ++v) {
      const float logit =
          *f32(w, v) *
          fmodf(*f32(x, (r + 1) * tokens - 1) * (float)(v + 1), 17);
      // The upper half of a little-endian word.
      ((uint16_t *)logits.data)[r * logits.strides[0] + v] =
          ((const uint16_t *)&logit)[1];
    }
  return 0;
}

// next[b] = the first greatest logit; with a temperature, token u·V instead.
const uint32_t toy_sample_words = 13;
int32_t toy_sample(const uint64_t *words, const int64_t grid[3], int64_t begin,
                   int64_t end) {
  const View logits = viewAt(&words, 2), how = viewAt(&words, 2),
             next = viewAt(&words, 1);
  for (int64_t b = begin; b < end; ++b) {
    const float *row = f32(logits, b * logits.strides[0]);
    const float *draw = f32(how, b * how.strides[0]);
    int64_t best = 0;
    for (int64_t v = 1; v < logits.sizes[1]; ++v)
      if (row[v] > row[best])
        best = v;
    if (draw[0] != 0)
      best = (int64_t)(draw[4] * (float)logits.sizes[1]);
    if (draw[1] == 13) // unlucky
      return 1;
    ((int32_t *)next.data)[b] = (int32_t)best;
  }
  return 0;
}

// y = x + addend over [rows, columns] with any strides; one block an element, x
// = columns fastest.
int32_t add_scalar(const uint64_t *words, const int64_t grid[3], int64_t begin,
                   int64_t end) {
  const View x = viewAt(&words, 2), y = viewAt(&words, 2);
  const int32_t addend = (int32_t)words[0];
  for (int64_t block = begin; block < end; ++block) {
    const int64_t column = block % grid[0], row = block / grid[0];
    *f32(y, row * y.strides[0] + column * y.strides[1]) =
        *f32(x, row * x.strides[0] + column * x.strides[1]) + (float)addend;
  }
  return 0;
}

// Fails its assert number `which` in the block of that number.
int32_t fail_in_block(const uint64_t *words, const int64_t grid[3],
                      int64_t begin, int64_t end) {
  const int64_t which = (int64_t)words[0];
  return begin <= which && which < end ? (int32_t)(1 + which) : 0;
}

// y = x, both [rows, columns]: what an exchange is for one rank.
const uint32_t toy_copy_words = 10;
int32_t toy_copy(const uint64_t *words, const int64_t grid[3], int64_t begin,
                 int64_t end) {
  const View x = viewAt(&words, 2), y = viewAt(&words, 2);
  for (int64_t r = begin; r < end; ++r)
    for (int64_t c = 0; c < x.sizes[1]; ++c)
      *f32(y, r * y.strides[0] + c) = *f32(x, r * x.strides[0] + c);
  return 0;
}
