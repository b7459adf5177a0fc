#!/bin/sh
# test_install.sh: what `make install` lays down serves a program that links it, by pkg-config and by
# CMake, static and shared; and the installed program runs from where it was put.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

check() { # check NAME COMMAND...
	name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name"
		tail -n 20 "$work/log"
	fi
}

cat >"$work/user.c" <<'C'
#include <opmark/opmark.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    printf("%s %s\n", om_version(), om_status_name(OM_OK));
    return strcmp(om_status_name(OM_OK), "ok");
}
C

check installs env DESTDIR= cmake --install "$OM_BUILD_DIR" --prefix "$prefix"
check installs_below_destdir sh -c "DESTDIR='$work/dest' cmake --install '$OM_BUILD_DIR' --prefix /usr &&
	test -x '$work/dest/usr/bin/opmark' && test -f '$work/dest/usr/include/opmark/opmark.h'"
check program_runs "$prefix/bin/opmark" --version
lib=$(dirname "$(find "$prefix" -name libopmark.so)")

case $("$OM_BUILD_DIR/opmark" --version) in
*address* | *thread*)
	echo "skipped program_links (the library was built with a sanitizer)"
	exit 0
	;;
esac

# The .pc file finds its prefix from where it lies.
export PKG_CONFIG_PATH="$lib/pkgconfig"
check shared_by_pkg_config sh -c "cc -Wall -Werror '$work/user.c' \$(pkg-config --cflags --libs opmark) -Wl,-rpath,'$lib' -o '$work/shared' && '$work/shared'"
check static_by_pkg_config sh -c "cc -Wall -Werror '$work/user.c' \$(pkg-config --cflags opmark) '$lib/libopmark.a' -lm -ldl -fopenmp -o '$work/static' && '$work/static'"

example=$OM_SOURCE_DIR/examples/call_layers.c
check layers_by_pkg_config sh -c "cc -Wall -Werror '$example' \$(pkg-config --cflags --libs opmark) -Wl,-rpath,'$lib' -o '$work/layers' && test \"\$('$work/layers')\" = '16 1 8192'"

cp "$example" "$work"
cat >"$work/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(opmark 0.1 REQUIRED)
add_executable(with_shared user.c)
target_link_libraries(with_shared PRIVATE opmark::opmark_shared)
add_executable(with_static user.c)
target_link_libraries(with_static PRIVATE opmark::opmark_static)
add_executable(layers call_layers.c)
target_link_libraries(layers PRIVATE opmark::opmark)
C
check both_by_cmake sh -c "cmake -G Ninja -S '$work' -B '$work/build' -DCMAKE_PREFIX_PATH='$prefix' &&
	cmake --build '$work/build' && '$work/build/with_shared' && '$work/build/with_static' &&
	test \"\$('$work/build/layers')\" = '16 1 8192'"

# Names of the library's inside must not leak into a program that links it.
check nothing_internal_is_exported sh -c "! nm -D --defined-only '$lib/libopmark.so' | grep ' T om__'"
