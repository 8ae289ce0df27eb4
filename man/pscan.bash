# Completion of pscan's long options and of their values for bash. Installed as completions/pscan, or sourced.
# shellcheck shell=bash

# The words that an option's value may be; nothing for the name of a file or a number. The operators are what the program that
# is completed lists.
_pscan_values() {
	case $1 in
	-op | --op | --show-operator) "$program" --list-operators 2>/dev/null | cut -d ' ' -f 1 | sed 's/:A$/:/' ;;
	-t | --type) echo num dec i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 ;;
	--missing) echo fail skip keep hold zero ;;
	--nan) echo propagate fail skip keep hold zero ;;
	--invalid) echo abort fail warn ignore ;;
	-D | --device) echo auto none gpu cpu ;;
	--format) echo auto text binary ;;
	--output-format) echo text binary ;;
	--overflow) echo error wrap ;;
	--gzip) echo 1 2 3 4 5 6 7 8 9 ;;
	--stats) echo json ;;
	--algorithm) echo blelloch hillis-steele sequential ;;
	esac
}

_pscan() {
	local program=${1:-pscan} line=${COMP_LINE:0:COMP_POINT}
	local word=${line##*[[:space:]]}
	local before=${line%"$word"}
	before=${before%"${before##*[![:space:]]}"}
	local option=${before##*[[:space:]]} value=$word words='' kept
	COMPREPLY=()
	case $word in
	--*=* | -op=*)
		option=${word%%=*}
		value=${word#*=}
		words=$(_pscan_values "$option")
		;;
	-*)
		words='-op --op= --map= --emit= --check-associative --columns= --inclusive --exclusive --include-initial --seed= --total --overflow= --format= --output-format=
			--type= --field= --group= --by= --reset-on= --reset-every= --reset-at= --reset-gap= --window= --delimiter= --csv --tsv --log --logfmt --json --header --header= --comment= --append --as= --replace --number-format=
			--missing= --missing-marks= --nan= --invalid= --line-buffered --gzip --gzip= --output= --no-mmap --device= --list-devices --list-operators
			--show-operator= --chunk-size= --threads= --stats --stats= --no-sandbox --algorithm= --trace= --verify --quiet --verbose --help --version'
		;;
	*)
		# The word after --gzip or --stats is a file.
		[[ $option == --gzip || $option == --stats ]] || words=$(_pscan_values "$option")
		;;
	esac
	# The accumulator's type.
	case $option in
	-t | --type)
		if [[ $value == *:* ]]; then
			value=${value##*:}
			words=${words#num dec }
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$value")
	# Readline replaces what is after the last of its word breaks; what is before it must not be repeated.
	kept=${word%"$value"}
	[[ $COMP_WORDBREAKS != *=* ]] || kept=${kept##*=}
	[[ $COMP_WORDBREAKS != *:* ]] || kept=${kept##*:}
	COMPREPLY=("${COMPREPLY[@]/#/$kept}")
	# The value follows at once.
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	return 0
}

complete -o default -F _pscan pscan
