import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";

/**
 * Writes an export file as the tracker beads makes it. The issues have no links, titles of six words, bodies of forty
 * words and two labels. A third of the issues is closed. The same number of issues always gives the same bytes. 20,000
 * issues are 9.3 MB.
 */
export function writeBeadsFile(file: string, issues: number): void {
  const lines = Array.from({ length: issues }, (_, at) => JSON.stringify(beadsRecord(at)));
  writeFileSync(file, `${lines.join("\n")}\n`);
}

/** Writes the issues of `writeBeadsFile` in the form that `task import` reads, with the body as an annotation. */
export function writeTaskwarriorFile(file: string, issues: number): void {
  writeFileSync(
    file,
    JSON.stringify(Array.from({ length: issues }, (_, at) => taskwarriorTask(beadsRecord(at)))),
  );
}

function taskwarriorTask({ title, description, status, updated_at, labels }: BeadsRecord): object {
  const time = updated_at.replace(/[-:]|\.\d+/g, "");
  return {
    uuid: randomUUID(),
    description: title,
    annotations: [{ entry: time, description }],
    entry: time,
    modified: time,
    tags: labels,
    ...(status === "closed" ? { status: "completed", end: time } : { status: "pending" }),
  };
}

type BeadsRecord = ReturnType<typeof beadsRecord>;

const START_MS = Date.parse("2025-01-01T00:00:00Z");

function beadsRecord(at: number) {
  const time = new Date(START_MS + at * 60_000).toISOString();
  const closed = at % 3 === 0;
  return {
    id: `bd-${at}`,
    title: wordsOf(at, 6),
    description: wordsOf(at * 7 + 1, 40),
    status: closed ? "closed" : "open",
    priority: at % 5,
    issue_type: "task",
    created_at: time,
    updated_at: time,
    ...(closed ? { closed_at: time } : {}),
    labels: [`area-${at % 20}`, `team-${at % 7}`],
  };
}

function wordsOf(at: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `w${(at * 31 + i * 17) % 5000}`).join(" ");
}
