#!/bin/sh
# Builds the fuzz targets, runs each for SECONDS, and prints the number of executions of each.
#
#   Fuzz/run.sh SECONDS [TARGET...]
#
# FUZZ_JOBS targets (default 1) run concurrently. Findings are stored in Fuzz/Findings. If there are any,
# the status is 1.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: Fuzz/run.sh SECONDS [TARGET...]}
shift
build=Fuzz/.build
mkdir -p "$build" Fuzz/Findings
coverage="-sanitize=fuzzer,address -sanitize-coverage=edge,inline-8bit-counters,pc-table"
common="-O -wmo -swift-version 6 -package-name reptrace -parse-as-library -g -I $build"

module() { # NAME SOURCES...
  name=$1
  shift
  swiftc $common $coverage -module-name "$name" -emit-module \
    -emit-module-path "$build/$name.swiftmodule" -c -o "$build/$name.o" "$@"
}
module Motion Sources/Motion/*.swift
module ChunkDecoding $(find Sources/ChunkDecoding -name '*.swift')

[ $# -gt 0 ] || set -- File Line Columns Frame Number Reassembly
for target in "$@"; do
  swiftc $common $coverage -use-ld=lld -module-name "Fuzz$target" -o "$build/Fuzz$target" \
    "Fuzz/Targets/Fuzz$target.swift" Fuzz/Targets/Check.swift \
    "$build/Motion.o" "$build/ChunkDecoding.o"
  mkdir -p "$build/corpus-$target" "Fuzz/Corpus/$target"
done

cat > "$build/run-one" <<'END'
set -eu
seconds=$1 build=$2 target=$3
log="$build/$target.log"
# Disable the backtracer, which hangs without a terminal.
if SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "$build/Fuzz$target" \
  "$build/corpus-$target" "Fuzz/Corpus/$target" -max_total_time="$seconds" -max_len=4096 \
  -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="Fuzz/Findings/$target-" \
  >"$log" 2>&1 </dev/null
then result="no finding"; status=0; else result="FINDING, see $log and Fuzz/Findings"; status=1; fi
echo "$target: $(sed -n 's/.*number_of_executed_units: *//p' "$log") executions in $seconds s, $result"
exit $status
END
printf '%s\n' "$@" | xargs -P "${FUZZ_JOBS:-1}" -n 1 sh "$build/run-one" "$seconds" "$build" || exit 1
