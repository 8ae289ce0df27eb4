#!/usr/bin/env bats
# Columns of the output of programs, and of files, that any Debian machine has, as they are. Each is captured once and
# scanned by field. The results must be those of awk's fields added up in exact arithmetic (tests/tools/formats.py).

load helper

setup() {
	export PSCAN_DEVICE=none
}

# column OPTION... -- COMMAND [ARGUMENT]...: pscan with the OPTIONs on what the command prints. Skips if there is no
# such program, or no such file where the command is cat.
column() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	command -v "$1" >/dev/null || skip "there is no $1"
	[ "$1" != cat ] || [ -r "${*: -1}" ] || skip "there is no ${*: -1}"
	"$@" >"$TMP/capture" 2>/dev/null || true
	[ -s "$TMP/capture" ] || skip "nothing comes from $*"
	"$PYTHON" "$TOOLS/formats.py" "$TMP/capture" "${options[@]}"
	echo "$BATS_TEST_DESCRIPTION" >>"$BATS_FILE_TMPDIR/ran"
}

# loose FIELD COMMAND...: a column with a heading and with fields that are empty or no numbers.
loose() {
	local field=$1
	shift
	column -f "$field" --missing=skip --invalid=ignore -- "$@"
}

# --- Files and directories

@test "ls -l: sizes" { loose 5 ls -l /usr/bin; }
@test "ls -s: blocks behind a line with the total" { column -f 1 --invalid=warn -- ls -s /etc; }
@test "ls -ln: owners" { loose 3 ls -lnR /var/lib; }
@test "ls -i: inodes" { loose 1 ls -i /usr/lib; }
@test "ls --time-style=+%s: times" { loose 6 ls -l --time-style=+%s /usr/lib; }
@test "df -k: available" { column -f 4 --missing=zero --invalid=warn -- df -k; }
@test "df -i: inodes, - where there are none" { loose 2 df -i; }
@test "df --output: percents" { column -d % -f 1 --missing=skip --invalid=fail -- df --output=pcent; }
@test "du -k: directories" { column -f 1 -- du -k /etc; }
@test "du -a -b: files, the greatest so far" { column -f 1 -op max -- du -a -b /etc; }
@test "find -printf: sizes" { column -f 1 -- find /usr/lib -maxdepth 2 -type f -printf '%s %p\n'; }
@test "find -printf: times with ten decimals" { column -f 1 -- find /usr/include -printf '%T@ %p\n'; }
@test "find -printf: depths between tabs" { column -d '\t' -f 2 -- find /etc -printf '%p\t%d\t%y\n'; }
@test "stat -c: blocks" { column -f 2 -e -- stat -c '%n %b %s' /usr/bin /usr/lib /etc /etc/passwd /etc/group; }
@test "wc -c: bytes and their total" { column -f 1 -- sh -c 'wc -c /usr/include/*.h'; }
@test "wc: words" { column -f 2 -- sh -c 'wc /usr/include/*.h'; }
@test "cksum: checksums" { column -f 1 -- sh -c 'cksum /usr/include/*.h'; }
@test "cksum: sizes" { column -f 2 -op max -- sh -c 'cksum /usr/include/*.h'; }
@test "sum: checksums with leading zeros" { column -f 1 -- sh -c 'sum /usr/include/*.h'; }
@test "tar -tv: sizes" { column -f 3 --invalid=warn -- sh -c 'tar -C /usr/include -cf - ./arpa ./net | tar -tvf -'; }
@test "gzip -l: compressed sizes and ratios" {
	for i in 1 2 3; do seq "$((i * 1000))" | gzip >"$TMP/$i.gz"; done
	loose 1 gzip -l "$TMP"/[123].gz
	column -d % -f 1 --missing=skip --invalid=ignore -- sh -c "gzip -l '$TMP'/[123].gz | awk '{ print \$3 }'"
}

# --- Text tools

@test "od -td4: words" { column -f 1 -- od -An -v -w4 -td4 -N 400000 "$PSCAN"; }
@test "od -tu1: every token" { column -- od -An -v -tu1 -N 20000 "$PSCAN"; }
@test "od -td8: past 64 bits" { column -- od -An -v -td8 -N 40000 "$PSCAN"; }
@test "od -Ad: offsets" { loose 1 od -Ad -v -tx1 -N 400000 "$PSCAN"; }
@test "seq -f: three decimals" { column -f 1 -- seq -f '%.3f' -5 0.001 5; }
@test "seq -w: leading zeros" { column -f 1 -op min -- seq -w 1000 -1 1; }
@test "nl: numbered lines among empty ones" { loose 1 nl /usr/include/stdlib.h; }
@test "cat -n: line numbers" { column -f 1 -- sh -c 'cat -n </usr/include/stdio.h'; }
@test "uniq -c: counts" { column -f 1 -- sh -c "tr -cs A-Za-z '\\n' </usr/include/stdio.h | sort | uniq -c"; }
@test "grep -c: counts behind colons" { column -d : -f 2 -- sh -c 'grep -c include /usr/include/*.h'; }
@test "grep -bo: offsets before colons" { column -d : -f 1 -- grep -bo the /usr/include/stdio.h; }
@test "factor: first prime factors" { column -f 2 --missing=skip -- factor 0 1 2 91 1000003 18446744073709551557; }
@test "numfmt: plain numbers" { column -f 1 -- sh -c 'seq 0 0.5 2000 | numfmt --from=none --padding=12'; }
@test "pr -n: numbered columns" { loose 1 pr -n /usr/include/stdio.h; }

# --- The system

