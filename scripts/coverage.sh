#!/usr/bin/env bash
# Line coverage of the pure targets by their own tests and by the simulation's: a table, then each
# file below the bar with the lines that no test has reached. Fails where a target is below it.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(FobBase WireProtocol NMEA Firmware AlertCore Capture Judge USB)
bar=95
longest=20
scratch=.build/coverage
tests="^($(IFS='|' && echo "${targets[*]}")|Simulation)Tests\\."

# One test at a time: counters are not atomic, and a lost count lets a line seem reached.
swift test --disable-xctest --no-parallel --scratch-path $scratch --enable-code-coverage \
  --filter "$tests"
bin=$(swift build --scratch-path $scratch --show-bin-path)
cov=$(dirname "$(readlink -f "$(command -v swiftc)")")/llvm-cov

echo
"$cov" export --format=lcov --instr-profile "$bin/codecov/default.profdata" \
  "$bin/fobPackageTests.xctest" "${targets[@]/#/Sources/}" |
  awk -F '[:,]' -v targets="${targets[*]}" -v bar=$bar -v longest=$longest '
    function percent(some, all) { return int(1000 * some / all) / 10 }
    function isBelow(what) { return 100 * hit[what] < bar * all[what] }

    $1 == "SF" {
      file = $0
      sub(/^.*\/Sources\//, "", file)
      target = file
      sub(/\/.*/, "", target)
      files[++count] = file
      wasMissed = 0
    }
    $1 == "DA" {
      all[target]++
      all[file]++
      if ($3 > 0) {
        hit[target]++
        hit[file]++
      } else if (wasMissed) {
        missed[file] = range "-" $2
      } else {
        range = missed[file] " " $2
        missed[file] = range
      }
      wasMissed = $3 == 0
    }

    END {
      print "target        lines  covered      %"
      names = split(targets, name, " ")
      for (i = 1; i <= names; i++) {
        target = name[i]
        printf "%-12s %6d  %7d  %5.1f\n", target, all[target], hit[target],
          all[target] ? percent(hit[target], all[target]) : 0
        if (!all[target] || isBelow(target)) failed = 1
      }
      for (i = 1; i <= count; i++) {
        file = files[i]
        if (!isBelow(file)) continue
        if (++below == 1) print "\nfiles below " bar " %, and the lines that no test has reached"
        if (below > longest) continue
        printf "%5.1f  %s:%s\n", percent(hit[file], all[file]), file, missed[file]
      }
      if (below > longest) print "and " below - longest " more"
      if (failed) print "\ncoverage: a target is below " bar " %"
      exit failed
    }'
