import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VARIABLE = "SVC_TEST_CACHE";

/** Makes the folder in which all programs of a run keep compiled code. Returns the function that removes it. */
export function shareCompiledCode(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-cache-"));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * The environment for a svc that uses compiled code of earlier ones in the same run, as it does on a person's machine.
 * Without it, a daemon in a new home compiles everything anew, which is nearly half of the processor time of its start.
 */
export function withCompiledCode(): { readonly XDG_CACHE_HOME?: string } {
  const folder = process.env[VARIABLE];
  return folder === undefined ? {} : { XDG_CACHE_HOME: folder };
}
