#!/usr/bin/env bash
# An accepted solution in a style that is odd and legal: odd_style.sh SOURCE TARGET
#
# Tabs, CRLF, Chinese comments, a helper file in the folder above, using namespace, a lambda and a
# template, a main(), extern "C" said again; and before a launch in the stream that was given, a kernel
# with a printf in a stream of its own. Not in homework 6, where streams and events are counted, nor in
# hw4.4, which is one launch.
set -euo pipefail

source_file=$1 target=$2
launch='/single_pass/!s/^(\t*)([a-z_0-9]+(<[^<>]*>)?<<<.*, stream>>>)/\1odd::look_around(stream), \2/'
[[ $source_file != */hw6_streams/* ]] || launch=''

mkdir -p "$(dirname "$target")"
cp grader/tests/accepted/odd_helper.cuh "$(dirname "$target")/.."
{
    cat << 'END'
// 作业：奇怪但是正确的写法。Right, in a style of its own.
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

END
    sed '1,/^[^/]/{/^\/\//d}' "$source_file" | unexpand --first-only -t 4 |
        sed -E -e 's/^cudaError_t /extern "C" &/' -e "$launch"
    cat << 'END'

/* 自己的测试程序，评分时不会调用。 */
int main(int argc, char **argv)
{
	vector<int> numbers(argc, 1);
	auto sum = 0;
	for_each(numbers.begin(), numbers.end(), [&](int x) { sum += x; });
	printf("%s: %d 个参数\n", argv[0], sum);
	return sum != argc;
}
END
} | sed 's/$/\r/' > "$target"
