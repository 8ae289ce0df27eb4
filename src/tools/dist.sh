#!/bin/sh
# Packs the tree as $BUILD/NAME.tar.gz, below a directory NAME: what git has committed, or, without a checkout or
# without git, everything except what was built. The same tree always gives the same files.
set -eu
name=$1
BUILD=${BUILD:-build}
mkdir -p "$BUILD"
tar=$BUILD/$name.tar
if [ -e .git ] && command -v git >/dev/null; then
	git -c tar.umask=022 archive --format=tar --prefix="$name/" -o "$tar" HEAD
else
	# A build directory is left out by what is in it, for it may have any name.
	find . -name __pycache__ -prune -o -path ./.git -prune -o -type d -exec test -e '{}/flags' \; -prune \
		-o -path ./build -prune -o -path "./$BUILD" -prune -o ! -type d -print |
		LC_ALL=C sort >"$tar.files"
	tar -cf "$tar" --no-recursion --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' \
		${SOURCE_DATE_EPOCH:+--mtime=@"$SOURCE_DATE_EPOCH"} --transform="s,^\.,$name," -T "$tar.files"
	rm "$tar.files"
fi
gzip -9nf "$tar"
