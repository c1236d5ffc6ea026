import { readFileSync } from "node:fs";

const PASSWD = "/etc/passwd";

/**
 * Returns the id of a user of this machine, who is given by name or by number. Node cannot ask the system for users, so
 * only those in `/etc/passwd` have a name here. Returns `undefined` if there is no such name.
 */
export function userId(user: string, file = PASSWD): number | undefined {
  if (/^\d{1,10}$/.test(user)) return Number(user);
  const line = linesOf(file).find((one) => one.startsWith(`${user}:`));
  const [, , id = ""] = line?.split(":") ?? [];
  return /^\d+$/.test(id) ? Number(id) : undefined;
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
