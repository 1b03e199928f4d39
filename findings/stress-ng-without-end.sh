#!/usr/bin/env bash
# stress-ng 0.15.06: a load without end ends after 65,536 timer expiries, as a success.
#
# Behaviour: `--timeout 0` means without end (manual: "A 0 timeout will run stress-ng for ever"). The stressor `cpu`
# does so, and is interrupted here. The stressor `timer` compares the clock with its end at each 65,536th expiry, and
# without end that is its start: it stops there, within seconds, with exit code 0 and "successful run completed".
# Matters: such loads run beside long measurements of latency. After the first seconds this one is gone, the rest of the
# hours is measured without it, and nothing says so.
source "$(dirname "$0")/lib.sh"
debian_packages stress-ng=0.15.06-2 libapparmor1 libbsd0 libdrm2 libegl1 libexpat1 libffi8 libgbm1 libgles2 libglvnd0 \
  libipsec-mb1 libjpeg62-turbo libjudydebian1 libkmod2 libmd0 libsctp1 libwayland-server0 libxxhash0

# How a load without end ended: by itself, or by the interruption after 20 s.
ending() {
  timeout --signal INT 20 "$folder/usr/bin/stress-ng" "$@" --timeout 0 --metrics-brief > "$folder/log" 2>&1 &&
    echo "ended by itself after $(awk -v name="${1#--}" '$4 == name { print $5 }' "$folder/log") operations" ||
    echo "was interrupted"
}
expect "cpu: was interrupted
timer: ended by itself after 65536 operations" "cpu: $(ending --cpu 1)
timer: $(ending --timer 1)"
