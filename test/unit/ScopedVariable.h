// Environment variables that a test sets temporarily.
#ifndef TILEGPT_TEST_SCOPEDVARIABLE_H
#define TILEGPT_TEST_SCOPEDVARIABLE_H

#include <cstdlib>
#include <optional>
#include <string>

namespace tilegpt::test {

/// Sets a variable, or unsets it if null, for the lifetime of this object.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name(name) {
    if (const char *found = ::getenv(name))
      before = found;
    set(value);
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;
  ~ScopedVariable() { set(before ? before->c_str() : nullptr); }

private:
  void set(const char *value) {
    if (value)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }

  const char *name;
  std::optional<std::string> before;
};

} // namespace tilegpt::test

#endif // TILEGPT_TEST_SCOPEDVARIABLE_H
