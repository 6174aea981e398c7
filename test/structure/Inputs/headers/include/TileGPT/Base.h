#include <llvm/Text.h>

llvm::Text show(int number);
