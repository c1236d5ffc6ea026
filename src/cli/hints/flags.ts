/**
 * Each row has a flag of svc and the flags of other trackers that mean the same. If a typed flag is in several rows,
 * the first row whose `ours` is a flag of the command counts.
 */
export const SAME_FLAGS: readonly (readonly [ours: string, theirs: string])[] = [
  ["owner", "--assignee --assignees --assigned --assigned-to --assign --add-assignee --for"],
  [
    "label",
    "--tag --tags --labels --add-label --add-tag --category --type --kind --component -t -T",
  ],
  ["no-label", "--not-label --exclude-label --without-label --no-tag"],
  [
    "body",
    "--desc --description --text --content --note --notes --message --details --comment -b -d",
  ],
  ["body-file", "--file --from-file --description-file --message-file --input -F -f"],
  ["body-stdin", "--stdin"],
  ["title", "--summary --subject --name --rename -t -s"],
  ["message", "--comment --note --notes --description --desc --text --explanation --why -b -d -c"],
  ["status", "--state --stage -s"],
  ["priority", "--pri --prio --importance --severity --urgency"],
  ["limit", "--max --count --take --top --first --head --last --per-page --page-size --size -L"],
  ["changed-since", "--since --updated --updated-after --modified --modified-since --recent"],
  ["order", "--sort --sort-by --order-by"],
  ["after", "--cursor --page --offset --skip --start-after"],
  ["unowned", "--unassigned --no-assignee --no-owner --free --available"],
  [
    "blocked-by",
    "--depends-on --depends --deps --needs --requires --after --waits-for --dependency",
  ],
  ["blocks", "--blocking --before --precedes --add-blocking"],
  ["related", "--relates --relates-to --link --links --see --ref"],
  ["parent", "--epic --milestone --under --in --child-of --set-parent --part-of --story"],
  ["remove-parent", "--no-parent --clear-parent --unset-parent"],
  ["remove-blocked-by", "--remove-dep --rm-dep --remove-dependency --no-blocked-by"],
  ["remove-blocks", "--remove-blocking --no-blocks"],
  ["remove-related", "--remove-link --unlink"],
  ["deadline", "--due --due-date --due-on --until"],
  ["schedule", "--scheduled --defer --defer-until --start-date --wait --snooze --not-before"],
  ["meta", "--metadata --field --property --attr --custom --data"],
  ["force-new", "--allow-duplicate --allow-duplicates --no-dedupe --duplicate-ok --force"],
  ["force", "--yes --steal --take-over --takeover --overwrite --no-confirm -f -y"],
  ["idempotency-key", "--key --request-id --idempotency --dedupe-key"],
  ["if-match", "--revision --expected-revision --rev --version"],
  ["reason", "--resolution --as-reason --close-reason"],
  ["done", "--completed --complete --fixed --resolved --finished"],
  ["wontfix", "--not-planned --cancel --cancelled --canceled --wont-fix --rejected --invalid"],
  ["duplicate-of", "--duplicate --dup --dup-of --same-as"],
  ["superseded-by", "--superseded --replaced-by --supersedes"],
  ["commit", "--sha --hash --commit-sha --commits"],
  ["pr", "--pull-request --mr --merge-request --pull"],
  ["test", "--tests --tested --verified-by --check"],
  ["reviewed", "--files --read --paths --reviewed-paths"],
  ["claim", "--take --grab --start --assign-me --mine"],
  ["lease", "--ttl --hold --lock"],
  ["containers", "--epics --parents --include-parents"],
  ["include-deleted", "--deleted --with-deleted --tombstones"],
  ["fields", "--columns --cols --select --only --show"],
  ["full", "--bodies --body --verbose --detail --long -v"],
  ["render", "--markdown --md --pretty"],
  ["all", "--all-projects --global --everywhere --all-repos"],
  ["all-projects", "--global --everywhere"],
  ["at", "--as-of --when --on"],
  ["tail", "--follow --watch --stream --live -f"],
  ["issue", "--id --ref --key"],
  ["type", "--event --events --kinds"],
  ["actor", "--author --by --user --who --person -u -A"],
  ["since", "--from --after --days --start --last"],
  ["until", "--to --end"],
  ["output", "--out --to --dest --destination --path --file -f"],
  ["input", "--file --from --path --source -f -i"],
  ["source-format", "--from-format --source-type"],
  ["with-agents", "--agents --agents-md --claude --agent-instructions"],
  ["to", "--recipient --user --owner --address -u"],
  ["dry-run", "--dry --what-if --preview --check --simulate"],
  ["format", "--output --output-format --fmt -o -f"],
  ["quiet", "--silent --ids-only --id-only --ids -s"],
  ["project", "--prefix --name --repo --repository --team --board -R"],
  ["as", "--actor --user --author --reporter --by --whoami --agent-name --me -u -A"],
  ["workspace", "--cwd --dir --directory --path --root -C"],
];

