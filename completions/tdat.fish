# SPDX-License-Identifier: GPL-2.0-or-later
# Completes tdat's words in fish: what is no option, value or name out of the file is a file.
function __tdat_answers
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c tdat -f -n 'test (count (__tdat_answers)) -gt 0' -a '(__tdat_answers)'
complete -c tdat -F -n 'test (count (__tdat_answers)) -eq 0'
