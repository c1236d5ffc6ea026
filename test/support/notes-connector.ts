import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROGRAM = join(import.meta.dirname, "..", "..", "examples", "connectors", "files.mjs");

/** A tracker: a folder with the file `ship.md`, which the connector `notes` of examples/connectors reads. */
export interface Notes {
  /** What config.toml says of it. */
  readonly toml: string;
  text(): string;
  /** Replaces a part of the file, as somebody does who edits it. */
  edit(from: string, to: string): void;
}

export function notesIn(folder: string): Notes {
  const file = join(folder, "ship.md");
  writeFileSync(file, "---\ndue: 2030-03-01\n---\n# Ship it\n\nAll of it.\n");
  const text = (): string => readFileSync(file, "utf8");
  return {
    toml: [
      "[[connector]]",
      'id = "notes"',
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${JSON.stringify(PROGRAM)}]`,
      `settings = { folder = ${JSON.stringify(folder)} }`,
      "",
    ].join("\n"),
    text,
    edit: (from, to) => {
      if (!text().includes(from)) throw new Error(`the file has no ${from}`);
      writeFileSync(file, text().replace(from, to));
    },
  };
}
