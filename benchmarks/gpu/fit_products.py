#!/usr/bin/env python3
"""Fits the rates of a device (lib/Target/NVVM/GpuModels.inc) to measured times of products. Needs NumPy and SciPy, no GPU.

    fit_products.py data/chain_h200.csv [TIMES.json] [--check data/products_h200.csv data/multicast_h200.csv data/random_h200.csv]

A line of a file is the time, in µs, of a product with one tile, in back-to-back launches that overlap: `sharing` is the
number of blocks that multicast an operand, `shares` the number that split the depth through memory. The formula is that of
ProductCost.cpp; change both together. Prints the rates, and how much slower than the best their chosen tiles are; only the
latter for the files to check, which are not fitted to and whose launches did not overlap. TIMES.json is the output of
`tilegpt-run tune --times`.
"""

import argparse
import csv
import json
import math

import numpy as np
from scipy.optimize import least_squares

CYCLES_PER_US = 1755.0                         # under load
CLUSTERS = {1: 132, 2: 66, 3: 39, 4: 30, 5: 22, 6: 17, 7: 15, 8: 15}   # that run at a time, by their blocks
MOST_SHARING = 4                               # blocks that the compiler lets multicast an operand for each other
ALIGNMENTS = (16, 32, 64, 128)
# name: first guess, which the fit stays near where times say little, least, most; no rows are copied faster than better aligned ones
RATES = {"copyCycles 16": (2.19, .5, 6), "copyCycles 32": (1.11, 1.1, 5), "copyCycles 64": (1, .5, 1.1), "copyCycles 128": (1, .5, 5),
         "sharedCopyCycles 16": (3.82, .3, 8), "sharedCopyCycles 32": (2.62, .3, 8), "sharedCopyCycles 64": (2.33, .3, 8),
         "sharedCopyCycles 128": (1.72, .3, 8), "outsideCopyCycles": (10.2, 0, 25), "receivedCycles": (1.5, .2, 4),
         "pairWaitCycles": (33, 0, 400), "singleWaitCycles": (44, 0, 400), "launchCycles": (4515, 200, 9000),
         "storedPerCycle": (12.4, 2, 400), "memoryBytesPerCycle": (2340, 800, 5000), "resultBytesPerCycle": (1110, 300, 6000),
         "exchangedPerCycle": (2.34, .3, 60), "sharedSumsPerCycle": (28, 15, 40), "operandReadCycles": (1.3, 0, 3),
         "multicastWaitCycles": (7, 0, 400), "multicastCycles": (300, -500, 5000), "meetCycles": (2500, 0, 9000),
         "sharedBytesPerCycle": (48, 4, 400), "clusterTileCycles": (300, -300, 4000)}
NEARNESS = 0.1
SUMS_PER_CYCLE, L2_BYTES, BAND_ROWS, SUM_BYTES = 32, 60 << 20, 8, 4
DEFAULTS = {"parts": "1", "multicast": "none", "sharing": "2", "shares": "1", "shifted": "1"}
MULTICASTS = {"none": 0, "left": 1, "right": 2, "both": 3}


def is_turned(rows):
    """Whether warp groups cannot divide the rows, so that the product is computed transposed."""
    return (rows > 64) & (rows % 128 != 0)


def lines_of_records(path):
    """Converts tuning records of 16-bit products with more than one step to lines like those of a .csv."""
    with open(path) as file:
        records = json.load(file)["records"]
    for record in records:
        shapes = [operand.split("x") for operand in record["operands"]]
        if record["kernel"] != "linear" or len(shapes) != 4 or shapes[0][-1] not in ("bf16", "f16"):
            continue
        (m, k, _), (n, _, _) = shapes[:2]
        params, plan = record["params"], record.get("plan", {})
        blocks, axis = plan.get("multicast", 1), plan.get("multicastAxis", 0)
        # Blocks side by side share the lhs of the matrix instructions.
        shared = "none" if blocks == 1 else "both" if axis == 2 else "left" if (axis == 1) != is_turned(params["BM"]) else "right"
        if params.get("BK") == 64 and "raster" not in plan:
            yield {"m": m, "n": n, "k": k, "tile_rows": params["BM"], "tile_columns": params["BN"], "parts": plan.get("parts", 1),
                   "multicast": shared, "sharing": 2 if shared == "none" else math.isqrt(blocks) if shared == "both" else blocks,
                   "shares": plan.get("shares", 1), "us": record["measured"]["us"]}


