# SPDX-License-Identifier: MIT OR Apache-2.0
# XKCP: its own makefile, for the first target that this compiler can build.
# FOLDER COMPILER FLAGS...
sources=$1 compiler=$2
shift 2

if echo | $compiler "$@" -dM -E - | grep -q __AVX512VL__; then targets="AVX512 AVX2"
elif echo | $compiler "$@" -dM -E - | grep -q __AVX2__; then targets=AVX2
elif echo | $compiler "$@" -dM -E - | grep -q __SSSE3__; then targets=SSSE3
elif echo | $compiler "$@" -dM -E - | grep -q __aarch64__; then targets=ARMv8A
else targets=
fi
cp -R "$sources" work
chmod -R u+w work
cd work
for target in $targets generic64 generic32 compact; do
    CC=$compiler CFLAGS="$*" make -j2 "$target/libXKCP.a" >make.log 2>&1 || continue
    mv "bin/$target/libXKCP.a" ../library.a
    mkdir ../include
    mv "bin/$target/libXKCP.a.headers" ../include/libkeccak.a.headers
    exit 0
done
tail -n 5 make.log >&2
exit 1
