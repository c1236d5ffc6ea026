import { execFileSync } from "node:child_process";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";

/**
 * The constants that `src/base/build.ts` reads. Without git, or outside of a repository, the commit is empty. The instant
 * of the build is in whole seconds, so that SOURCE_DATE_EPOCH can repeat it.
 */
export function identity(root: string): Readonly<Record<string, string>> {
  return {
    SVC_COMMIT: JSON.stringify(commitOf(root)),
    SVC_BUILT_AT: JSON.stringify(builtAt(process.env["SOURCE_DATE_EPOCH"])),
    SVC_STORAGE_SCHEMA: String(MIGRATIONS.at(-1)?.version ?? 0),
  };
}

/**
 * The instant of the build in whole seconds, in UTC: the given seconds since 1970, or now. Throws if what is given is not
 * a number of seconds (https://reproducible-builds.org/specs/source-date-epoch/).
 */
export function builtAt(epoch: string | undefined): string {
  if (epoch !== undefined && !/^\d{1,11}$/.test(epoch))
    throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds, not ${JSON.stringify(epoch)}`);
  const seconds = epoch === undefined ? Math.floor(Date.now() / 1000) : Number(epoch);
  return new Date(seconds * 1000).toISOString();
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
