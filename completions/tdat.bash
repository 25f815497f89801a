# SPDX-License-Identifier: GPL-2.0-or-later
# Completes tdat's words in bash: what is no option, value or name out of the file is a file.
_tdat() {
	local cur words cword line
	if declare -F _init_completion >/dev/null; then
		_init_completion -n := || return
	else
		cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
	fi
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("$line")
	done < <("${words[0]}" __complete "${words[@]:1:cword}" 2>/dev/null)
	# Of "--event=sched" bash replaces only what is behind the sign.
	if [[ $cur == *=* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
	fi
	[[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default 2>/dev/null
}
complete -F _tdat tdat
