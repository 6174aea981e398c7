// Functions of the math dialect. Expected results are correctly rounded decimals; compiled ones may be a few ulps off.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>
!X = tensor<4x!T>
!M = tensor<4xi1>

// CASE @math_absf: 6xT=1,-2,0.5,-0.25,0,3 -> 6xT=1.0,2.0,0.5,0.25,0.0,3.0
tile.kernel @math_absf(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.absf %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_ceil: 6xT=1.5,-1.5,0.25,-0.25,2,-3 -> 6xT=2.0,-1.0,1.0,-0.0,2.0,-3.0
tile.kernel @math_ceil(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.ceil %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_floor: 6xT=1.5,-1.5,0.25,-0.25,2,-3 -> 6xT=1.0,-2.0,0.0,-1.0,2.0,-3.0
tile.kernel @math_floor(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.floor %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_trunc: 6xT=1.5,-1.5,0.25,-0.75,2,-3 -> 6xT=1.0,-1.0,0.0,-0.0,2.0,-3.0
tile.kernel @math_trunc(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.trunc %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_round: 6xT=1.5,-1.5,2.5,0.25,2,-3 -> 6xT=2.0,-2.0,3.0,0.0,2.0,-3.0
tile.kernel @math_round(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.round %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_roundeven: 6xT=1.5,-1.5,2.5,0.25,0.5,-3 -> 6xT=2.0,-2.0,2.0,0.0,0.0,-3.0
// CASE @math_roundeven: 4xT=-0.25,-0.5,inf,-inf -> 4xT=-0.0,-0.0,inf,-inf
tile.kernel @math_roundeven(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.roundeven %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_exp: 6xT=0,1,-1,0.5,2,-4 -> 6xT=1.0,2.718281828459045,0.36787944117144233,1.6487212707001282,7.38905609893065,0.01831563888873418
// CASE @math_exp: 3xT=inf,-inf,nan -> 3xT=inf,0,nan
// CASE @math_exp [f32,bf16,f16]: 3xT=89,100,-110 -> 3xT=inf,inf,0
// CASE @math_exp K=2: 1001xT=random:1:-10:10 -> 1001xT
tile.kernel @math_exp(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.exp %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_exp2: 6xT=0,1,-1,0.5,3,-4 -> 6xT=1.0,2.0,0.5,1.4142135623730951,8.0,0.0625
// CASE @math_exp2: 3xT=inf,-inf,nan -> 3xT=inf,0,nan
// CASE @math_exp2 K=2: 1001xT=random:1:-10:10 -> 1001xT
tile.kernel @math_exp2(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.exp2 %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_expm1: 6xT=0,1,-1,0.5,0.0625,-4 -> 6xT=0.0,1.718281828459045,-0.6321205588285577,0.6487212707001282,0.06449445891785943,-0.9816843611112658
// CASE @math_expm1 K=2: 1001xT=random:1:-4:4 -> 1001xT
tile.kernel @math_expm1(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.expm1 %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_log: 6xT=1,2,0.5,10,4,0.125 -> 6xT=0.0,0.6931471805599453,-0.6931471805599453,2.302585092994046,1.3862943611198906,-2.0794415416798357
// CASE @math_log: 4xT=0,inf,-1,nan -> 4xT=-inf,inf,nan,nan
// CASE @math_log K=2: 1001xT=random:1:0.01:10 -> 1001xT
tile.kernel @math_log(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.log %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_log2: 6xT=1,2,0.5,10,4,0.125 -> 6xT=0.0,1.0,-1.0,3.321928094887362,2.0,-3.0
// CASE @math_log2: 4xT=0,inf,-1,nan -> 4xT=-inf,inf,nan,nan
// CASE @math_log2 K=2: 1001xT=random:1:0.01:10 -> 1001xT
tile.kernel @math_log2(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.log2 %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_log10: 6xT=1,2,0.5,10,100,0.125 -> 6xT=0.0,0.3010299956639812,-0.3010299956639812,1.0,2.0,-0.9030899869919435
// CASE @math_log10 K=2: 1001xT=random:1:0.01:10 -> 1001xT
tile.kernel @math_log10(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.log10 %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_log1p: 6xT=0,1,-0.5,0.0625,3,0.5 -> 6xT=0.0,0.6931471805599453,-0.6931471805599453,0.06062462181643484,1.3862943611198906,0.4054651081081644
// CASE @math_log1p K=2: 1001xT=random:1:-0.9:10 -> 1001xT
tile.kernel @math_log1p(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.log1p %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_sqrt: 6xT=0,1,2,4,0.25,9 -> 6xT=0.0,1.0,1.4142135623730951,2.0,0.5,3.0
// CASE @math_sqrt: 3xT=inf,-1,nan -> 3xT=inf,nan,nan
// CASE @math_sqrt K=2: 1001xT=random:1:0:100 -> 1001xT
tile.kernel @math_sqrt(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.sqrt %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_rsqrt: 6xT=1,2,4,0.25,9,16 -> 6xT=1.0,0.7071067811865475,0.5,2.0,0.3333333333333333,0.25
// CASE @math_rsqrt: 3xT=inf,0,nan -> 3xT=0,inf,nan
// CASE @math_rsqrt K=2: 1001xT=random:1:0.01:100 -> 1001xT
tile.kernel @math_rsqrt(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.rsqrt %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_tanh: 6xT=0,1,-1,0.5,4,-0.125 -> 6xT=0.0,0.7615941559557649,-0.7615941559557649,0.46211715726000974,0.999329299739067,-0.1243530017715962
// CASE @math_tanh: 3xT=inf,-inf,nan -> 3xT=1,-1,nan
// CASE @math_tanh K=2: 1001xT=random:1:-5:5 -> 1001xT
tile.kernel @math_tanh(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.tanh %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_erf: 6xT=0,1,-1,0.5,2,-0.125 -> 6xT=0.0,0.8427007929497149,-0.8427007929497149,0.5204998778130465,0.9953222650189527,-0.1403162048013338
// CASE @math_erf: 3xT=inf,-inf,nan -> 3xT=1,-1,nan
// CASE @math_erf: 2xT=-0.0,0.0 -> 2xT=-0.0,0.0
// CASE @math_erf K=2: 1001xT=random:1:-4:4 -> 1001xT
tile.kernel @math_erf(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.erf %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_sin: 6xT=0,1,-1,0.5,3,-2 -> 6xT=0.0,0.8414709848078965,-0.8414709848078965,0.479425538604203,0.1411200080598672,-0.9092974268256817
// CASE @math_sin K=2: 1001xT=random:1:-6:6 -> 1001xT
tile.kernel @math_sin(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.sin %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_cos: 6xT=0,1,-1,0.5,3,-2 -> 6xT=1.0,0.5403023058681398,0.5403023058681398,0.8775825618903728,-0.9899924966004454,-0.4161468365471424
// CASE @math_cos K=2: 1001xT=random:1:-6:6 -> 1001xT
tile.kernel @math_cos(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.cos %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @math_powf: 6xT=2,2,9,-2,4,1.5 6xT=3,-1,0.5,3,0,2 -> 6xT=8,0.5,3,-8,1,2.25
// CASE @math_powf K=16: 1001xT=random:1:0.1:4 1001xT=random:2:-3:3 -> 1001xT
tile.kernel @math_powf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = math.powf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// Constant exponents are products, quotients and roots.
// CASE @math_powf_constant: 7xT=2,-2,0.0,-0.0,inf,-inf,nan -> 7xT 7xT 7xT 7xT 7xT 7xT
// CASE @math_powf_constant: 1001xT=random:1:-4:4 -> 1001xT 1001xT 1001xT 1001xT 1001xT 1001xT
tile.kernel @math_powf_constant(%a: !V) outs(%square: !V, %cube: !V, %fourth: !V, %inverse: !V, %root: !V, %rsqrt: !V)
    grid [ceildiv(dim(%a, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %c2 = arith.constant dense<2.0> : !X
  %c3 = arith.constant dense<3.0> : !X
  %c4 = arith.constant dense<4> : tensor<4xi32>
  %cn = arith.constant dense<-1.0> : !X
  %half = arith.constant dense<0.5> : !X
  %minus = arith.constant dense<-0.5> : !X
  %1 = math.powf %0, %c2 : !X
  %2 = math.powf %0, %c3 : !X
  %3 = math.fpowi %0, %c4 : !X, tensor<4xi32>
  %4 = math.powf %0, %cn : !X
  %5 = math.powf %0, %half : !X
  %6 = math.powf %0, %minus : !X
  tile.store %1, %square[%i] : !X, !V
  tile.store %2, %cube[%i] : !X, !V
  tile.store %3, %fourth[%i] : !X, !V
  tile.store %4, %inverse[%i] : !X, !V
  tile.store %5, %root[%i] : !X, !V
  tile.store %6, %rsqrt[%i] : !X, !V
}
// CASE @math_atan2: 4xT=1,1,-1,0 4xT=1,-1,-1,2 -> 4xT=0.7853981633974483,2.356194490192345,-2.356194490192345,0.0
// CASE @math_atan2 K=2: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @math_atan2(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = math.atan2 %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @math_copysign: 5xT=1,-2,3,-4,0 5xT=-1,1,2,-2,-1 -> 5xT=-1,2,3,-4,-0.0
tile.kernel @math_copysign(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = math.copysign %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @math_fma: 5xT=1,2,3,-4,0.5 5xT=2,2,2,2,2 5xT=1,-4,0.5,8,0.25 -> 5xT=3,0,6.5,0,1.25
// CASE @math_fma: 1001xT=random:1 1001xT=random:2 1001xT=random:3 -> 1001xT
tile.kernel @math_fma(%a: !V, %b: !V, %c: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = tile.load %c[%i] [4] : !V -> !X
  %3 = math.fma %0, %1, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @math_scalar: T=4 -> 1xT=0.5
tile.kernel @math_scalar(%a: !T) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = math.rsqrt %a : !T
  %1 = tile.splat %0 [1] : !T -> tensor<1x!T>
  tile.store %1, %y[%i] : tensor<1x!T>, !V
}
// CASE @math_tan: 6xT=0.0,1.0,-1.0,0.5,3.0,-2.0 -> 6xT=0.0,1.5574077246549023,-1.5574077246549023,0.5463024898437905,-0.1425465430742778,2.185039863261519
// CASE @math_tan K=2: 1001xT=random:1:-1.4:1.4 -> 1001xT
tile.kernel @math_tan(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.tan %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_asin: 6xT=0.0,1.0,-1.0,0.5,-0.25,0.75 -> 6xT=0.0,1.5707963267948966,-1.5707963267948966,0.5235987755982989,-0.25268025514207865,0.848062078981481
// CASE @math_asin K=2: 1001xT=random:1:-1:1 -> 1001xT
tile.kernel @math_asin(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.asin %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_acos: 6xT=0.0,1.0,-1.0,0.5,-0.25,0.75 -> 6xT=1.5707963267948966,0.0,3.141592653589793,1.0471975511965979,1.8234765819369754,0.7227342478134157
// CASE @math_acos K=2: 1001xT=random:1:-1:1 -> 1001xT
tile.kernel @math_acos(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.acos %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_atan: 6xT=0.0,1.0,-1.0,0.5,4.0,-100.0 -> 6xT=0.0,0.7853981633974483,-0.7853981633974483,0.4636476090008061,1.3258176636680326,-1.5607966601082315
// CASE @math_atan K=2: 1001xT=random:1:-20:20 -> 1001xT
tile.kernel @math_atan(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.atan %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_sinh: 6xT=0.0,1.0,-1.0,0.5,4.0,-0.03125 -> 6xT=0.0,1.1752011936438014,-1.1752011936438014,0.5210953054937474,27.28991719712775,-0.031255086511379294
// CASE @math_sinh K=2: 1001xT=random:1:-8:8 -> 1001xT
tile.kernel @math_sinh(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.sinh %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_cosh: 6xT=0.0,1.0,-1.0,0.5,4.0,-0.03125 -> 6xT=1.0,1.5430806348152437,1.5430806348152437,1.1276259652063807,27.308232836016487,1.0004883209877233
// CASE @math_cosh K=2: 1001xT=random:1:-8:8 -> 1001xT
tile.kernel @math_cosh(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.cosh %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_cbrt: 6xT=0.0,1.0,-8.0,0.125,27.0,-2.0 -> 6xT=0.0,1.0,-2.0,0.5,3.0,-1.2599210498948732
// CASE @math_cbrt K=2: 1001xT=random:1:-100:100 -> 1001xT
tile.kernel @math_cbrt(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = math.cbrt %0 : tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @math_tests: 6xT=1,-0.5,inf,-inf,nan,0 -> 6xi1=0,0,0,0,1,0 6xi1=0,0,1,1,0,0 6xi1=1,1,0,0,0,1
tile.kernel @math_tests(%a: !V) outs(%n: !B, %f: !B, %s: !B) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [6] : !V -> tensor<6x!T>
  %1 = math.isnan %0 : tensor<6x!T>
  %2 = math.isinf %0 : tensor<6x!T>
  %3 = math.isfinite %0 : tensor<6x!T>
  tile.store %1, %n[%i] : tensor<6xi1>, !B
  tile.store %2, %f[%i] : tensor<6xi1>, !B
  tile.store %3, %s[%i] : tensor<6xi1>, !B
}
// CASE @math_fpowi: 6xT=2,-2,3,-1,0,-2 6xi32=3,3,-1,101,0,-2 -> 6xT=8,-8,0.3333333333333333,-1,1,0.25
// CASE @math_fpowi [f32,f64] K=16: 1001xT=random:1:-4:4 1001xi32=random:2:-9:9 -> 1001xT
tile.kernel @math_fpowi(%a: !V, %b: !tile.view<?xi32>) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] pad(nan) : !V -> !X
  %1 = tile.load %b[%i] [4] : !tile.view<?xi32> -> tensor<4xi32>
  %2 = math.fpowi %0, %1 : !X, tensor<4xi32>
  tile.store %2, %y[%i] : !X, !V
}
// CASE @math_erfc: 6xT=0,1,-1,0.5,2,-0.25 -> 6xT=1,0.15729920705028513,1.8427007929497148,0.4795001221869535,0.004677734981047266,1.2763263901682369
// CASE @math_erfc K=2: 1001xT=random:1:-4:8 -> 1001xT
tile.kernel @math_erfc(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.erfc %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
