#!/bin/bash
# What only a ConnectX can tell of a board's RDMA port: times and rates of its READs, WRITEs and atomics, and how it meets "not ready",
# congestion notifications and pauses. Nobody of the project has run it on one: it is for someone who has.
#
#   connectx.sh --board 192.0.2.7:19790 --out figures --device mlx5_0 [--gid 3] [--host 192.0.2.8] [--perftest 18516]
#               [--from 192.0.2.9] [--socket] [--iters 20000] [--dry-run]
#
# --device: the card, by whose engine `mneme rdma … --device` and perftest go to the board. Any RDMA device does, rdma_rxe's too.
# --gid: the index of its RoCEv2 address for perftest's programs (`show_gids`, or `rdma link` and /sys/class/infiniband/…/gids).
# --host: another machine with such a card, on which this script runs `ssh HOST ib_read_lat …`: what the cards do between themselves is
# the baseline, as the 2.9 µs of ODRP's paper are.
# --perftest: the TCP port at which the board serves perftest's programs (`mneme board --perftest`: 18516).
# --from: the own address, where the system's route to the board is not by the card.
# --socket: also `mneme rdma bench` without a device, by whose own UDP socket ODRP's chains go: it measures the board and the way, not
# the card's engine. It needs a UDP port 4791 that no RDMA device of its address takes (`rdma link` shows which do). Without --device
# this is all that is done.
# --iters: operations of each measurement. --dry-run: print the commands, run none.
#
# A measurement that fails is told, and the others are made; the exit code is 1 then.
set -euo pipefail

device='' board='' host='' out='' gid='' perftest='' from='' iters=20000 socket='' dry='' failed=0
usage() { sed -n '2,/^set -/{/^set -/!s/^# \{0,1\}//p}' "$0"; exit "$1"; }
while [ $# -gt 0 ]; do
  case "$1" in
    --device | --board | --host | --out | --gid | --perftest | --from | --iters)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"; shift 2 ;;
    --socket) socket=1; shift ;;
    --dry-run) dry=1; shift ;;
    --help | -h) usage 0 ;;
    *) echo "unknown argument $1" >&2; usage 2 >&2 ;;
  esac
done
wrong() { echo "$1" >&2; exit 2; }
number() { # NAME VALUE MOST
  if ! [[ $2 =~ ^[0-9]{1,9}$ ]] || [ "$2" -gt "$3" ]; then wrong "--$1 $2 is no number from 0 to $3"; fi
}
if [ -z "$board" ] || [ -z "$out" ]; then wrong 'a board and a folder are needed: --board, --out'; fi
[ -z "$host$perftest$gid" ] || [ -n "$device" ] || wrong '--host, --perftest and --gid need the card: --device'
number iters "$iters" 999999999
[ -z "$gid" ] || number gid "$gid" 255
[ -z "$perftest" ] || number perftest "$perftest" 65535
[ -n "$device" ] || socket=1

need() { command -v "$1" > /dev/null || wrong "$1 is not there: install $2"; }
if [ -z "$dry" ]; then
  need mneme "Mneme's command"
  if [ -n "$device" ]; then
    [ -e "/sys/class/infiniband/$device" ] || wrong "there is no RDMA device $device: \`rdma link\` lists them"
    need ibv_devinfo ibverbs-utils
    [ -z "$host$perftest" ] || need ib_read_lat perftest
  fi
fi

run() { # NAME COMMAND…: its output goes into the folder.
  local name=$1; shift
  echo "+ $*"
  if [ -z "$dry" ] && ! "$@" > "$out/$name" 2> "$out/$name.errors"; then
    echo "failed: see $out/$name.errors" >&2
    failed=1
  fi
}
counters() { # What the card has counted: retries, "not ready", congestion, pauses. Each device has names of its own.
  [ -n "$device" ] || return 0
  local file interface
  for file in "/sys/class/infiniband/$device/ports/1/hw_counters"/*; do
    if [ -r "$file" ] && [ "$(basename "$file")" != lifespan ]; then
      echo "$(basename "$file") $(cat "$file")"
    fi
  done
  for interface in "/sys/class/infiniband/$device/device/net"/*; do
    if [ -e "$interface" ] && command -v ethtool > /dev/null; then
      ethtool -S "$(basename "$interface")" 2> /dev/null | grep -i pause | tr -d ' ' | tr ':' ' ' || true
    fi
  done
}

[ -n "$dry" ] || mkdir -p "$out"
[ -z "$device" ] || run device.txt ibv_devinfo -v -d "$device"
[ -n "$dry" ] || counters > "$out/counters.before"
card=(-d "$device" -F)
[ -z "$gid" ] || card+=(-x "$gid")
way=(--board "$board")
[ -z "$from" ] || way+=(--from "$from")

# The baseline: pages of 4 KiB between two cards.
if [ -n "$host" ]; then
  for test in ib_read_lat ib_write_lat ib_read_bw ib_write_bw ib_atomic_lat; do
    size=(-s 4096)
    [ "$test" != ib_atomic_lat ] || size=()
    echo "+ ssh $host $test ${card[*]} ${size[*]} &"
    if [ -z "$dry" ]; then
      # shellcheck disable=SC2029 # words of this side, none of which a shell would split
      ssh "$host" "$test" "${card[@]}" "${size[@]}" > "$out/$test.server" 2>&1 &
      sleep 2
    fi
    run "$test.txt" "$test" "${card[@]}" "${size[@]}" "$host"
    [ -n "$dry" ] || wait || { echo "failed: see $out/$test.server" >&2; failed=1; }
  done
fi

# perftest's programs against the board: the same clients as the baseline's.
if [ -n "$perftest" ]; then
  for test in ib_read_lat ib_read_bw ib_write_bw ib_atomic_lat; do
    size=(-s 4096)
    [ "$test" != ib_atomic_lat ] || size=()
    run "board-$test.txt" "$test" "${card[@]}" "${size[@]}" -p "$perftest" "${board%:*}"
  done
fi

bench() { # NAME KIND VERB OPTION…: one at a time is latency, many at a time is rate.
  local name=$1 kind=$2 verb=$3 depth; shift 3
  for depth in 1 16 64; do
    run "$name-$kind-$verb-$depth.json" mneme rdma bench "$verb" "${way[@]}" --kind "$kind" -s 4K -n "$iters" \
      --depth "$depth" --json "$@"
  done
}
if [ -n "$device" ]; then
  run check.txt mneme rdma check "${way[@]}" --device "$device"
  for kind in pages frames; do
    for verb in read write atomic; do bench card "$kind" "$verb" --device "$device"; done
  done
fi
if [ -n "$socket" ]; then
  for kind in pages frames; do
    for verb in read write; do bench socket "$kind" "$verb"; done
  done
  for verb in read write; do bench socket chain "$verb"; done
fi
if [ -n "$device" ]; then
  run statistics.json mneme rdma stat "${way[@]}" --json --device "$device"
else
  run statistics.json mneme rdma stat "${way[@]}" --json
fi

if [ -z "$dry" ]; then
  counters > "$out/counters.after"
  echo "figures are in $out; what the card counted meanwhile:"
  diff "$out/counters.before" "$out/counters.after" || true
fi
exit "$failed"
