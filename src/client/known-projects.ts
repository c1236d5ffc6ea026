import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../base/whole-file.ts";

/**
 * Returns the id that the project with this name had in an earlier command, from a file in the runtime folder. Callers
 * let the daemon confirm the id, so a wrong or missing file does no harm.
 */
export function knownProject(runtimeDir: string, name: string): number | undefined {
  return readKnown(runtimeDir).find(([known]) => known === name)?.[1];
}

export function rememberProject(runtimeDir: string, name: string, id: number): void {
  const others = readKnown(runtimeDir).filter(([known]) => known !== name);
  try {
    const kept = [[name, id], ...others].slice(0, MAX_NAMES);
    writeWhole(pathIn(runtimeDir), JSON.stringify(kept));
  } catch {
    // The folder is not writable, so the next command needs one more request to find the project.
  }
}

const MAX_NAMES = 50;

type KnownProject = readonly [name: string, id: number];

function readKnown(runtimeDir: string): readonly KnownProject[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(pathIn(runtimeDir), "utf8"));
    return Array.isArray(rows) ? rows.filter(isKnown) : [];
  } catch {
    return [];
  }
}

function isKnown(row: unknown): row is KnownProject {
  return (
    Array.isArray(row) &&
    row.length === 2 &&
    typeof row[0] === "string" &&
    Number.isSafeInteger(row[1]) &&
    row[1] > 0
  );
}

function pathIn(runtimeDir: string): string {
  return join(runtimeDir, "projects.json");
}
