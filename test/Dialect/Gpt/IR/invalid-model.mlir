// RUN: tilegpt-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{'gpt.model' op requires attribute 'vocab'}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16}

// -----

// expected-error @+1 {{'gpt.model' op expected layers between 1 and 4096, found 0}}
gpt.model @m {layers = 0, heads = 1, width = 8, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected layers between 1 and 4096, found 4097}}
gpt.model @m {layers = 4097, heads = 1, width = 8, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected heads between 1 and 2147483647, found -1}}
gpt.model @m {layers = 1, heads = -1, width = 8, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected width between 1 and 536870911, found 9223372036854775807}}
gpt.model @m {layers = 1, heads = 1, width = 9223372036854775807, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected context between 1 and 2147483647, found 0}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 0, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected vocab between 1 and 2147483647, found 4294967296}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 4294967296}

// -----

// expected-error @+1 {{'gpt.model' op expected inner between 1 and 2147483647, found 0}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, inner = 0}

// -----

// expected-error @+1 {{'gpt.model' op expected width (10) to be divisible by heads (4)}}
gpt.model @m {layers = 1, heads = 4, width = 10, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected eps between 0 and 1, found 0}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, eps = 0.0}

// -----

// expected-error @+1 {{'gpt.model' op expected head_dim between 1 and 134217727, found 0}}
gpt.model @m {layers = 1, heads = 4, width = 10, context = 16, vocab = 32, head_dim = 0}

// -----

// expected-error @+1 {{'gpt.model' op expected kv_heads between 1 and 2147483647, found 0}}
gpt.model @m {layers = 1, heads = 4, width = 8, context = 16, vocab = 32, kv_heads = 0}

// -----

// expected-error @+1 {{'gpt.model' op expected heads (4) to be divisible by kv_heads (3)}}
gpt.model @m {layers = 1, heads = 4, width = 8, context = 16, vocab = 32, kv_heads = 3}

// -----

// expected-error @+1 {{'gpt.model' op expected the setting 'slope' to be an i64, an f64, true or false, a string or a list of one of these, found 1.000000e+00 : f32}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, slope = 1.0 : f32}

// -----

// expected-error @+1 {{'gpt.model' op expected the setting 'mixed' to be an i64, an f64, true or false, a string or a list of one of these, found [1, true]}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, mixed = [1, true]}

// -----

// expected-error @+1 {{'gpt.model' op expected the setting 'none' to be}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, none = []}

// -----

// expected-error @+1 {{'gpt.model' op expected the table weights in braces, found "x"}}
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, weights = "x"}

// -----

// expected-error @+1 {{'gpt.model' op has a body and also takes the one of "gpt2"; remove one of them}}
gpt.model @m like "gpt2" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func private @f()
}

// -----

func.func @f(%e: tensor<?x8xf32>) {
  // expected-error @+1 {{'gpt.layers' op expected to be nested in a gpt.model, which defines how many layers there are}}
  %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
    gpt.yield %x : tensor<?x8xf32>
  }
  return
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>) {
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      // expected-error @+1 {{'gpt.layers' op is not allowed within another gpt.layers}}
      %z = gpt.layers iter(%w = %x) : tensor<?x8xf32> {
        gpt.yield %w : tensor<?x8xf32>
      }
      gpt.yield %z : tensor<?x8xf32>
    }
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.layers' op expected one argument of the body for each of the 1 initial values, of the same type}}
    %y = "gpt.layers"(%e) ({
      ^bb0(%x: tensor<?x9xf32>):
        "gpt.yield"(%e) : (tensor<?x8xf32>) -> ()
    }) : (tensor<?x8xf32>) -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>) {
    // expected-error @+1 {{expected one type for each of the 1 iter values, found 2}}
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32>, tensor<?x8xf32> {
    }
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.layers' op expected the body to end with gpt.yield}}
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      ub.unreachable
    }
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>, %o: tensor<?x9xf32>) {
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      // expected-error @+1 {{'gpt.yield' op expected the types of the iter values ('tensor<?x8xf32>'), found ('tensor<?x9xf32>')}}
      gpt.yield %o : tensor<?x9xf32>
    }
    return
  }
}

// -----

func.func @f(%e: tensor<?x8xf32>) {
  // expected-error @+1 {{'gpt.yield' op expects parent op 'gpt.layers'}}
  gpt.yield %e : tensor<?x8xf32>
}
