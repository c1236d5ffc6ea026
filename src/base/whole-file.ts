import { renameSync, rmSync, writeFileSync } from "node:fs";

/** A file that is there whole or not at all: it is written beside its place, and nothing of it stays where that fails. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { mode });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
