#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Install what is missing, say so first, and go on.  Quiet when nothing is.
#   setup.sh run     what `make cosim` needs
#   setup.sh test    also what `make test` and `make lint` need
# Exit status 2 when something cannot be installed.
set -u

want=${1:-run}

# package, what proves it is there (command, or header under /usr/include)
run_needs="
gcc:gcc
g++:g++
make:make
cmake:cmake
ninja-build:ninja
ccache:ccache
verilator:verilator
zlib1g-dev:@zlib.h
libelf-dev:@libelf.h
libc6-dev:@stdio.h
"
test_needs="
git:git
libcmocka-dev:@cmocka.h
clang:clang
clang-tidy:clang-tidy
clang-format:clang-format
cppcheck:cppcheck
binutils:readelf
gtkwave:gtkwave
xvfb:xvfb-run
xauth:xauth
imagemagick:import
"

present() {
	case $1 in
	@*) [ -e "/usr/include/${1#@}" ] ;;
	*) command -v "$1" > /dev/null ;;
	esac
}

needs=$run_needs
[ "$want" = test ] && needs="$run_needs $test_needs"
missing=
for need in $needs; do
	present "${need#*:}" || missing="$missing ${need%%:*}"
done
[ -z "$missing" ] && exit 0

echo "setup: missing, to be installed now:$missing"
if ! command -v apt-get > /dev/null; then
	echo "tpb: error[SET001]: setup: no apt-get here; install$missing" >&2
	exit 2
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo > /dev/null; then
		echo "tpb: error[SET002]: setup: not root and no sudo;" \
			"install$missing" >&2
		exit 2
	fi
	sudo=sudo
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # the list is split on purpose
if ! { $sudo apt-get update && $sudo apt-get install -y \
	--no-install-recommends $missing; } > "$log" 2>&1; then
	tail -20 "$log" >&2
	rm -f "$log"
	echo "tpb: error[SET003]: setup: installing failed; install$missing" >&2
	exit 2
fi
rm -f "$log"
echo "setup: installed$missing"
