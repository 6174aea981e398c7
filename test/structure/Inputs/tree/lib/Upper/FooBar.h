// What FooBar.cpp shares.
