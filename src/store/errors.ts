import { SvcError } from "../contract/errors.ts";

/** What went wrong below us, by the code the driver gives. */
const FULL = new Set(["SQLITE_FULL", "53100"]);
const BUSY = new Set(["SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "40001", "40P01"]);

/**
 * A fault of the database in our words; anything else is returned as it is. The cause is kept and nothing is read
 * from a message.
 */
export function translated(error: unknown): unknown {
  const code = driverCode(error);
  if (code === undefined) return error;
  if (BUSY.has(primary(code))) return new SvcError("busy", {}, { cause: error });
  return new SvcError(
    "unavailable",
    { reason: reasonOf(code) },
    { cause: error, message: MESSAGES[reasonOf(code)] },
  );
}

/** The session ended under a statement; drivers give no code for that. */
export function disconnected(cause: unknown): SvcError {
  return new SvcError(
    "unavailable",
    { reason: "disconnected" },
    { cause, message: "the database closed the connection" },
  );
}

type Reason = "disk_full" | "storage_fault";

const MESSAGES: Readonly<Record<Reason, string>> = {
  disk_full: "the disk is full; nothing was written",
  storage_fault: "the database failed; nothing was written",
};

function reasonOf(code: string): Reason {
  return FULL.has(code) ? "disk_full" : "storage_fault";
}

/**
 * The code of a fault that is not ours: SQLite's result codes but the ones that a wrong statement gives, PostgreSQL's
 * classes of broken connections, exhausted resources, operator intervention and system errors, and Node's network
 * errors. A violated constraint or a wrong statement is a bug and stays what it is.
 */
function driverCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    return undefined;
  const { code } = error;
  if (code.startsWith("SQLITE_")) return SQLITE_FAULTS.has(primary(code)) ? code : undefined;
  if (/^[0-9A-Z]{5}$/.test(code)) return /^(08|40|53|55|57|58)/.test(code) ? code : undefined;
  return NETWORK_FAULTS.has(code) ? code : undefined;
}

function primary(code: string): string {
  return code.split("_").slice(0, 2).join("_");
}

const SQLITE_FAULTS = new Set([
  "SQLITE_FULL",
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_NOMEM",
  "SQLITE_PERM",
  "SQLITE_PROTOCOL",
]);

const NETWORK_FAULTS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENOENT",
  "EACCES",
]);

/** Whether a row was refused because its key is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && DUPLICATES.has(String(error.code));
}

const DUPLICATES = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"]);

/** Why a database was not opened. `foreign` and `newer` leave it exactly as it was. */
export type OpenFault =
  | "missing"
  | "foreign"
  | "older"
  | "newer"
  | "altered"
  | "unsupported"
  | "unreachable";

export function openError(
  fault: OpenFault,
  message: string,
  hint: string,
  cause?: unknown,
): SvcError {
  return new SvcError("unavailable", { reason: `database_${fault}` }, { message, hint, cause });
}
