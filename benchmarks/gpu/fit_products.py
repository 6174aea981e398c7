#!/usr/bin/env python3
"""Fits the rates of a device (lib/Target/NVVM/GpuModels.inc) to measured times of products. Needs NumPy and SciPy, no GPU.

    fit_products.py data/products_h200.csv data/multicast_h200.csv data/random_h200.csv [--multiprocessors 132]

A line of a file is the time, in µs, of one product in one tile, launches one behind the other without overlap; `shifted` says
whether the last tiles end with the data (--tile-gpu-shift-tiles) instead of sticking out. The formula is that of
ProductCost.cpp; change both together. Prints the rates and how much slower the tiles they choose are than the best.
"""

import argparse
import csv
import math

import numpy as np
from scipy.optimize import least_squares

CYCLES_PER_US = 1755.0                         # under load
SLOTS = {2: 130, 3: 114, 4: 116, 5: 110, 6: 96, 7: 98, 8: 112}   # blocks of clusters that run at a time
SQUARE_SLOTS = 120                             # blocks of squares, clusters of four, that run at a time
ALIGNMENTS = (16, 32, 64, 128)
# name: first guess, least, most
RATES = {"copyCycles 16": (2.0, 1, 5), "copyCycles 32": (1.3, 1, 5), "copyCycles 64": (1.2, 1, 5), "copyCycles 128": (1.1, 1, 5),
         "sharedCopyCycles 16": (4.1, .5, 8), "sharedCopyCycles 32": (2.9, .5, 8), "sharedCopyCycles 64": (2.8, .5, 8),
         "sharedCopyCycles 128": (2.3, .5, 8), "outsideCopyCycles": (8, 0, 20), "pairWaitCycles": (30, 0, 400),
         "singleWaitCycles": (20, 0, 400), "launchCycles": (4900, 500, 8000), "storedPerCycle": (15, 4, 200),
         "memoryBytesPerCycle": (2280, 1000, 4000), "resultBytesPerCycle": (2000, 500, 4000), "exchangedPerCycle": (3, 1, 60),
         "sharedSumsPerCycle": (27, 15, 40), "multicastWaitCycles": (20, 0, 200), "multicastCycles": (700, 0, 4000)}
SUMS_PER_CYCLE, L2_BYTES, BAND_ROWS = 32, 60 << 20, 8
DEFAULTS = {"parts": "1", "multicast": "none", "weight": "1", "shifted": "0"}
MULTICASTS = {"none": 0, "left": 1, "right": 2, "both": 3}


def read(paths):
    rows = []
    for path in paths:
        with open(path) as file:
            for row in csv.DictReader(file):
                row = DEFAULTS | row
                row["multicast"] = MULTICASTS[row["multicast"]]
                rows.append({key: float(value) for key, value in row.items()})
    return rows, {key: np.array([row[key] for row in rows]) for key in rows[0]}


def together(*cycles):
    return sum(each ** 4 for each in cycles) ** .25


def predict(values, data, multiprocessors):
    """µs of every line."""
    rate = dict(zip(RATES, values))
    alignment = np.gcd((data["k"] * 2).astype(int), 128)
    copy, shared = (np.select([alignment == a for a in ALIGNMENTS], [rate[f"{name} {a}"] for a in ALIGNMENTS])
                    for name in ("copyCycles", "sharedCopyCycles"))
    # Rows that no warp groups share out: the result is made transposed.
    turned = (data["tile_rows"] > 64) & (data["tile_rows"] % 128 != 0)
    rows, width = (np.where(turned, data[b], data[a]) for a, b in (("tile_rows", "tile_columns"), ("tile_columns", "tile_rows")))
    m, n = (np.where(turned, data[b], data[a]) for a, b in (("m", "n"), ("n", "m")))
    parts, left, right = data["parts"], np.isin(data["multicast"], (1, 3)), np.isin(data["multicast"], (2, 3))
    columns = width * parts
    grid_rows, grid_columns = np.ceil(m / rows), np.ceil(n / width)
    blocks, depth = grid_rows * grid_columns, np.ceil(data["k"] / 64)
    working = np.ceil(grid_rows / (1 + right)) * (1 + right) * np.ceil(grid_columns / (1 + left)) * (1 + left)
    slots = np.array([SLOTS.get(int(each), multiprocessors) for each in parts])
    slots = np.where(left ^ right, np.minimum(slots, np.ceil(blocks / 2) * 2), slots)
    slots = np.where(left & right, np.minimum(SQUARE_SLOTS, np.ceil(blocks / 4) * 4), slots)
    turns = (rows == 128) & (width >= 128) & (width <= 200) & (blocks > multiprocessors) & (parts == 1)
    wait = np.where(turns, 0, np.where(rows > 64, rate["pairWaitCycles"], rate["singleWaitCycles"])) \
        + (left | right) * rate["multicastWaitCycles"]
    sums = np.maximum(rows, 64) * columns
    asked = rows / (1 + left) + columns / (1 + right)
    shifted = (data["shifted"] > 0) & (parts == 1)
    rows_outside = np.where(shifted & (grid_rows > 1), 0, grid_rows * rows - m)
    columns_outside = np.where(shifted & (grid_columns > 1), 0, grid_columns * width - n)
    outside = np.minimum(asked, rows_outside / (grid_rows * (1 + left)) + columns_outside * parts / (grid_columns * (1 + right)))

    def step(active):
        busy = active / multiprocessors
        return wait + together(np.maximum(sums / SUMS_PER_CYCLE, sums / rate["sharedSumsPerCycle"] * busy),
                               np.maximum(rows + columns, copy * asked),
                               (shared * (asked - outside) + rate["outsideCopyCycles"] * outside) * busy)

    waves = np.ceil(working / slots)
    main = np.ceil(depth / parts) * ((waves - 1) * step(slots) + step(working - (waves - 1) * slots))
    # Bands are rows of the result as it lies in memory.
    own_rows, own_columns = (np.where(turned, grid_columns * width, grid_rows * rows), np.where(turned, grid_rows * rows, grid_columns * width))
    bands = np.where(own_columns * depth * 128 > L2_BYTES / 2, np.ceil(np.where(turned, grid_columns, grid_rows) / BAND_ROWS), 1)
    memory = (own_rows + own_columns * bands) * depth * 128 / rate["memoryBytesPerCycle"] + m * n * 2 / rate["resultBytesPerCycle"]
    store = np.where(turns, 1, waves) * rows * width / rate["storedPerCycle"]
    exchange = (parts - 1) * rows * width / rate["exchangedPerCycle"]
    begin = rate["launchCycles"] + (left | right) * rate["multicastCycles"]
    return (begin + together(main, memory) + store + exchange) / CYCLES_PER_US


def regrets(rows, predicted):
    """Of every product, the time of the tile with the least estimate ÷ that of the fastest tile."""
    products = {}
    for row, estimate in zip(rows, predicted):
        products.setdefault((row["m"], row["n"], row["k"]), []).append((estimate, row["us"]))
    return [min(tiles)[1] / min(us for _, us in tiles) for tiles in products.values() if len(tiles) > 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="+")
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
