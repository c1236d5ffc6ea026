/** What the system refused, in words, and what helps. */
interface Fault {
  readonly what: string;
  readonly cure: string;
}

const SPACE: Fault = {
  what: "the disk is full",
  cure: "free some space there, then repeat the command",
};
const RIGHTS: Fault = {
  what: "permission is denied",
  cure: "check the owner and the rights of the path",
};

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ["ENOSPC", SPACE],
  ["EDQUOT", SPACE],
  ["EFBIG", SPACE],
  ["EACCES", RIGHTS],
  ["EPERM", RIGHTS],
  ["EISDIR", { what: "it is a folder", cure: "name a file" }],
  ["ENOENT", { what: "there is no such file", cure: "check the path" }],
  ["ENOTDIR", { what: "a part of the path is no folder", cure: "check the path" }],
  ["EROFS", { what: "its file system is read-only", cure: "name a place that can be written to" }],
]);

/** Why a file that the caller named cannot be read; the code where there are no words for it. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return FAULTS.get(code)?.what ?? code;
}

/** A fault of the system that nobody expected, with the path that it is about; nothing for other errors. */
export function systemFault(
  error: unknown,
): { readonly message: string; readonly hint: string } | undefined {
  const fault = FAULTS.get(codeOf(error));
  if (fault === undefined || !(error instanceof Error) || !("syscall" in error)) return undefined;
  const { path, dest } = error as { readonly path?: unknown; readonly dest?: unknown };
  const place = [dest, path].find((named) => typeof named === "string");
  const where = place === undefined ? "" : `${String(place)}: `;
  return { message: `${where}${fault.what} (${String(error.syscall)})`, hint: fault.cure };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
