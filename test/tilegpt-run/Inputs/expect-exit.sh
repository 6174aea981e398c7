#!/bin/sh
# Runs a command and succeeds if it exits with the code given first.
expected=$1
shift
"$@"
got=$?
[ "$got" -eq "$expected" ] || {
  echo "expected exit code $expected, got $got: $*" >&2
  exit 1
}
