import { execFileSync } from "node:child_process";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";

/** The constants that `src/base/build.ts` reads. Without git, or outside of a repository, the commit is empty. */
export function identity(root: string): Readonly<Record<string, string>> {
  return {
    SVC_COMMIT: JSON.stringify(commitOf(root)),
    SVC_BUILT_AT: JSON.stringify(new Date().toISOString()),
    SVC_STORAGE_SCHEMA: String(MIGRATIONS.at(-1)?.version ?? 0),
  };
}

function commitOf(root: string): string {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    const options = { cwd: root, encoding: "utf8", stdio } as const;
    // A package that is built inside another repository must not get the commit of that repository.
    const top = execFileSync("git", ["rev-parse", "--show-cdup"], options).trim();
    return top === "" ? execFileSync("git", ["rev-parse", "HEAD"], options).trim() : "";
  } catch {
    return "";
  }
}
