#!/bin/sh
# How many keychains one core and one bridge carry, in a release build: 10,000 on lines in memory,
# 1,000 on sockets beside one alone, in turns, and every trouble's recovery. About five minutes.
set -eu
cd "$(dirname "$0")/.."

swift build -c release --product fob
fob=$(swift build -c release --show-bin-path)/fob

"$fob" bench load --on memory: --keychains 1 10000 --seconds 20 --limit 1000
"$fob" bench load --on unix: --keychains 1 1000 --rounds 3 --seconds 20 --limit 1000
"$fob" bench recovery --repetitions 50
