# SPDX-License-Identifier: MIT OR Apache-2.0
# s2n-bignum: assembly alone, one folder a machine. FOLDER COMPILER FLAGS...
sources=$1 compiler=$2

case $($compiler -dumpmachine) in
x86_64-*) machine=x86 ;;
aarch64-*) machine=arm ;;
*) echo "s2n-bignum is for x86-64 and AArch64 only" >&2; exit 1 ;;
esac
cp -R "$sources" work
chmod -R u+w work
make -C "work/$machine" CC="$compiler" >make.log 2>&1 || { tail -n 5 make.log >&2; exit 1; }
mv "work/$machine/libs2nbignum.a" library.a
mv work/include include
