import { execFileSync } from "node:child_process";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";

/** What `src/base/build.ts` reads. Without git, or outside of a repository, there is no commit. */
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
    // A package that is built inside somebody else's repository is not of its commit.
    const top = execFileSync("git", ["rev-parse", "--show-cdup"], options).trim();
    return top === "" ? execFileSync("git", ["rev-parse", "HEAD"], options).trim() : "";
  } catch {
    return "";
  }
}
