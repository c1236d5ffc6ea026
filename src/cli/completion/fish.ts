import type { Completions, Offer, Values } from "./model.ts";

/** The fish functions that complete a word when a person presses Tab. They run no program and start no daemon. */
export function fishScript({ commands, flags: everywhere, below }: Completions): string {
  const known = new Set([...commands.map(({ name }) => name), ...below.keys()]);
  known.delete("");
  return `# fish completion for svc; svc completion fish writes it.

function __svc_known
    contains -- $argv[1] ${[...known].map(quoted).join(" ")}
end

function __svc_below
    switch "$argv[1]"
${[...below].map(([name, offers]) => `        case ${quoted(name)}\n            ${printCommand(offers)}`).join("\n")}
    end
end

function __svc_flags
    switch "$argv[1]"
${commands
  .filter(({ flags }) => flags.length > 0)
  .map(({ name, flags }) => `        case ${quoted(name)}\n            ${printCommand(flags)}`)
  .join("\n")}
    end
    ${printCommand(everywhere)}
end

# What may follow a flag; fails if it takes no value.
function __svc_values
    switch "$argv[1] $argv[2]"
${commands
  .flatMap(({ name, flags }) =>
    flags.flatMap(({ word, values }) =>
      values === undefined
        ? []
        : [`        case ${quoted(`${name} ${word}`)}\n            ${valuesCommand(values)}`],
    ),
  )
  .join("\n")}
        case '*'
            switch "$argv[2]"
${everywhere.flatMap(({ word, values }) => (values === undefined ? [] : [`                case ${quoted(word)}\n                    ${valuesCommand(values)}`])).join("\n")}
                case '*'
                    return 1
            end
    end
end

function __svc_args
    switch "$argv[1] $argv[2]"
${commands
  .flatMap(({ name, args }) =>
    args.map(
      (values, place) =>
        `        case ${quoted(`${name} ${place}`)}\n            ${valuesCommand(values)}`,
    ),
  )
  .join("\n")}
    end
end

function __svc_offer
    if test "$argv" = @files
        __fish_complete_path (commandline -ct)
    else if test -n "$argv"
        printf '%s\\n' $argv
    end
end

function __svc_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l name ''
    set -l waits ''
    set -l ended 0
    set -l args 0
    set -e words[1]
    for word in $words
        if test $ended = 1
            set args (math $args + 1)
        else if test -n "$waits"
            set waits ''
        else if test "$word" = --
            set ended 1
        else if string match -q -- '-*' $word
            __svc_values "$name" "$word" >/dev/null; and set waits $word
        else if test $args = 0; and __svc_known (string trim -- "$name $word")
            set name (string trim -- "$name $word")
        else
            set args (math $args + 1)
        end
    end
    if test -n "$waits"
        __svc_offer (__svc_values "$name" "$waits")
    else if test $ended = 0; and string match -q -- '-*=*' "$typed"
        set -l flag (string split -m 1 -- = $typed)[1]
        for value in (__svc_values "$name" "$flag")
            test "$value" = @files; or echo "$flag=$value"
        end
    else if test $ended = 0; and string match -q -- '-*' "$typed"
        __svc_offer (__svc_flags "$name")
    else
        set -l offers
        test $args = 0; and test $ended = 0; and set offers (__svc_below "$name")
        test -z "$offers"; and set offers (__svc_args "$name" $args)
        __svc_offer $offers
    end
end

complete -c svc -f -a '(__svc_complete)'
`;
}

function printCommand(offers: readonly Offer[]): string {
  return `printf '%s\\n' ${offers.map(({ word, summary }) => quoted(`${word}\t${summary}`)).join(" ")}`;
}

function valuesCommand(values: Values): string {
  if (values === "anything") return "true";
  return values === "files" ? "echo @files" : `printf '%s\\n' ${values.map(quoted).join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
