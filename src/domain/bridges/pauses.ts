import { sha256Hex } from "../../base/hash.ts";
import type { Described, Root } from "./values.ts";

/** Why the daemon pauses a binding by itself. A person gives any other text. */
export const SYSTEM_REASONS = [
  "project_archived",
  "external_connector_missing",
  "external_root_identity_changed",
  "external_root_missing",
  "external_root_deleted",
  "restore_reconfirmation_required",
] as const;
export type SystemReason = (typeof SYSTEM_REASONS)[number];

/** The codes by which a connector says that a root is not there. */
const GONE: ReadonlySet<string> = new Set(["not_found", "root_not_found", "deleted", "gone"]);

interface Fault {
  readonly kind: "process" | "protocol" | "timeout" | "request" | "missing";
  readonly code: string | undefined;
}

/**
 * Returns why a failed call pauses the binding; `undefined` if the call is only a failure, which is repeated later. A
 * root can be gone only for `read_root`.
 */
export function pauseOfFault(
  { kind, code }: Fault,
  method: "describe" | "read_root",
): SystemReason | undefined {
  if (kind === "missing") return "external_connector_missing";
  if (method === "describe")
    return code === IDENTITY_CHANGED ? "external_root_identity_changed" : undefined;
  return isGone({ kind, code }) ? "external_root_missing" : undefined;
}

/** Whether the connector says that a root is not there. */
export function isGone({ kind, code }: Fault): boolean {
  return kind === "request" && code !== undefined && GONE.has(code);
}

/** The code of svc for a program that says it is another connector than before. */
export const IDENTITY_CHANGED = "identity_changed";

/** What a binding remembers of the far side. */
export interface BoundTo {
  readonly connector_instance: string;
  readonly external_root_key: string;
  /** `accountDigest` of the account at the time of the bind. */
  readonly external_account_digest: string;
}

/** SHA-256 of instance, NUL and account: the account can be a key or an address of a person, so it is not stored. */
export function accountDigest(instance: string, account: string): string {
  return sha256Hex(`${instance}\0${account}`);
}

/** Returns why what the connector says of itself pauses the binding; `undefined` if it does not. */
export function pauseOfAccount(
  bound: Omit<BoundTo, "external_root_key">,
  { account_identity }: Pick<Described, "account_identity">,
): SystemReason | undefined {
  const found = accountDigest(bound.connector_instance, account_identity);
  return found === bound.external_account_digest ? undefined : "external_root_identity_changed";
}

/** Returns why the root that was read pauses the binding; `undefined` if it does not. */
export function pauseOfRoot(
  bound: BoundTo,
  { key, identity_key, state }: Pick<Root, "key" | "identity_key" | "state">,
): SystemReason | undefined {
  if (key !== bound.external_root_key) return "external_root_identity_changed";
  const ofAccount = pauseOfAccount(bound, { account_identity: identity_key });
  return ofAccount ?? (state === "deleted" ? "external_root_deleted" : undefined);
}
