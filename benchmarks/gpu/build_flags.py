"""Flags of the scripts that compile the GPU benchmarks: COMPILER OUT_DIR [--arch sm_90a] [--only REGEX]"""

import argparse
import os


def parse_flags(description, add_flags=None):
    """Parses the flags, including those that `add_flags` adds, and creates the output folder."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler", help="tilegpt-opt or tilegpt-run")
    parser.add_argument("out", help="folder for what is compiled")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--only", default="", help="regular expression for the names to compile")
    if add_flags:
        add_flags(parser)
    flags = parser.parse_args()
    os.makedirs(flags.out, exist_ok=True)
    return flags