@test "/proc/meminfo" { loose 2 cat /proc/meminfo; }
@test "/proc/stat: first counters" { loose 2 cat /proc/stat; }
@test "/proc/stat: fields that most lines lack" { column -f 5 --missing=zero --invalid=abort -- cat /proc/stat; }
@test "/proc/vmstat" { column -f 2 -- cat /proc/vmstat; }
@test "/proc/net/dev: bytes received" { loose 2 cat /proc/net/dev; }
@test "/proc/net/snmp: lines of names and lines of numbers" { column -f 3 --invalid=fail --missing=skip -- cat /proc/net/snmp; }
@test "/proc/net/sockstat" { loose 3 cat /proc/net/sockstat; }
@test "/proc/interrupts" { loose 2 cat /proc/interrupts; }
@test "/proc/softirqs" { column -f 2 --invalid=warn -- cat /proc/softirqs; }
@test "/proc/diskstats: sectors read" { column -f 6 -- cat /proc/diskstats; }
@test "/proc/partitions: a heading and an empty line" { column -f 3 --missing=keep --invalid=warn -- cat /proc/partitions; }
@test "/proc/cpuinfo: what is behind colons" { column -d : -f 2 --missing=skip --invalid=ignore -- cat /proc/cpuinfo; }
@test "/proc/loadavg" { column -f 2 -- cat /proc/loadavg; }
@test "/proc/uptime: every token" { column -- cat /proc/uptime; }
# (But masks of processors, which in some digits are numbers.)
@test "/proc/self/status" { loose 2 grep -v _allowed: /proc/self/status; }
@test "/proc/self/smaps" { loose 2 cat /proc/self/smaps; }
@test "/proc/self/mountinfo: parents" { column -f 2 -- cat /proc/self/mountinfo; }
@test "/proc/self/io" { column -d : -f 2 -- cat /proc/self/io; }
@test "/proc/devices" { loose 1 cat /proc/devices; }
@test "/proc/zoneinfo" { loose 2 cat /proc/zoneinfo; }
@test "/etc/passwd: user ids" { column -d : -f 3 -- cat /etc/passwd; }
@test "/etc/group: group ids, the least so far" { column -d : -f 3 -op min -- cat /etc/group; }
@test "/etc/shadow-like empty fields" { column -d : -f 4 --missing=keep -- sh -c "sed 's/x:0:0/x:0:/' /etc/passwd"; }
@test "/etc/protocols: numbers among comments" { loose 2 cat /etc/protocols; }
@test "ps: resident memory" { column -f 2 --invalid=warn -- ps -e -o pid,rss,comm; }
@test "ps aux: shares of the processor" { loose 3 ps aux; }
@test "ps -l: priorities" { loose 8 ps -el; }
@test "vmstat: free memory under two headings" { column -f 4 --invalid=warn -- vmstat; }
@test "vmstat -s" { loose 1 vmstat -s; }
@test "free -b: totals" { loose 2 free -b; }
@test "sysctl -a: what is behind =" { column -d = -f 2 --missing=skip --invalid=ignore -- sysctl -a -r '^(fs|net|vm)[.]'; }
@test "getconf -a: limits, empty or up to 64 bits" { loose 2 getconf -a; }
@test "lscpu -p: CPUs among comments" { column -d , -f 1 --invalid=warn -- lscpu -p; }
@test "ip -s link: counters" { loose 1 ip -s link; }
@test "ss -s: counts in a table" { loose 2 ss -s; }

# --- By the header's names, with comments

@test "df -k: the field called Available" { column -f Available --missing=zero -- df -k; }
@test "ps: the field called RSS" { column -f RSS -op max -- ps -e -o pid,rss,comm; }
@test "vmstat -d: a line of names behind one of groups" { column -f 2 --missing=skip --invalid=ignore -- vmstat -d; }
@test "lscpu -p: comments pass" { column -d , -f 1 '--comment=#' -- lscpu -p; }
@test "/etc/protocols: comments pass, empty lines give nothing" {
	column -f 2 '--comment=#' --missing=skip -- cat /etc/protocols
}
@test "/proc/net/route: the field called Metric" { column -f Metric -- cat /proc/net/route; }
@test "/proc/cgroups: the field called num_cgroups" { column -f num_cgroups -- cat /proc/cgroups; }
@test "/proc/partitions: the field called #blocks" { column -f '#blocks' --missing=skip -- cat /proc/partitions; }

# --- Packages, programs, repositories

@test "dpkg-query: installed sizes" {
	# shellcheck disable=SC2016 # the names are dpkg-query's
	column -d '\t' -f 2 --missing=zero -- dpkg-query -W -f '${Package}\t${Installed-Size}\n'
}
@test "nm -S: sizes in decimal, absent for some" { loose 2 nm -S -t d "$PSCAN"; }
@test "size: sections" { column -f 2 --missing=skip --invalid=ignore -- size -A -d "$PSCAN"; }
@test "size: totals under a heading" { column -f 4 --invalid=warn -- size "$PSCAN" /usr/bin/awk; }
@test "readelf -s: sizes" { loose 3 readelf -sW "$PSCAN"; }
@test "git log: times" { column -f 1 -- git -C "$ROOT" log --format=%at; }
@test "git log --numstat: - for what is no text" {
	column -d '\t' -f 1 --missing=keep -- git -C "$ROOT" log --numstat --format=
}

@test "at least 25 of these formats were tried" {
	[ -e /etc/debian_version ] || skip "this is not Debian"
	[ "$(wc -l <"$BATS_FILE_TMPDIR/ran")" -ge 25 ]
}
