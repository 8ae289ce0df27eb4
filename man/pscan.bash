# Completion of pscan's long options and of their values for bash. Installed as completions/pscan, or sourced, once src/tools/completions.awk
# has put in the options and their values.
# shellcheck shell=bash

# The words that an option's value may be; nothing for the name of a file or a number. The operators are what the program that
# is completed lists.
_pscan_values() {
	case $1 in
	-op | --op | --show-operator) "$program" --list-operators 2>/dev/null | cut -d ' ' -f 1 | sed 's/:A$/:/' ;;
	# @values@
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
		words='@options@'
		;;
	*)
		# The word after --gzip, --zstd or --stats is a file.
		[[ $option == --gzip || $option == --zstd || $option == --stats ]] || words=$(_pscan_values "$option")
		;;
	esac
	# The accumulator's type.
	case $option in
	-t | --type)
		if [[ $value == *:* ]]; then
			value=${value##*:}
			words=${words#num dec text }
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
