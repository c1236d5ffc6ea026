import type { Completions, Offer, Values } from "./model.ts";

/** The bash functions that complete a word when a person presses Tab. They run no program and start no daemon. */
export function bashScript({ commands, flags: everywhere, below }: Completions): string {
  return `# bash completion for svc; svc completion bash writes it.

__svc_known() {
  case $1 in
${commands.map(({ name }) => `  ${quoted(name)}) ;;`).join("\n")}
${topicsBranch(below)}
  *) return 1 ;;
  esac
}

__svc_below() {
  case $1 in
${[...below].map(([name, offers]) => `  ${quoted(name)}) ${printCommand(offers)} ;;`).join("\n")}
  esac
}

__svc_flags() {
  case $1 in
${commands
  .filter(({ flags }) => flags.length > 0)
  .map(({ name, flags }) => `  ${quoted(name)}) ${printCommand(flags)} ;;`)
  .join("\n")}
  esac
  ${printCommand(everywhere)}
}

# What may follow a flag; fails if it takes no value.
__svc_values() {
  case "$1 $2" in
${commands
  .flatMap(({ name, flags }) =>
    flags.flatMap(({ word, values }) =>
      values === undefined ? [] : [`  ${quoted(`${name} ${word}`)}) ${valuesCommand(values)} ;;`],
    ),
  )
  .join("\n")}
  *)
    case $2 in
${everywhere.flatMap(({ word, values }) => (values === undefined ? [] : [`    ${word}) ${valuesCommand(values)} ;;`])).join("\n")}
    *) return 1 ;;
    esac ;;
  esac
}

__svc_args() {
  case "$1 $2" in
${commands
  .flatMap(({ name, args }) =>
    args.map((values, place) => `  ${quoted(`${name} ${place}`)}) ${valuesCommand(values)} ;;`),
  )
  .join("\n")}
  esac
}

_svc_autocomplete() {
  local cur=\${COMP_WORDS[COMP_CWORD]} word command= waits= ended= lines= args=0 i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then continue
    elif [[ -n $ended ]]; then ((args += 1))
    elif [[ -n $waits ]]; then waits=
    elif [[ $word == -- ]]; then ended=1
    elif [[ $word == -* ]]; then __svc_values "$command" "$word" >/dev/null && waits=$word
    elif ((args == 0)) && __svc_known "\${command:+$command }$word"; then command+="\${command:+ }$word"
    else ((args += 1))
    fi
  done
  # bash gives --flag=value as three words.
  [[ $cur == = ]] && cur=
  if [[ -n $waits ]]; then lines=$(__svc_values "$command" "$waits")
  elif [[ $cur == -* && -z $ended ]]; then lines=$(__svc_flags "$command")
  else
    ((args == 0)) && [[ -z $ended ]] && lines=$(__svc_below "$command")
    [[ -z $lines ]] && lines=$(__svc_args "$command" "$args")
  fi
  local IFS=$'\\n'
  if [[ $lines == @files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
    return
  fi
  local line matching=()
  while read -r line; do
    [[ -n $line && $line == "$cur"* ]] && matching+=("$line")
  done <<<"$lines"
  # Summaries are shown where bash only lists and inserts nothing of them.
  if [[ \${COMP_TYPE-} != 63 || \${#matching[@]} -lt 2 ]]; then
    for line in \${matching[@]+"\${matching[@]}"}; do COMPREPLY+=("\${line%%$'\\t'*}"); done
  else
    for line in "\${matching[@]}"; do
      if [[ $line == *$'\\t'* ]]; then
        COMPREPLY+=("$(printf '%-22s (%s)' "\${line%%$'\\t'*}" "\${line#*$'\\t'}")")
      else COMPREPLY+=("$line")
      fi
    done
  fi
}

complete -F _svc_autocomplete svc
`;
}

/**
 * One branch of the `case` in the shell function `__svc_known`. It matches words that only begin a command, such as
 * `cron` or `cron job`. Words that are also a complete command have matched an earlier branch.
 */
function topicsBranch(below: Completions["below"]): string {
  const names = [...below.keys()].filter((name) => name !== "");
  return `  ${names.map(quoted).join(" | ")}) ;;`;
}

function printCommand(offers: readonly Offer[]): string {
  return `printf '%s\\n' ${offers.map(({ word, summary }) => quoted(`${word}\t${summary}`)).join(" ")}`;
}

function valuesCommand(values: Values): string {
  if (values === "anything") return ":";
  return values === "files" ? "echo @files" : `printf '%s\\n' ${values.map(quoted).join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
