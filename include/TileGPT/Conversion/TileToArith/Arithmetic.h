// Unsigned arithmetic of indices and 32-bit integers that reads like
// arithmetic; numbers become constants of the other operand's type.
#ifndef TILEGPT_CONVERSION_TILETOARITH_ARITHMETIC_H
#define TILEGPT_CONVERSION_TILETOARITH_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// A value, or a number that takes its type from the other operand.
  class Operand {
  public:
    Operand(mlir::Value value) : value(value) {}
    Operand(int64_t number) : number(number) {}

  private:
    friend class Arithmetic;
    mlir::Value value;
    int64_t number = 0;
  };

  mlir::Value add(mlir::Value a, Operand b) {
    return isNumber(b, 0) ? a : make<mlir::arith::AddIOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, Operand b) {
    return make<mlir::arith::SubIOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, Operand b) {
    return isNumber(b, 1) ? a : make<mlir::arith::MulIOp>(a, b);
  }
  mlir::Value div(mlir::Value a, Operand b) {
    return make<mlir::arith::DivUIOp>(a, b);
  }
  mlir::Value rem(mlir::Value a, Operand b) {
    return make<mlir::arith::RemUIOp>(a, b);
  }
  mlir::Value min(mlir::Value a, Operand b) {
    return make<mlir::arith::MinUIOp>(a, b);
  }
  mlir::Value bitAnd(mlir::Value a, Operand b) {
    return make<mlir::arith::AndIOp>(a, b);
  }
  mlir::Value bitXor(mlir::Value a, Operand b) {
    return isNumber(b, 0) ? a : make<mlir::arith::XOrIOp>(a, b);
  }
  mlir::Value shiftLeft(mlir::Value a, Operand b) {
    return make<mlir::arith::ShLIOp>(a, b);
  }
  mlir::Value shiftRight(mlir::Value a, Operand b) {
    return make<mlir::arith::ShRUIOp>(a, b);
  }
  mlir::Value isEqual(mlir::Value a, Operand b) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::eq, a, get(b, a.getType()));
  }

private:
  static bool isNumber(Operand operand, int64_t number) {
    return !operand.value && operand.number == number;
  }
  mlir::Value get(Operand operand, mlir::Type type) {
    if (operand.value)
      return operand.value;
    return mlir::arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, operand.number));
  }
  template <typename Op>
  mlir::Value make(mlir::Value a, Operand b) {
    return Op::create(builder, loc, a, get(b, a.getType()));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tilegpt::tilegpu

#endif
