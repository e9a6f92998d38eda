#!/bin/bash
# What only a ConnectX can tell of a board's RDMA port: times and rates of its READs and WRITEs, and how it meets "not ready",
# congestion notifications and pauses. Nobody of the project has run it on one: it is for someone who has.
#
#   connectx.sh --device mlx5_0 --board 192.0.2.7:19790 --out figures [--host 192.0.2.8] [--dry-run]
#
# --host: another machine with a ConnectX, on which this script runs `ssh HOST ib_read_lat …`: what the cards do between themselves is
# the baseline, as the 2.9 µs of ODRP's paper are. Without --host that part is left out.
# --dry-run: print the commands, run none.
#
# The figures of the board come from `mneme rdma bench`. Its client has a UDP socket of its own: it measures the board and the way, not
# the card's RDMA engine, and needs a port 4791 that no RDMA engine takes (`rdma link` shows which do). The card's own engine needs a
# client of libibverbs that connects by rdma_cm: tests/guest/peer.c, as `cargo xtask rxe` drives it.
set -euo pipefail

device='' board='' host='' out='' dry=''
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit "$1"; }
while [ $# -gt 0 ]; do
  case "$1" in
    --device | --board | --host | --out)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"; shift 2 ;;
    --dry-run) dry=1; shift ;;
    --help | -h) usage 0 ;;
    *) echo "unknown argument $1" >&2; usage 2 >&2 ;;
  esac
done
[ -n "$board" ] && [ -n "$out" ] || { echo 'a board and a folder are needed: --board, --out' >&2; exit 2; }
[ -z "$host" ] || [ -n "$device" ] || { echo 'the baseline needs the card: --device' >&2; exit 2; }

run() { # NAME COMMAND…: its output goes into the folder.
  local name=$1; shift
  echo "+ $*"
  [ -n "$dry" ] || "$@" > "$out/$name" 2> "$out/$name.errors" || { echo "failed: see $out/$name.errors" >&2; return 1; }
}
counters() { # What the card has counted: retries, "not ready", congestion, pauses.
  [ -n "$device" ] || return 0
  local path=/sys/class/infiniband/$device/ports/1/hw_counters
  for name in rnr_nak_retry_err out_of_sequence packet_seq_err local_ack_timeout_err implied_nak_seq_err \
    duplicate_request np_cnp_sent np_ecn_marked_roce_packets rp_cnp_handled rp_cnp_ignored; do
    [ -r "$path/$name" ] && echo "$name $(cat "$path/$name")"
  done
  local interface
  for interface in /sys/class/infiniband/"$device"/device/net/*; do
    [ -e "$interface" ] && ethtool -S "$(basename "$interface")" | grep -i 'pause' | tr -d ' ' | tr ':' ' '
  done
  return 0
}

[ -n "$dry" ] || mkdir -p "$out"
if [ -n "$device" ]; then
  run device.txt ibv_devinfo -v -d "$device"
fi
[ -n "$dry" ] || counters > "$out/counters.before"

# The baseline: pages of 4 KiB between two cards.
if [ -n "$host" ]; then
  for test in ib_read_lat ib_write_lat ib_read_bw ib_write_bw; do
    echo "+ ssh $host $test -d $device -s 4096 -F &"
    if [ -z "$dry" ]; then
      ssh "$host" "$test" -d "$device" -s 4096 -F > "$out/$test.server" 2>&1 &
      sleep 2
    fi
    run "$test.txt" "$test" -d "$device" -s 4096 -F "$host"
    wait
  done
fi

# The board: one at a time is latency, many at a time is rate.
for kind in pages frames chain; do
  for verb in read write; do
    for depth in 1 16 64; do
      run "$kind-$verb-$depth.json" mneme rdma bench "$verb" --board "$board" --kind "$kind" -s 4K -n 20000 \
        --depth "$depth" --json
    done
  done
done
run statistics.json mneme rdma stat --board "$board" --json

if [ -z "$dry" ]; then
  counters > "$out/counters.after"
  echo "figures are in $out; what the card counted meanwhile:"
  diff "$out/counters.before" "$out/counters.after" || true
fi