def read(paths):
    rows = []
    for path in paths:
        with open(path) as file:
            for row in lines_of_records(path) if path.endswith(".json") else csv.DictReader(file):
                row = DEFAULTS | row
                row["multicast"] = MULTICASTS[row["multicast"]]
                row = {key: float(value) for key, value in row.items()}
                if row["multicast"] == 0 or row["sharing"] <= MOST_SHARING:
                    rows.append(row)
    return rows, {key: np.array([row[key] for row in rows]) for key in DEFAULTS | {"m": 0, "n": 0, "k": 0, "us": 0} |
                  {"tile_rows": 0, "tile_columns": 0}}


def together(*cycles):
    return sum(each ** 4 for each in cycles) ** .25


@np.vectorize
def columns_of_share(columns, blocks):
    """Columns that each of the first blocks reduces after split-K."""
    return columns if blocks == 1 else next(share for share in range(8, int(columns) + 1, 8) if columns % share == 0 and columns / share <= blocks)


def predict(values, data, multiprocessors):
    """The estimated µs of every line."""
    rate = dict(zip(RATES, values))
    alignment = np.gcd((data["k"] * 2).astype(int), 128)
    copy, shared = (np.select([alignment == a for a in ALIGNMENTS], [rate[f"{name} {a}"] for a in ALIGNMENTS])
                    for name in ("copyCycles", "sharedCopyCycles"))
    turned = is_turned(data["tile_rows"])
    rows, width = (np.where(turned, data[b], data[a]) for a, b in (("tile_rows", "tile_columns"), ("tile_columns", "tile_rows")))
    m, n = (np.where(turned, data[b], data[a]) for a, b in (("m", "n"), ("n", "m")))
    parts, shares = data["parts"], data["shares"]
    beside, below = (np.where(np.isin(data["multicast"], which), data["sharing"], 1) for which in ((1, 3), (2, 3)))
    cluster = beside * below
    columns, isSplit = width * parts, shares > 1
    grid_rows, grid_columns, steps = np.ceil(m / rows), np.ceil(n / width), np.ceil(np.ceil(data["k"] / 64) / shares)
    outside_rows, outside_columns = grid_rows * rows - m, grid_columns * width - n
    turns = (rows == 128) & (width >= 128) & (width <= 200) & (grid_rows * grid_columns > multiprocessors) & (parts == 1) & ~isSplit
    shifted = (data["shifted"] > 0) & (parts == 1) & ~isSplit
    lost_rows, lost_columns = (np.where(shifted & (grid > 1), 0, outside * np.where(along, shares, 1)) for grid, outside, along in (
        (grid_rows, outside_rows, width <= rows), (grid_columns, outside_columns, width > rows)))
    # Blocks that split a depth divide the longer side of the tile between them.
    grid_rows, grid_columns = np.where(width <= rows, grid_rows * shares, grid_rows), np.where(width > rows, grid_columns * shares, grid_columns)
    blocks = grid_rows * grid_columns
    working = np.ceil(grid_rows / below) * below * np.ceil(grid_columns / beside) * beside
    slots = np.array([CLUSTERS[int(c)] * c if c > 1 else (CLUSTERS[int(p)] - (p > 1)) * p for c, p in zip(cluster, parts)])
    slots = np.where(cluster > 1, np.minimum(slots, np.ceil(blocks / cluster) * cluster), slots)
    wait = np.where(turns, 0, np.where(rows > 64, rate["pairWaitCycles"], rate["singleWaitCycles"])) \
        + (cluster > 1) * rate["multicastWaitCycles"]
    sums = np.maximum(rows, 64) * columns
    operands = np.ceil(rows / 64) * (64 + columns) * rate["operandReadCycles"]
    asked = rows / beside + columns / below
    copied = np.maximum(rows + columns, copy * asked)
    copied = np.where(cluster > 1, np.maximum(copied, rate["receivedCycles"] * (rows + columns)), copied)
    outside = np.minimum(asked, lost_rows / (grid_rows * beside) + lost_columns * parts / (grid_columns * below))

    def step(active):
        busy = active / multiprocessors
        products = np.maximum(np.maximum(sums / SUMS_PER_CYCLE, sums / rate["sharedSumsPerCycle"] * busy), operands)
        return wait + together(products, copied, (shared * (asked - outside) + rate["outsideCopyCycles"] * outside) * busy)

    waves = np.ceil(working / slots)
    main = np.ceil(steps / parts) * ((waves - 1) * step(slots) + step(working - (waves - 1) * slots)) \
        + (cluster > 2) * (waves - 1) * rate["clusterTileCycles"]
    # Bands are rows of the result in memory order.
    own_rows, own_columns = (np.where(turned, grid_columns * width, grid_rows * rows), np.where(turned, grid_rows * rows, grid_columns * width))
    bands = np.where(own_columns * steps * 128 > L2_BYTES / 2, np.ceil(np.where(turned, grid_columns, grid_rows) / BAND_ROWS), 1)
    memory = (own_rows + own_columns * bands) * steps * 128 / rate["memoryBytesPerCycle"] + m * n * 2 / rate["resultBytesPerCycle"]
    share = columns_of_share(width, shares)
    store = np.where(turns, 1, waves) * rows * share / rate["storedPerCycle"]
    exchange = (parts - 1) * rows * width / rate["exchangedPerCycle"]
    meet = isSplit * (rate["meetCycles"] + (width + shares * share) * np.maximum(rows, 64) * SUM_BYTES / rate["sharedBytesPerCycle"])
    begin = rate["launchCycles"] + (cluster > 1) * rate["multicastCycles"]
    return (begin + together(main, memory) + store + exchange + meet) / CYCLES_PER_US


