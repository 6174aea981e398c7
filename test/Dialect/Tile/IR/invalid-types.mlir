// Every way to misuse a type or attribute of the dialect, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

// expected-error@below {{expected a signless integer, a float or a type variable as element of a view, found 'index'}}
func.func @view_of_indices(%x: !tile.view<4xindex>) { return }

// -----

// expected-error@below {{expected a signless integer, a float or a type variable as element of a view, found 'ui8'}}
func.func @view_of_unsigned(%x: !tile.view<4xui8>) { return }

// -----

// expected-error@below {{expected one stride for each of the 2 axes of the view, found 1}}
func.func @view_strides_count(%x: !tile.view<4x4xf32, strides=[1]>) { return }

// -----

// expected-error@below {{expected a positive stride on axis 0 of the view, found 0}}
func.func @view_stride_zero(%x: !tile.view<4x4xf32, strides=[0, 1]>) { return }

// -----

// expected-error@below {{expected a positive stride on axis 1 of the view, found -1}}
func.func @view_stride_negative(%x: !tile.view<4x4xf32, strides=[4, -1]>) { return }

// -----

// expected-error@below {{view has more elements than 63 bits can address}}
func.func @view_too_large(%x: !tile.view<4294967296x4294967296xi8>) { return }

// -----

// expected-error@below {{expected an element type such as f32, bf16 or i32, found 'fp32'; did you mean 'f32'?}}
func.func @view_of_fp32(%x: !tile.view<4xfp32>) { return }

// -----

// expected-error@below {{expected an element type such as f32, bf16 or i32, found 'real'}}
func.func @view_of_reals(%x: !tile.view<4xreal>) { return }

// -----

// expected-error@below {{expected sizes and an element type, as in !tile.view<?x64xf32>}}
func.func @view_of_any_rank(%x: !tile.view<*xf32>) { return }

// -----

// expected-error@below {{expected 'strides'}}
func.func @view_keyword(%x: !tile.view<4x4xf32, stride=[4, 1]>) { return }

// -----

// expected-error@below {{expected a map of symbols with one result, found affine_map<()[s0] -> (s0, s0)>}}
func.func @expr_results() attributes {e = #tile.expr<()[s0] -> (s0, s0), ["BM"]>} { return }

// -----

// expected-error@below {{expected a map of symbols with one result, found affine_map<(d0) -> (d0)>}}
func.func @expr_dims() attributes {e = #tile.expr<(d0) -> (d0), ["BM"]>} { return }

// -----

// expected-error@below {{expected one source for each of the 1 symbols, found 0}}
func.func @expr_count_of_sources() attributes {e = #tile.expr<()[s0] -> (s0), []>} { return }

// -----

// expected-error@below {{expected a parameter name, [argument] or [argument, axis] as source, found unit}}
func.func @expr_source() attributes {e = #tile.expr<()[s0] -> (s0), [unit]>} { return }

// -----

// expected-error@below {{expected a parameter name, [argument] or [argument, axis] as source, found array<i64: 0, 1, 2>}}
func.func @expr_source_with_three_numbers() attributes {e = #tile.expr<()[s0] -> (s0), [array<i64: 0, 1, 2>]>} { return }

// -----

// expected-error@below {{expected a parameter name, [argument] or [argument, axis] as source, found array<i64: -1>}}
func.func @expr_source_negative() attributes {e = #tile.expr<()[s0] -> (s0), [array<i64: -1>]>} { return }

// -----

// expected-error@below {{expected one of == < <= > >=, found !=}}
func.func @condition_relation() attributes {c = #tile.condition<#tile.expr<() -> (1), []>, "!=", #tile.expr<() -> (1), []>>} { return }

// -----

// expected-error@below {{type parameter "X" expected a float type, found i32}}
func.func @param_type_default() attributes {p = #tile.param<"X", i32, []>} { return }

// -----

// expected-error@below {{type parameter "X" expected a float type, found 4 : i64}}
func.func @param_type_candidate() attributes {p = #tile.param<"X", f32, [4 : i64]>} { return }

// -----

// expected-error@below {{parameter "BM" expected a positive integer, an expression or a type as default, found 0 : i64}}
func.func @param_default() attributes {p = #tile.param<"BM", 0 : i64, []>} { return }

// -----

// expected-error@below {{parameter "BM" expected a positive integer, an expression or a type as default, found 4 : i32}}
func.func @param_default_width() attributes {p = #tile.param<"BM", 4 : i32, []>} { return }

// -----

// expected-error@below {{parameter "BM" expected positive integers as candidates, found -8 : i64}}
func.func @param_candidate() attributes {p = #tile.param<"BM", 4 : i64, [8 : i64, -8 : i64]>} { return }
