#!/bin/sh
# A running balance in exact cents, and the lowest balance so far. The opening balance is the seed.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/account.txt" <<'ACCOUNT'
03-01;rent;-812.40
03-02;groceries;-63.07
03-04;refund;0.10
03-04;refund;0.20
03-09;bicycle;-420.00
03-15;wages;2150.55
03-17;insurance;-1099.99
03-28;books;-38.9
ACCOUNT

# The last field, -1, is the balance that the first pscan has appended.
"$pscan" -d ';' -f 3 --seed=1000.00 -a "$work/account.txt" | "$pscan" -d ';' -f -1 -op min -a >"$work/balances"

printf '%-6s %-10s %9s %9s %9s\n' day what amount balance lowest
awk -F ';' '{ printf "%-6s %-10s %9s %9s %9s\n", $1, $2, $3, $4, $5 }' "$work/balances"