def regrets(rows, predicted):
    """For every product, the time of the tile with the lowest estimate ÷ that of the fastest tile."""
    products = {}
    for row, estimate in zip(rows, predicted):
        products.setdefault((row["m"], row["n"], row["k"]), []).append((estimate, row["us"]))
    return [min(tiles)[1] / min(us for _, us in tiles) for tiles in products.values() if len(tiles) > 1]


def summary(rows, predicted):
    error = np.log(predicted / np.array([row["us"] for row in rows]))
    regret = regrets(rows, predicted)
    return (f"{len(rows)} times, right to {error.std():.1%} (root mean square, but for a factor of all); of {len(regret)} products the "
            f"tile chosen is {math.exp(np.mean(np.log(regret))) - 1:.1%} slower than the best on average, 95 % of them at most "
            f"{sorted(regret)[int(.95 * len(regret))] - 1:.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="+")
    parser.add_argument("--check", nargs="+", default=[], help="times that nothing is fitted to")
    parser.add_argument("--multiprocessors", type=int, default=132)
    options = parser.parse_args()
    rows, data = read(options.times)
    first, least, most = (np.array(each, float) for each in zip(*RATES.values()))

    def residuals(scales):
        estimates = predict(scales * first, data, options.multiprocessors)
        return np.concatenate([np.log(estimates / data["us"]), NEARNESS * (scales - 1)])
    fit = least_squares(residuals, np.ones(len(first)), bounds=(least / first - 1e-9, most / first), loss="soft_l1", f_scale=.07)
    rates = fit.x * first
    for name, value in zip(RATES, rates):
        print(f"{name:22} {value:.4g}")
    print(summary(rows, predict(rates, data, options.multiprocessors)))
    for path in options.check:
        rows, data = read([path])
        print(f"{path}: {summary(rows, predict(rates, data, options.multiprocessors))}")


if __name__ == "__main__":
    main()
