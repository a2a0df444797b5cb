#!/bin/sh
# The protocol by hand: one JSON object per line over a Unix socket, with socat or nc.
#   sh examples/socket.sh                              a short tour
#   sh examples/socket.sh note.list '{"mind": "tour"}'   one call of your own
set -eu

# Where the daemon listens: the first of its usual places at which there is a socket.
find_socket() {
    if [ -n "${SOULMEM_SOCKET:-}" ]; then
        echo "$SOULMEM_SOCKET"
        return
    fi
    case ${XDG_STATE_HOME:-} in /*) state=$XDG_STATE_HOME ;; *) state=${HOME:-}/.local/state ;; esac
    case ${XDG_RUNTIME_DIR:-} in /*) users=$XDG_RUNTIME_DIR ;; *) users=$state ;; esac  # without one: with the memory
    service=${RUNTIME_DIRECTORY:-}
    service=${service%%:*}
    for place in ${service:+"$service/soulmem.sock"} "$users/soulmem/soulmem.sock" /run/soulmem/soulmem.sock; do
        if [ -S "$place" ]; then
            echo "$place"
            return
        fi
    done
    echo "${service:-$users/soulmem}/soulmem.sock"
}

socket=$(find_socket)
if [ ! -S "$socket" ]; then
    echo "no socket at $socket: run 'soulmem daemon', or set SOULMEM_SOCKET to where it listens" >&2
    exit 69
fi

call() {
    request='{"jsonrpc": "2.0", "id": 1, "method": "'$1'", "params": '$2'}'
    echo "> $request" >&2
    if command -v socat >/dev/null; then
        printf '%s\n' "$request" | socat -t 5 - "UNIX-CONNECT:$socket"
    else
        printf '%s\n' "$request" | nc -N -w 5 -U "$socket"
    fi
}

if [ $# -gt 0 ]; then
    params='{}'
    call "$1" "${2:-$params}"
    exit
fi
call system.hello '{}'
call message.add '{"mind": "tour", "role": "user", "speaker": "Mara", "content": "My sister Ines turns 33 on the 14th."}'
call message.add '{"mind": "tour", "role": "user", "speaker": "小苇", "content": "我对青霉素过敏。"}'
call recall '{"mind": "tour", "query": "Whose birthday is it?", "k": 2, "record": false}'
call recall '{"mind": "tour", "query": "小苇对什么过敏？", "k": 2, "record": false}'
call system.status '{}'
