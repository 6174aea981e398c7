"""Selects the jobs of a benchmark: those of the tables, or launches with random sizes. --random KIND --draws N --seed S"""

import re

from jobs import all_jobs
from matmul_jobs import computed_jobs
from random_jobs import KINDS, random_jobs


def add_job_flags(parser):
    parser.add_argument("--random", choices=sorted(KINDS), help="this kind of job at random sizes instead of those of the tables")
    parser.add_argument("--draws", type=int, default=200, help="jobs to draw")
    parser.add_argument("--seed", type=int, default=0)


def jobs_of(options):
    """The jobs that the flags select; requires --only as well."""
    jobs = random_jobs(options.random, options.draws, options.seed) if options.random else [*all_jobs(), *computed_jobs()]
    return [job for job in jobs if re.search(options.only, job.name)]
