import { codeSuffix, errorCode } from "../base/error-code.ts";
import { SvcError } from "../contract/errors.ts";

const DISK_FULL_CODES = new Set(["SQLITE_FULL", "53100", "ENOSPC", "EDQUOT", "EFBIG"]);
const DAMAGED_CODES = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);
const BUSY_CODES = new Set(["SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "40001", "40P01"]);

/**
 * What a refused write was waiting for:
 *
 * - `lock`: another program writes to the database.
 * - `bulk`: this daemon carries out a large write, or the disk is storing it.
 * - `queue`: the writes before this one are not done.
 * - `database`: the database has not answered a statement.
 */
export type BusyReason = "lock" | "bulk" | "queue" | "database";

const WAITED_FOR: Readonly<Record<BusyReason, string>> = {
  lock: "another program is writing to the database",
  bulk: "a large write, such as an import or a merge, is under way",
  queue: "the writes before this one took too long",
  database: "the database does not answer",
};

/** The error for a write that had to wait for too long. */
export function busyError(reason: BusyReason, cause?: unknown): SvcError {
  const message = `${WAITED_FOR[reason]}; this write was not carried out`;
  return new SvcError("busy", { reason }, { message, cause });
}

/**
 * Converts a database fault to an `SvcError`, which depends only on the fault's error code. Returns other errors
 * unchanged.
 */
export function translated(error: unknown): unknown {
  const code = driverCode(error);
  if (code === undefined) return error;
  if (BUSY_CODES.has(primary(code))) return busyError("lock", error);
  const reason = reasonOf(code);
  return new SvcError(
    "unavailable",
    { reason },
    { cause: error, message: MESSAGES[reason], hint: HINTS[reason] },
  );
}

/** The error for a session that ended during a statement. The drivers report such an end without an error code. */
export function disconnected(cause: unknown): SvcError {
  return new SvcError(
    "unavailable",
    { reason: "disconnected" },
    { cause, message: "the database closed the connection" },
  );
}

/**
 * The error for a session that could not be opened. `fault` may have no error code: a server that takes too long has
 * none. Or its code may be one that would otherwise mean a bug of svc, such as a refused login.
 */
export function unconnected(fault: unknown): unknown {
  const known = translated(fault);
  if (known instanceof SvcError) return known;
  const message = `no connection to the database could be opened${codeSuffix(fault)}`;
  return new SvcError("unavailable", { reason: "disconnected" }, { cause: fault, message });
}

/** The error for a write that the server refused because it no longer accepts writes. */
export function readOnly(cause: unknown): SvcError {
  return new SvcError(
    "unavailable",
    { reason: "read_only" },
    {
      cause,
      message: "the database server takes no writes any more; nothing was written",
      hint: "name all servers of the database in its address, or make this one writable (docs/postgres.md)",
    },
  );
}

/** The error for a session that was dropped because the server did not answer on it. */
export function silent(cause: unknown): SvcError {
  return new SvcError(
    "unavailable",
    { reason: "disconnected" },
    { cause, message: "the database stopped answering; its connection was given up" },
  );
}

/** Whether the database gave no answer. Another query would wait just as long for nothing. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  return isDisconnected(error) || error.data["reason"] === "database_unreachable";
}

export function isDisconnected(error: unknown): boolean {
  return error instanceof SvcError && error.data["reason"] === "disconnected";
}

/** The error for a commit whose outcome is unknown. If `fault` is an error of svc, its message and hint are used. */
export function outcomeUnknown(fault: unknown): SvcError {
  if (isOutcomeUnknown(fault)) return fault;
  if (!(fault instanceof SvcError) || fault.data["reason"] === "disconnected")
    return new SvcError("outcome_unknown", {}, { cause: fault });
  const { data, message, hint } = fault;
  return new SvcError("outcome_unknown", data, {
    message,
    cause: fault,
    ...(hint === undefined ? {} : { hint }),
  });
}

/**
 * The error for a SQLite database to which nothing more is written, because a failed commit may have reached the disk.
 */
export function commitInDoubt(path: string): SvcError {
  return new SvcError(
    "unavailable",
    { reason: "commit_in_doubt" },
    {
      message: `the disk of ${path} failed during a commit; whether it was made shows when the database is opened again`,
      hint: "the daemon ends, and the next command starts another: look whether the change was made before you repeat it; with an idempotency key, send it again with the same key. Check the disk",
    },
  );
}

export function isOutcomeUnknown(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === "outcome_unknown";
}

/**
 * Whether a failed commit of SQLite has certainly committed nothing. SQLite writes the pages of a transaction into its
 * write-ahead log, the page with the commit mark last, and then syncs the log. A failed write leaves that page
 * incomplete, and its checksum is wrong. After a later fault, such as a failed sync, the commit mark is in the file, so
 * the next recovery may find the transaction.
 */
export function isRefusedCommit(error: unknown): boolean {
  return REFUSED_COMMIT.test(driverCodeOf(error));
}

const REFUSED_COMMIT = /^SQLITE_(ERROR|FULL|BUSY|LOCKED|CONSTRAINT|READONLY|IOERR_WRITE)(_|$)/;

type Reason = "disk_full" | "storage_fault" | "damaged";

const MESSAGES: Readonly<Record<Reason, string>> = {
  disk_full: "the disk is full; nothing was written",
  storage_fault: "the database failed; nothing was written",
  damaged: "the database's file is damaged: a page of it cannot be read; nothing was written",
};

const HINTS: Readonly<Record<Reason, string>> = {
  disk_full: "free some space on the disk of the database, then repeat the command",
  storage_fault: "check the disk and the rights of the database's files; svc doctor checks them",
  damaged: "svc doctor names the place and the backup to restore",
};

export function isDamaged(error: unknown): error is SvcError {
  return error instanceof SvcError && error.data["reason"] === "damaged";
}

/** Returns the error for unreadable data. `what` names the row or the part of the file. */
export function damaged(what: string, cause: unknown): SvcError {
  const message = `the database is damaged: ${what}`;
  return new SvcError(
    "unavailable",
    { reason: "damaged" },
    { message, hint: HINTS.damaged, cause },
  );
}

function reasonOf(code: string): Reason {
  if (DISK_FULL_CODES.has(code)) return "disk_full";
  return DAMAGED_CODES.has(primary(code)) ? "damaged" : "storage_fault";
}

/**
 * Returns the code of a fault outside of svc: a SQLite result code, a PostgreSQL class (broken connection, exhausted
 * resources, operator intervention, system error) or a Node network error. Returns `undefined` for a violated
 * constraint or a wrong statement, because these are bugs of svc.
 */
function driverCode(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
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
  "EAI_AGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOENT",
  "EACCES",
]);

export function isDuplicate(error: unknown): boolean {
  return DUPLICATE_CODES.has(errorCode(error) ?? "");
}

const DUPLICATE_CODES = new Set([
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "23505",
]);

/**
 * Why a database was not opened. A file of another program (`foreign`), of a newer svc (`newer`) or of a build before
 * the first release (`unreleased`) is left unchanged.
 */
export type OpenFault =
  | "missing"
  | "foreign"
  | "linked"
  | "log_foreign"
  | "older"
  | "newer"
  | "unreleased"
  | "altered"
  | "unsupported"
  | "uncopied"
  | "no_room"
  | "standby"
  | "read_only"
  | "pooled"
  | "unreachable";

/** The error for a new database that could not be created. No part of it is left on the disk. */
export function notMade(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = errorCode(error) ?? "";
  const known = error instanceof SvcError ? error.data["reason"] : undefined;
  if (known === "disk_full" || DISK_FULL_CODES.has(code)) {
    return openError(
      "no_room",
      `the disk is full: no database was made at ${path}`,
      "free some space there, or name another place in SVC_HOME or SVC_DSN, then repeat the command",
      error,
    );
  }
  if (error instanceof SvcError ? known !== "storage_fault" : code === "") return error;
  return openError(
    "unreachable",
    `no database could be made at ${path} (${driverCodeOf(error)})`,
    "check the path, its owner and the space left",
    error,
  );
}

/** Returns the code of a driver's error or a system error, even if the error was converted by `translated`. */
export function driverCodeOf(error: unknown): string {
  const from = error instanceof SvcError ? error.cause : error;
  return errorCode(from) ?? "unknown";
}

export function openError(
  fault: OpenFault,
  message: string,
  hint: string,
  cause?: unknown,
): SvcError {
  return new SvcError("unavailable", { reason: `database_${fault}` }, { message, hint, cause });
}
