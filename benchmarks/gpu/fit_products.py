#!/usr/bin/env python3
"""Fits the rates of a device (lib/Target/NVVM/GpuModels.inc) to measured times of products. Needs NumPy and SciPy, no GPU.

    fit_products.py data/products_h200.csv [--multiprocessors 132]

A line of the file is the time, in µs, of one product in one tile, launches one behind the other without overlap. The formula is
that of ProductCost.cpp; change both together. Prints the rates and how much slower the tiles they choose are than the best.
"""

import argparse
import csv
import math

import numpy as np
from scipy.optimize import least_squares

CYCLES_PER_US = 1755.0                         # under load
SLOTS = {2: 130, 3: 114, 4: 116, 5: 110, 6: 96, 7: 98, 8: 112}   # blocks of clusters that run at a time
# name: first guess, least, most
RATES = {"copyCycles 16": (2.0, 1, 5), "copyCycles 32": (1.3, 1, 5), "copyCycles 64": (1.2, 1, 5), "copyCycles 128": (1.1, 1, 5),
         "sharedCopyCycles 16": (4.1, .5, 8), "sharedCopyCycles 32": (2.9, .5, 8), "sharedCopyCycles 64": (2.8, .5, 8),
         "sharedCopyCycles 128": (2.3, .5, 8), "pairWaitCycles": (30, 0, 400), "singleWaitCycles": (20, 0, 400),
         "launchCycles": (4900, 500, 8000), "storedPerCycle": (15, 4, 200), "memoryBytesPerCycle": (2280, 1000, 4000),
         "exchangedPerCycle": (3, 1, 60), "sharedSumsPerCycle": (27, 15, 40)}
SUMS_PER_CYCLE, L2_BYTES, BAND_ROWS = 32, 60 << 20, 8


def read(path):
    with open(path) as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return rows, {key: np.array([row[key] for row in rows]) for key in rows[0]}


def together(*cycles):
    return sum(each ** 4 for each in cycles) ** .25


def predict(values, data, multiprocessors):
    """µs of every line."""
    rate = dict(zip(RATES, values))
    alignment = np.gcd((data["k"] * 2).astype(int), 128)
    copy, shared = (np.select([alignment == a for a in (16, 32, 64, 128)], [rate[f"{name} {a}"] for a in (16, 32, 64, 128)])
                    for name in ("copyCycles", "sharedCopyCycles"))
    rows, columns = data["tile_rows"], data["tile_columns"] * data["parts"]
    grid_rows, grid_columns = np.ceil(data["m"] / rows), np.ceil(data["n"] / data["tile_columns"])
    blocks, depth = grid_rows * grid_columns, np.ceil(data["k"] / 64)
    slots = np.array([SLOTS.get(int(parts), multiprocessors) for parts in data["parts"]])
    turns = (rows == 128) & (columns >= 128) & (columns <= 200) & (blocks > multiprocessors)
    wait = np.where(turns, 0, np.where(rows > 64, rate["pairWaitCycles"], rate["singleWaitCycles"]))
    sums = np.maximum(rows, 64) * columns

    def step(active):
        busy = active / multiprocessors
        return wait + together(np.maximum(sums / SUMS_PER_CYCLE, sums / rate["sharedSumsPerCycle"] * busy),
                               copy * (rows + columns), shared * (rows + columns) * busy)

    waves = np.ceil(blocks / slots)
    main = np.ceil(depth / data["parts"]) * ((waves - 1) * step(slots) + step(blocks - (waves - 1) * slots))
    left, right = data["m"] * data["k"] * 2, data["n"] * data["k"] * 2
    bands = np.where(right > L2_BYTES / 2, np.ceil(grid_rows / BAND_ROWS), 1)
    memory = (left + right * bands) / rate["memoryBytesPerCycle"]
    store = np.where(turns, 1, waves) * rows * data["tile_columns"] / rate["storedPerCycle"]
    exchange = (data["parts"] - 1) * rows * data["tile_columns"] / rate["exchangedPerCycle"]
    return (rate["launchCycles"] + together(main, memory) + store + exchange) / CYCLES_PER_US


def regrets(rows, predicted):
    """Of every product, the time of the tile with the least estimate ÷ that of the fastest tile."""
    products = {}
    for row, estimate in zip(rows, predicted):
        products.setdefault((row["m"], row["n"], row["k"]), []).append((estimate, row["us"]))
    return [min(tiles)[1] / min(us for _, us in tiles) for tiles in products.values() if len(tiles) > 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times")
    parser.add_argument("--multiprocessors", type=int, default=132)
    options = parser.parse_args()
    rows, data = read(options.times)
    weight = np.sqrt(data["weight"])

    def residuals(values):
        return np.log(predict(values, data, options.multiprocessors) / data["us"]) * weight
    first, least, most = zip(*RATES.values())
    fit = least_squares(residuals, first, bounds=(least, most), loss="soft_l1", f_scale=.07)
    for name, value in zip(RATES, fit.x):
        print(f"{name:22} {value:.4g}")
    error = residuals(fit.x) / weight
    regret = regrets(rows, predict(fit.x, data, options.multiprocessors))
    print(f"{len(rows)} times, right to {np.sqrt((error ** 2).mean()):.1%} (root mean square); of {len(regret)} products the tile chosen "
          f"is {math.exp(np.mean(np.log(regret))) - 1:.1%} slower than the best on average, 95 % of them at most "
          f"{sorted(regret)[int(.95 * len(regret))] - 1:.0%}")


if __name__ == "__main__":
    main()
