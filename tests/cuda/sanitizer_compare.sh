#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What NVIDIA's compute-sanitizer says of the kernels that the emulator's checks are tested with: one line a kernel and
# tool, with the number of errors and the first sentence. Needs a GPU, nvcc and compute-sanitizer.
#   sanitizer_compare.sh [FOLDER]     the whole texts go there, if one is named
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work"
cuda=$(dirname "$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")
sanitizer=$(command -v compute-sanitizer || ls "$cuda"/bin/compute-sanitizer "$cuda"/compute-sanitizer/compute-sanitizer 2>/dev/null | head -n 1)
if [ -z "$sanitizer" ]; then
    echo "sanitizer_compare.sh: there is no compute-sanitizer; install it with the CUDA toolkit" >&2
    exit 77
fi
"$cuda/bin/nvcc" -arch=native -O3 -lineinfo "$here/sanitizer/kernels_main.cu" -o "$work/kernels" || exit 1
for kernel in $("$work/kernels"); do
    for tool in memcheck racecheck initcheck synccheck; do
        more=""
        [ $tool = memcheck ] && more="--leak-check full"
        text="$work/$kernel.$tool.txt"
        # shellcheck disable=SC2086
        timeout 60 "$sanitizer" --tool $tool $more "$work/kernels" "$kernel" >"$text" 2>&1
        ended=$?
        errors=$(sed -n 's/.*ERROR SUMMARY: \([0-9]*\).*/\1/p; s/.*RACECHECK SUMMARY: \([0-9]*\).*/\1/p' "$text" | head -n 1)
        [ $ended -eq 124 ] && errors=hangs
        first=$(grep -E 'Invalid|Uninitialized|Error: Race|Warning: Race|Race reported|Barrier error|Leaked|Malloc/Free|Misaligned' "$text" |
            head -n 1 | sed 's/^=*//')
        printf '%-26s %-10s %-6s %s\n' "$kernel" "$tool" "${errors:-?}" "$first"
    done
done
