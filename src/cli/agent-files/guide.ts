export const QUICKSTART = `svc keeps issues beside your code. A small daemon starts by itself; there is nothing to set up.
Once per repository: svc init; with --with-agents it also tells coding agents, in AGENTS.md.

The loop; <ref> is an issue's id, such as abc4
  svc whoami                                     who you are; an agent exports SVC_AUTHOR=<name>, a name of its own
  svc list --owner <name>                        resume what you have begun
  svc inbox                                      and see what others ask of you
  svc next --claim                               take one: ready, owned by nobody, yours in one step
  svc show <ref>                                 read it; svc why <ref> says what stands in its way
  svc comment <ref> -m "<what you learned>"      leave a trail
  svc search "<words>"                           what you find and do not fix: look whether it is filed
  svc create "<title>" --body "<text>"           if not, file it; --parent, --blocks, --blocked-by <other>
  svc close <ref> --done --commit <sha> -m "<what now holds, 40 characters or more>"

Handing over what you do not finish
  svc comment <ref> -m "<what is done, what is next>"
  svc unassign <ref>                             anybody may take it
  svc assign <ref> <other>                       or it is for somebody, whom you ask:
  svc notify <ref> --to <other> --message "<what you need>"
  svc notify <ref> --to <name> --clear           you handled what was asked of you

Closing has rules, so that a closed issue can be trusted
  --done             a message of 40 characters and evidence: --commit, --pr, --test or --reviewed
  --wontfix          a message of 60 characters
  --duplicate-of     the other issue and a message of 20 characters; --superseded-by likewise
  --audit-no-change  a message of 40 characters and --evidence no-change-audit:<why>
  An issue with open children cannot be closed before they are.

More: list, ready, graph, log, digest, holders, events --tail, wait, undo, plan apply; svc --help names them all.
Every command prints for people by default, short lines for agents with --agent, JSON with --json, refs alone with -q,
never asks a question when no one is at the terminal, and explains itself with --help.`;

/** The exit codes, as `svc quickstart --format contract` and the generated docs/commands.md list them. */
export const EXIT_CODE_GUIDE = `  0 success, changes that changed nothing included   5 conflict with the current state
  1 internal error                                   6 a confirmation or a revision does not match
  2 the command line is wrong                        7 no daemon, or the connection broke
  3 a value is not valid                             8 a time limit passed
  4 not found                                        9 --claim or --lease found nothing left to take
  130 interrupted by ctrl-c: 128 and the number of the signal, as shells have it; so also 143 for SIGTERM`;

export const CONTRACT = `svc command contract, agent format 1

Output
  --json    one JSON object on one line on stdout, first key svc_api_version; errors as {"error": {...}} on stderr
  --agent   plain text whose first word is OK or ERR; lists are "OK <cmd> count=N" and rows "- key=value ..."
  -q        for people: only the refs of the issues that the answer names, one a line; no lone OK line;
            errors are never left out
  stdout carries results and nothing else; warnings, hints and progress go to stderr
  values with spaces, quotes, backslashes or line breaks are JSON strings; absent values are left out
  longer texts stand in a fence of backticks; new fields are only ever appended

Exit codes
${EXIT_CODE_GUIDE}

Retries
  create --idempotency-key K     the same key and content answers with the issue that exists already
  close --idempotency-key K      the same for a close; --if-match N refuses when the revision has moved on
  next --claim --idempotency-key K   the same claim again while it is held; else claim_expired (exit 5), take
                                 with a new key; --lease as well
  exit 7 with "result may be unknown" means: repeat with the same key, or look before repeating

Closing
  done             message of at least 40 characters; commit, pr, test, reviewed-paths or external evidence
  wontfix          message of at least 60 characters; no evidence
  duplicate        message of at least 20 characters; exactly one duplicate-of
  superseded       message of at least 20 characters; exactly one superseded-by
  audit-no-change  message of at least 40 characters; exactly one no-change-audit, reviewed-paths as you like
  an issue with open children cannot be closed

Refs
  abc4, project#abc4 or a 26-character uid; never a number
  a word with a dash in front is a flag: put -- before a title such as --help`;

export const AGENTS_BEGIN = "<!-- svc:begin -->";
export const AGENTS_END = "<!-- svc:end -->";

/** The block that `svc init --with-agents` writes into the instruction files of coding agents. */
export const AGENTS_BLOCK = `${AGENTS_BEGIN}
## Issues

Work in this repository is tracked with \`svc\`: every task you take up, and every problem you find and do not fix at once. Add \`--agent\` (short lines) or \`--json\` to any command; never edit the database.

1. **Have a name of your own** and keep it: \`export SVC_AUTHOR=<name>\` in each shell, or \`--as <name>\` in each command. \`svc whoami\` says who you are; without a name you act as the person at this machine.
2. **Resume first**: \`svc list --owner <name> --agent\` is what you have begun, \`svc inbox --agent\` what others ask of you (\`svc notify <ref> --to <name> --clear\` when it is handled).
3. **Take one**: \`svc next --claim --agent\` makes a ready issue that nobody has yours, in one step; \`svc show <ref> --agent\` to read it. Do not take what somebody else owns.
4. **Leave a trail**: \`svc comment <ref> -m "<what you learned>"\`.
5. **Search before you file**: \`svc search "<words>" --agent\`, then \`svc create "<title>" --body "<text>" --agent\`, linked with \`--parent\`, \`--blocks\` or \`--blocked-by\`.
6. **Close with evidence** when it is checked: \`svc close <ref> --done --commit <sha> -m "<what now holds, 40 characters or more>"\`. Not done: \`--wontfix\` (60 characters), \`--duplicate-of <other>\` (20).
7. **Hand over** what you do not finish: comment what is done and what is next, then \`svc unassign <ref>\`; for somebody in particular \`svc assign <ref> <other>\` and \`svc notify <ref> --to <other> --message "<what you need>"\`.

\`svc why <ref>\` says what stands in the way of an issue. \`svc quickstart --format contract\` has exit codes and retry rules.
${AGENTS_END}`;

/**
 * Replaces the block between `<!-- svc:begin -->` and `<!-- svc:end -->`, or appends the block if the text has none.
 */
export function withAgentsBlock(text: string): string {
  const begin = text.indexOf(AGENTS_BEGIN);
  const end = text.indexOf(AGENTS_END, begin);
  if (begin !== -1 && end !== -1) {
    return text.slice(0, begin) + AGENTS_BLOCK + text.slice(end + AGENTS_END.length);
  }
  const before = text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
  return `${before}${AGENTS_BLOCK}\n`;
}
