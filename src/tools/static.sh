#!/bin/sh
# Lends this machine's zlib and the kernel's headers to musl-gcc, which sees neither by itself: links below DIRECTORY.
set -eu
root=$1
needed() {
	echo "make static: there is no $1 (make deps-static installs what it needs)" >&2
	exit 1
}
command -v musl-gcc >/dev/null || needed musl-gcc
library=$(gcc -print-file-name=libz.a)
[ -e "$library" ] || needed libz.a
mkdir -p "$root/include" "$root/lib"
for header in zlib.h zconf.h linux asm-generic "$(gcc -print-multiarch)/asm"; do
	ln -sfn "/usr/include/$header" "$root/include/${header##*/}"
done
ln -sfn "$library" "$root/lib/libz.a"
