import { errorCode } from "../../base/error-code.ts";
import { SvcError } from "../../contract/errors.ts";
import type { MappingError } from "../../contract/health.ts";
import type { CredentialStore, Federation } from "./far-side.ts";
import { MappingFault } from "./mapping-hub.ts";

/** Reads or writes the credentials. Throws `MappingFault` if their file cannot be used. */
export async function inFile<T>(
  { credentials }: Federation,
  work: (credentials: CredentialStore) => Promise<T>,
): Promise<T> {
  try {
    return await work(credentials);
  } catch (cause) {
    if (!(cause instanceof SvcError) && errorCode(cause) === undefined) throw cause;
    throw new MappingFault("credential_io", { cause });
  }
}

/** Reads or writes the database. Throws `MappingFault` for a refusal of an operation, and if the database fails. */
export async function inStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw faultOf(cause);
  }
}

/** What the error codes of operations mean for a mapping. Any other error of svc is a fault of the database. */
const MEANINGS: Readonly<Partial<Record<string, MappingError>>> = {
  federation_binding_conflict: "binding_conflict",
  federation_capability_mismatch: "configuration_conflict",
  federation_credential_conflict: "configuration_conflict",
  federation_hub_refused: "hub_authentication",
  federation_project_collision: "configuration_conflict",
  federation_project_not_found: "configuration_conflict",
  federation_rejoin_name_mismatch: "configuration_conflict",
  federation_rejoin_unsent: "configuration_conflict",
  invalid_adoption_baseline: "configuration_conflict",
  issue_sync_federation_conflict: "configuration_conflict",
  external_root_federation_conflict: "configuration_conflict",
  project_archived: "configuration_conflict",
  validation: "configuration_conflict",
};

/**
 * Returns a `MappingFault` for an error of svc or of a database driver. Any other error is a bug, and is returned
 * unchanged.
 */
export function faultOf(cause: unknown): unknown {
  if (cause instanceof SvcError)
    return new MappingFault(meaningOf(cause), { reason: cause.code, cause });
  const isOfDriver = errorCode(cause) !== undefined;
  return isOfDriver ? new MappingFault("local_storage", { cause }) : cause;
}

function meaningOf({ code, data }: SvcError): MappingError {
  // Either the file of the credentials cannot be used (`withCredentials`), or the hub gives no answer.
  if (code === "federation_offline")
    return data?.["file"] === undefined ? "hub_unavailable" : "credential_io";
  return MEANINGS[code] ?? "local_storage";
}
