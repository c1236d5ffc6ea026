import {
  deletedIn,
  type ImportAccount,
  type ImportAccountRow,
  NO_WORK,
  type Outcome,
  type Section,
} from "./account.ts";

const HEADINGS: readonly (readonly [Section, string])[] = [
  ["statuses", "Issues by status"],
  ["types", "Issues by type, without tombstones"],
  ["edges", "Edges by kind"],
  ["comments", "Comments"],
  ["labels", "Labels"],
  ["dates", "Dates, without tombstones"],
  ["fields", "Fields, without tombstones"],
  ["filled", "Filled in by svc"],
];

const KEPT_ISSUES_SECTIONS: ReadonlySet<Section> = new Set(["types", "dates", "fields"]);

const NAME_WIDTH = 22;
const COUNT_WIDTH = 7;

/**
 * Formats the import's report for people: what the file contained and what became of it, in lines of at most `width`
 * characters.
 */
export function reportAccount(account: ImportAccount, width = 80): string {
  const lines = [headline(account)];
  const files = (account.files ?? []).flatMap((row) => reportRow(row, width));
  if (files.length > 0) lines.push("", "Files read", ...files);
  for (const [section, heading] of HEADINGS) {
    const rows = account[section].flatMap((row) =>
      reportRow(readableRow(section, row, deletedIn(account.format)), width),
    );
    if (rows.length > 0) lines.push("", heading, ...rows);
  }
  if (account.label_collisions.length > 0) {
    lines.push("", "Labels that became one");
    for (const { label, from } of account.label_collisions) {
      lines.push(...wrap(`${label}: ${from.join(", ")}`, "  ", width));
    }
  }
  for (const { type, ids } of account.no_work ?? []) {
    lines.push("", `Left out, since type ${type} is no work`, ...idLines(ids, width));
  }
  for (const [what, words] of Object.entries(account.unmapped ?? {})) {
    if (words.length === 0) continue;
    lines.push("", `Without a rule in the mapping file: ${what}`);
    lines.push(...wrap(words.join(", "), "  ", width));
  }
  return lines.join("\n");
}

/** The maximum number of ids that the text for people lists; --json lists all. */
const NAMED_IDS = 20;

function idLines(ids: readonly string[], width: number): readonly string[] {
  const more = ids.length - NAMED_IDS;
  const rest = more > 0 ? ` and ${withSeparators(more)} more (--json names all)` : "";
  return wrap(
    `${withSeparators(ids.length)}: ${ids.slice(0, NAMED_IDS).join(", ")}${rest}`,
    "  ",
    width,
  );
}

function headline(account: ImportAccount): string {
  const parts = [
    `${withSeparators(account.issues)} issues read, ${withSeparators(account.kept)} for svc`,
  ];
  if (account.tombstones > 0)
    parts.push(`${withSeparators(account.tombstones)} tombstones left out`);
  const noWork = (account.no_work ?? []).reduce((sum, { ids }) => sum + ids.length, 0);
  if (noWork > 0) parts.push(`${withSeparators(noWork)} that are no work left out`);
  if (account.superseded > 0)
    parts.push(`${withSeparators(account.superseded)} older copies left out`);
  for (const [kind, count] of Object.entries(account.other_records)) {
    parts.push(`${withSeparators(count)} records of type ${kind} left out`);
  }
  return parts.join("; ");
}

/**
 * Removes from a row the values of issues that are not imported. The headline says how many such issues there are. If
 * every field repeated that number, the other outcomes would be hard to find.
 */
function readableRow(section: Section, row: ImportAccountRow, deleted: string): ImportAccountRow {
  if (!KEPT_ISSUES_SECTIONS.has(section)) return row;
  return {
    ...row,
    outcomes: row.outcomes.filter((outcome) => outcome.why !== deleted && outcome.why !== NO_WORK),
  };
}

function reportRow(row: ImportAccountRow, width: number): readonly string[] {
  const indent = " ".repeat(2 + NAME_WIDTH + COUNT_WIDTH + 2);
  return row.outcomes.flatMap((outcome, at) => {
    const name = at === 0 ? row.name : "";
    const own = name.length > NAME_WIDTH ? [`  ${name}`] : [];
    const start = `  ${(own.length > 0 ? "" : name).padEnd(NAME_WIDTH)}${withSeparators(outcome.count).padStart(COUNT_WIDTH)}  `;
    const [first = "", ...rest] = wrap(describe(outcome), indent, width);
    return [...own, start + first.trimStart(), ...rest];
  });
}

function describe(outcome: Outcome): string {
  const what = outcome.kind === "dropped" ? "left out" : (outcome.to ?? "kept");
  return outcome.why === undefined ? what : `${what}: ${outcome.why}`;
}

function wrap(text: string, indent: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line !== indent && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}

function withSeparators(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
