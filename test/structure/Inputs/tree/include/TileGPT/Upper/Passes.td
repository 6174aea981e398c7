def FooBar : Pass<"tile-foo-bar"> {}
