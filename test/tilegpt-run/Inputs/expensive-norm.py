"""Writes a layer norm of 60 exponentials and a linear layer with few blocks, for which repeating the norm in each block looks cheap.

Usage: expensive-norm.py KERNELS FOLDER
"""
import re
import sys

kernels, folder = sys.argv[1:]
with open(f"{kernels}/layer_norm.mlir") as file:
    norm = file.read()
chain = "  %h0 = arith.addf %n, %n : tensor<?x?xf32>\n"
for i in range(60):
    chain += (f"  %q{i} = arith.mulf %h{i}, %h{i} : tensor<?x?xf32>\n"
              f"  %m{i} = arith.negf %q{i} : tensor<?x?xf32>\n"
              f"  %h{i + 1} = math.exp %m{i} : tensor<?x?xf32>\n")
with open(f"{folder}/layer_norm.mlir", "w") as file:
    file.write(norm.replace("  %ng = arith.mulf %n,", chain + "  %ng = arith.mulf %h60,"))
with open(f"{kernels}/decode.mlir") as file:
    decode = file.read()
with open(f"{folder}/decode.mlir", "w") as file:
    file.write(re.sub(r"BN = 16 in \[[^]]*\]", "BN = 64 in [64]", decode))
