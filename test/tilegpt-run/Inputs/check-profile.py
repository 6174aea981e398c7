"""Checks the numbers in a profile of gpt2.mlir with the weights of models/shakespeare.

Usage: check-profile.py PROFILE.json TRACE.json
"""
import json
import sys

profile = json.load(open(sys.argv[1]))
prefill, decode = profile["steps"]
assert prefill["step"] == "prefill:40x1@0" and decode["step"] == "decode:1x1@100"
layers, width, vocab = 6, 256, 2048

for step in (prefill, decode):
    total = sum(kernel["ns"] for kernel in step["kernels"])
    assert abs(total - step["launches_ns"]) <= 1e-6 * total, (total, step["launches_ns"])
    assert all(kernel["bound_ns"] > 0 for kernel in step["kernels"]), step
    assert not any(kernel["is_estimate"] for kernel in step["kernels"]), step
    # On a host, products have no padding beyond the data.
    assert all(kernel["padded_product_ops"] == kernel["wide_product_ops"] for kernel in step["kernels"]), step

attention = next(k for k in decode["kernels"] if k["kernel"].startswith("attention"))
keys = layers * 2 * 101 * width * 4
assert keys <= attention["read_bytes"] <= 1.01 * keys, (keys, attention)

products = sum(k["wide_product_ops"] for k in decode["kernels"] if k["kernel"].startswith("linear"))
expected = 2 * width * (layers * 12 * width + vocab)
assert products == expected, (products, expected)

trace = json.load(open(sys.argv[2]))["traceEvents"]
launches = sum(k["launches"] for step in (prefill, decode) for k in step["kernels"])
assert len(trace) == 3 * launches, (len(trace), launches)
