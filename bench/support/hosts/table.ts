import { serveFlags, type Tried } from "../../../src/cli/agent-hosts/tried.ts";

const COLUMNS = [
  ...["Host", "Version", "Tried", "Lists again", "Its model gets", "Pays twice", "Dots"],
  ...["`svc mcp install` writes", "Steps"],
];
const STEPS = 6;
/** The table in the page, from its head to its last row. */
const TABLE = /\| Host \| Version \|.*\n(?:\|.*\n)+/;

/** The table of docs/mcp.md: what was seen of each host, and the flags that follow from it. */
export function hostTable(rows: readonly Tried[]): string {
  const lines = rows.map((row) => [
    row.title,
    `\`${row.package}\` ${row.version}`,
    row.date,
    row.lists_again,
    row.reads,
    row.copies > 1 ? "yes" : "no",
    row.dots,
    row.client === undefined ? "as for any other host" : flagsText(row.client),
    `${row.steps} of ${STEPS}`,
  ]);
  const others = ["any other", "", "", "", "", "", "", flagsText(undefined), ""];
  const rule = COLUMNS.map(() => "---");
  return [COLUMNS, rule, ...lines, others].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function flagsText(client: string | undefined): string {
  return `\`${serveFlags(client).join(" ")}\``;
}

/** Puts the table in the place of the one that the text has. */
export function withHostTable(text: string, rows: readonly Tried[]): string {
  return text.replace(TABLE, `${hostTable(rows)}\n`);
}
