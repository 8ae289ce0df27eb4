#!/bin/sh
# deps.sh PACKAGE...: installs those of the Debian packages that are missing; says first which, and how much that is.
set -eu
missing=
for package; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || {
	echo "There is no apt-get here. What is needed is, by Debian's names:$missing"
	exit 0
}
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
alive="sh $(dirname "$0")/alive.sh"
apt="$sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q --no-install-recommends"

echo "missing:$missing"
# shellcheck disable=SC2086 # words
$alive $apt update
# With --assume-no it says what it would do, and fails.
# shellcheck disable=SC2086
$apt install --assume-no $missing 2>&1 | awk -v names="$missing" '
	/ newly installed, / { packages = $3 }
	sub(/^Need to get /, "") { sub(/ of archives\.$/, ""); download = $0 }
	sub(/^After this operation, /, "") { sub(/ of additional .*/, ""); disk = $0 }
	END {
		if (packages != "")
			print "installing " packages " packages with what they need, " download " to download, " disk \
				" on disk" (names ~ /pocl/ ? "; most of that is the LLVM of PoCL" : "")
	}'
# shellcheck disable=SC2086
$alive $apt install -y $missing
