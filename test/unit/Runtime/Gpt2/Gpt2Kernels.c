// The kernels of GPT-2 by hand, plain loops in f32 in the ABI of compiled
// kernels: with them the runtime can be tested on the demo model where no
// compiler is built. One block is one row, or one head of one sequence. How
// many words a kernel takes is beside it, for the driver that is a fake.
#include <math.h>
#include <stdint.h>

typedef struct {
  float *data;
  const int64_t *sizes;
} View;

// All views here are dense; strides are skipped.
static View viewAt(const uint64_t **words, int rank) {
  const View view = {(float *)(uintptr_t)(*words)[0],
                     (const int64_t *)*words + 1};
  *words += 1 + 2 * rank;
  return view;
}

static int32_t i32(View view, int64_t element) {
  return ((const int32_t *)view.data)[element];
}

static float dot(const float *a, const float *b, int64_t count) {
  float sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

// y[n, :] = wte[ids[n], :] + wpe[position of n, :].
const uint32_t gpt2_embed_words = 21;
int32_t gpt2_embed(const uint64_t *words, const int64_t grid[3], int64_t begin,
                   int64_t end) {
  const View ids = viewAt(&words, 1), pos = viewAt(&words, 1),
             wte = viewAt(&words, 2), wpe = viewAt(&words, 2),
             y = viewAt(&words, 2);
  const int64_t width = y.sizes[1], tokens = ids.sizes[0] / pos.sizes[0];
  for (int64_t n = begin; n < end; ++n) {
    const float *token = wte.data + i32(ids, n) * width;
    const float *position =
        wpe.data + (i32(pos, n / tokens) + n % tokens) * width;
    for (int64_t c = 0; c < width; ++c)
      y.data[n * width + c] = token[c] + position[c];
  }
  return 0;
}

// y[n, :] = (x[n, :] - mean) / sqrt(variance + 1e-5) * gain + bias.
const uint32_t gpt2_layer_norm_words = 16;
int32_t gpt2_layer_norm(const uint64_t *words, const int64_t grid[3],
                        int64_t begin, int64_t end) {
  const View x = viewAt(&words, 2), gain = viewAt(&words, 1),
             bias = viewAt(&words, 1), y = viewAt(&words, 2);
  const int64_t width = x.sizes[1];
  for (int64_t n = begin; n < end; ++n) {
    const float *row = x.data + n * width;
    float mean = 0, variance = 0;
    for (int64_t c = 0; c < width; ++c)
      mean += row[c];
    mean /= (float)width;
    for (int64_t c = 0; c < width; ++c)
      variance += (row[c] - mean) * (row[c] - mean);
    const float scale = 1 / sqrtf(variance / (float)width + 1e-5f);
    for (int64_t c = 0; c < width; ++c)
      y.data[n * width + c] =
          (row[c] - mean) * scale * gain.data[c] + bias.data[c];
  }
  return 0;
}

// y[n, m] = f(x[n, :] · w[m, :] + bias[m]); mode 0: f is the identity, 1: GELU
// (tanh), 2: the result is added to y.
const uint32_t gpt2_linear_words = 19;
int32_t gpt2_linear(const uint64_t *words, const int64_t grid[3], int64_t begin,
                    int64_t end) {
  const View x = viewAt(&words, 2), w = viewAt(&words, 2),
             bias = viewAt(&words, 1), y = viewAt(&words, 2);
  const int64_t mode = (int64_t)words[0], in = x.sizes[1], out = w.sizes[0];
  for (int64_t n = begin; n < end; ++n)
    for (int64_t m = 0; m < out; ++m) {
      const float v = dot(x.data + n * in, w.data + m * in, in) + bias.data[m];
      float *element = y.data + n * out + m;
      if (mode == 1)
        *element =
            0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
      else
        *element = mode == 2 ? *element + v : v;
    }
  return 0;
}

// Appends the keys and values of qkv [N, 3C] to the caches [B, H, S, D], then
// y[n, head] = softmax(q·k / sqrt(D))·v over the cached tokens up to n. One
// block a head of a sequence, heads fastest.
const uint32_t gpt2_attention_words = 31;
int32_t gpt2_attention(const uint64_t *words, const int64_t grid[3],
                       int64_t begin, int64_t end) {
  const View qkv = viewAt(&words, 2), pos = viewAt(&words, 1),
             k = viewAt(&words, 4), v = viewAt(&words, 4),
             y = viewAt(&words, 2);
  const int64_t heads = k.sizes[1], capacity = k.sizes[2], size = k.sizes[3],
                width = heads * size;
  const int64_t tokens = qkv.sizes[0] / pos.sizes[0];
  for (int64_t block = begin; block < end; ++block) {
    const int64_t b = block / heads, head = block % heads;
    float *keys = k.data + block * capacity * size,
          *values = v.data + block * capacity * size;
    for (int64_t t = 0; t < tokens; ++t) {
      const float *row = qkv.data + (b * tokens + t) * 3 * width + head * size;
      const int64_t p = i32(pos, b) + t;
      if (p >= capacity)
        return 1;
      float *result = y.data + (b * tokens + t) * width + head * size;
      for (int64_t d = 0; d < size; ++d) {
        keys[p * size + d] = row[width + d];
        values[p * size + d] = row[2 * width + d];
        result[d] = 0;
      }
      float best = -INFINITY, sum = 0;
      for (int64_t i = 0; i <= p; ++i) {
        const float score =
            dot(row, keys + i * size, size) / sqrtf((float)size);
        const float shrink =
            score > best ? expf(best - score)
                         : 1; // what is summed up so far, against the new best
        best = score > best ? score : best;
        const float weight = expf(score - best);
        sum = sum * shrink + weight;
        for (int64_t d = 0; d < size; ++d)
          result[d] = result[d] * shrink + weight * values[i * size + d];
      }
      for (int64_t d = 0; d < size; ++d)
        result[d] /= sum;
    }
  }
  return 0;
}

// logits[r, :] = x[last row of r, :] · wte; as many results as logits has rows.
const uint32_t gpt2_head_words = 15;
int32_t gpt2_head(const uint64_t *words, const int64_t grid[3], int64_t begin,
                  int64_t end) {
  const View x = viewAt(&words, 2), wte = viewAt(&words, 2),
             logits = viewAt(&words, 2);
  const int64_t width = x.sizes[1], vocabulary = wte.sizes[0],
                tokens = x.sizes[0] / logits.sizes[0];
  for (int64_t r = begin; r < end; ++r)
    for (int64_t id = 0; id < vocabulary; ++id)
      logits.data[r * vocabulary + id] =
          dot(x.data + ((r + 1) * tokens - 1) * width, wte.data + id * width,
              width);
  return 0;
}
