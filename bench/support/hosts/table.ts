import { type HostTrial, serveFlags } from "../../../src/cli/agent-hosts/tried.ts";

const COLUMNS = [
  ...["Host", "Version", "Tried", "Lists again", "Its model gets", "Pays twice", "Dots"],
  ...["`svc mcp install` writes", "Steps"],
];
const STEPS = 6;
/** Matches the table in docs/mcp.md, from its header to its last row. */
const TABLE = /\| Host \| Version \|.*\n(?:\|.*\n)+/;

/** The table of docs/mcp.md: how each host behaved, and the flags that svc writes for it. */
export function hostTable(rows: readonly HostTrial[]): string {
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

/** Replaces the table in the text. */
export function withHostTable(text: string, rows: readonly HostTrial[]): string {
  return text.replace(TABLE, `${hostTable(rows)}\n`);
}
