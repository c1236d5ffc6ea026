import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file atomically: to a temporary file beside it, which is then renamed. */
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
