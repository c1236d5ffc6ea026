import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../client/program.ts";

/** The root folder of the package. Its path is the same relative to `src/library` and to the built `dist/library`. */
const ROOT = join(import.meta.dirname, "..", "..");

/** The installed package, whose launcher starts a daemon of the same version. */
export function ownPackage(): Program {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  return { version, launcher: join(ROOT, "bin", "run.js") };
}