/** For each flag of another tracker, the command line of svc that does what the flag means. */
type Lines = Readonly<Record<string, string>>;

const ISSUE_FLAGS: Lines = linesOf([
  [
    "svc label add <ref> <label>",
    "--label --labels --add-label --add-labels --tag --tags --add-tag --type --kind --set-label -l",
  ],
  [
    "svc label rm <ref> <label>",
    "--remove-label --remove-labels --rm-label --delete-label --untag --remove-tag --no-label --unlabel",
  ],
  [
    "svc assign <ref> <owner>",
    "--owner --assignee --assign --assigned-to --add-assignee --user -a",
  ],
  [
    "svc unassign <ref>",
    "--unassign --unclaim --release --no-assignee --remove-assignee --clear-owner --unowned --remove-owner --clear-assignee",
  ],
  ["svc claim <ref>", "--claim --take --start --mine --assign-me --in-progress"],
  [
    'svc done <ref> --commit <sha> -m "<message>", svc reopen <ref>, or svc claim <ref>',
    "--status --state --set-status --stage -s",
  ],
  [
    'svc close <ref> --done --commit <sha> -m "<message>"',
    "--close --closed --done --complete --resolve --resolved --finish",
  ],
  ["svc reopen <ref>", "--reopen --open --unclose"],
  ["svc deadline <ref> <date>", "--due --due-date --deadline --due-on --until"],
  [
    "svc schedule <ref> <date>",
    "--defer --defer-until --schedule --scheduled --start-date --wait --snooze --not-before",
  ],
  [
    "svc meta set <ref> <key> <value>",
    "--meta --metadata --set --field --estimate --points --custom --property --data --set-metadata",
  ],
  ["svc meta unset <ref> <key>", "--unset --remove-field --unset-metadata"],
  [
    'svc comment <ref> -m "<text>"',
    "--comment --add-comment --note --notes --append-notes --add-note",
  ],
  ["svc edit <ref> --priority <n>", "--priority --pri --prio -p"],
  ['svc edit <ref> --title "<title>"', "--title --name --summary --rename"],
  ['svc edit <ref> --body "<text>"', "--body --description --desc"],
  ["svc dep add <ref> <other>", "--blocked-by --depends-on --deps --needs --add-dep"],
  ["svc block <ref> <other>", "--blocks"],
  ["svc link <ref> related <other>", "--related --relates-to --link"],
  ["svc link <ref> child-of <other>", "--parent --epic --milestone"],
  ["svc log <ref>", "--history --log --events --activity --changes --changelog"],
  ["svc graph <ref>", "--tree --deps --dependencies --children --graph --links"],
  ["svc ui <ref>", "--web --browser -w"],
  ["svc tui", "--interactive -i"],
]);

