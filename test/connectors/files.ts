import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConnectorEntry } from "../../src/config/connectors.ts";
import { folderWith } from "../config/folder.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "examples", "connectors", "files.mjs");
const LOSES = join(import.meta.dirname, "programs", "loses-answers.mjs");

export interface FilesConnector {
  readonly entry: ConnectorEntry;
  /** The folder of its files, which is its setting. */
  readonly folder: string;
  read(name: string): string;
  /** Writes a file, as a person does who edits it. Each time is later than the one before. */
  write(name: string, text: string): void;
  rename(name: string, to: string): void;
  /** The next call of the method does its work, and its answer is lost. */
  loseNext(method: string): void;
}

/** A connector of examples/connectors, whose roots are the Markdown files of a folder of the test. */
export function filesConnector(
  files: Readonly<Record<string, string>>,
  id = "files",
): FilesConnector {
  const folder = folderWith(files);
  const lost = join(folderWith(), "lost");
  const path = (name: string): string => join(folder, name);
  const entry = {
    ...{ id, command: process.execPath, args: [LOSES, lost, PROGRAM], timeoutMs: 30_000 },
    ...{ env: {}, settings: { folder } },
  };
  return {
    ...{ entry, folder },
    read: (name) => readFileSync(path(name), "utf8"),
    write: (name, text) => {
      const before = statSync(path(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      writeFileSync(path(name), text);
      // Two edits within the resolution of the file's time would have one revision.
      const at = Math.max(statSync(path(name)).mtimeMs, Math.ceil(before) + 2) / 1000;
      utimesSync(path(name), at, at);
    },
    rename: (name, to) => renameSync(path(name), path(to)),
    loseNext: (method) => writeFileSync(lost, method),
  };
}
