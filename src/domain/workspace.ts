import { invalidField, type SvcError } from "../contract/errors.ts";

/**
 * Prefix of the alias that identifies the project of a folder without a git remote
 * (docs/contract/command-line.md#52-project).
 */
const LOCAL_PREFIX = "local://";

/** Normalizes a folder on the daemon's host for an alias: absolute, with `/`, without `.` and `..`. */
export function workspacePath(startPath: string): string {
  const parts = startPath.replaceAll("\\", "/").split("/");
  const first = parts.shift() ?? "";
  if (parts.length === 0 || !/^(?:[A-Za-z]:)?$/.test(first))
    throw invalid("must be an absolute path");
  if (startPath.includes("\u0000")) throw invalid("must not contain a NUL character");
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `${first}/${kept.join("/")}`;
}

export function localIdentity(path: string): string {
  return LOCAL_PREFIX + path;
}

/** The folder and its ancestors, nearest first; a project may be bound to any of them. */
export function enclosingPaths(path: string): readonly string[] {
  const [first = "", ...parts] = path.split("/");
  const named = parts.filter((part) => part !== "");
  return named.map((_, at) => `${first}/${named.slice(0, named.length - at).join("/")}`);
}

/** The default name of a project: the last part of its folder. */
export function folderName(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  if (name === "") throw invalid("has no folder to name a project by");
  return name;
}

function invalid(reason: string): SvcError {
  return invalidField("start_path", reason);
}