const LIST_FLAGS: Lines = linesOf([
  [
    "svc search <words>",
    "--search --grep --query --text --title --title-contains --contains --find -S -q",
  ],
  ["svc list --status closed", "--closed --done --completed --archived --resolved"],
  ["svc list --status all", "--include-closed --with-closed --any --everything"],
  ["svc list --owner <owner>", "--mine --me --my --assigned-to-me"],
  ["svc ready", "--ready --open --unblocked --actionable --available --todo"],
  ["svc holders", "--in-progress --wip --active --stale --started --claimed"],
  [
    "svc tui",
    "--sort --sort-by --order-by --reverse --order --group-by --interactive --board -i -r",
  ],
  ["svc ui", "--web --browser -w"],
  ["svc events --tail", "--follow --watch -f"],
  ["svc graph <ref>", "--tree --deps --children --graph --hierarchy"],
  ["svc digest --since 24h", "--stats --created --created-after"],
  ["svc list --json", "--csv --jsonl --ndjson --raw --columns --fields"],
]);

const FLAGS_BY_COMMAND: Readonly<Record<string, Lines>> = {
  create: linesOf([
    ['svc create "<title>"', "--title --summary --subject --name -t -s"],
    ["svc claim <ref>", "--claim --start --take --in-progress --status --state"],
    ['svc create "<title>" --meta estimate=3', "--estimate --points --size"],
    ['svc create "<title>" --body-file <file>', "--template --editor --edit -e"],
    ["svc plan apply plan.json", "--bulk --batch --graph --markdown"],
    ["svc search <words>", "--dry-run --check-duplicates"],
    ["svc ui", "--web --browser -w"],
    ["svc tui", "--interactive -i"],
  ]),
  claim: linesOf([
    ["svc lease acquire <ref> --ttl 30m", "--ttl --lease --for --timeout --exclusive --expires"],
  ]),
  search: linesOf([
    ["svc search <words>", "--query --text --title --body --in --all --exact --regex"],
    ["svc search <words> --status open", "--state --open -s"],
    ["svc search <words> --status closed", "--closed"],
    ["svc search <words> --owner <owner>", "--assignee"],
    ["svc search <words> --parent <ref>", "--epic"],
    ["svc search <words> --changed-since 24h", "--since --updated"],
  ]),
  show: linesOf([
    ["svc show <ref>", "--comments --full --long --details --verbose --labels -c -v"],
  ]),
};

/** Every command line that these tables propose; a test checks them. */
export const FLAG_LINES: readonly string[] = [
  ISSUE_FLAGS,
  LIST_FLAGS,
  ...Object.values(FLAGS_BY_COMMAND),
].flatMap((lines) => Object.values(lines));

const LIST_COMMANDS: ReadonlySet<string> = new Set(["list", "ready", "next", "search"]);

interface KnownFlags {
  /** The names of the command's flags, without dashes. */
  readonly flags: ReadonlySet<string>;
  readonly args: readonly string[];
}

export function flagHint(
  command: string,
  typed: string,
  { flags, args }: KnownFlags,
): string | undefined {
  const word = typed.replaceAll("_", "-");
  const line = own(FLAGS_BY_COMMAND[command] ?? {}, word);
  if (line !== undefined) return `use ${line}`;
  const same = SAME_FLAGS.find(
    ([ours, theirs]) => flags.has(ours) && theirs.split(" ").includes(word),
  );
  if (same !== undefined) return `did you mean --${same[0]}?`;
  const general = LIST_COMMANDS.has(command) ? LIST_FLAGS : args[0] === "ref" ? ISSUE_FLAGS : {};
  const other = own(general, word);
  return other === undefined ? undefined : `use ${other}`;
}

function linesOf(rows: readonly (readonly [line: string, flags: string])[]): Lines {
  return Object.fromEntries(
    rows.flatMap(([line, flags]) => flags.split(" ").map((flag) => [flag, line])),
  );
}

function own(lines: Lines, word: string): string | undefined {
  return Object.hasOwn(lines, word) ? lines[word] : undefined;
}
