import { isTable, type TomlTable } from "./toml.ts";

/**
 * The credential with which this daemon copies one project of a hub (docs/contract/federation.md#101-credential-file).
 */
export interface Credential {
  /** The base URL of the hub. */
  readonly hub_url: string;
  /** The id of the project on the hub. */
  readonly hub_project_id: number;
  /** The secret. It is sent to the hub alone, and is in no answer, error or log line. */
  readonly token: string;
  readonly capabilities: readonly string[];
  /**
   * The actor to whom the hub attributes the changes of this daemon; empty while no project has been joined with the
   * token.
   */
  readonly actor: string;
  /** Whether the token may be sent by plain HTTP to a host for which svc otherwise refuses plain HTTP. */
  readonly allow_insecure: boolean;
  /** The database that the token was made for. Several databases can share a home, and so this file. */
  readonly spoke_instance_uid: string;
  /** Set if the daemon made the token itself, for a `[[federation.project]]` of config.toml. */
  readonly managed?: ManagedCredential;
}

/**
 * The `[[federation.project]]` that a token belongs to. In the file its fields are next to `managed_by_config = true`.
 */
export interface ManagedCredential {
  /** The name of the `[[daemon]]` entry. */
  readonly hub_catalog: string;
  readonly hub_project_name: string;
  readonly requested_actor: string;
  readonly spoke_project_name: string;
  /** Set while the project is leaving (`leave_pending`). */
  readonly leave?: {
    /** The enrollment on the hub that is to be revoked; 0 while its id is unknown. */
    readonly pending_enrollment_id: number;
  };
}

const MANAGED_FIELDS = [
  "hub_catalog",
  "hub_project_name",
  "requested_actor",
  "spoke_project_name",
] as const;
const LEAVE_FIELDS = ["leave_pending", "pending_enrollment_id"] as const;
const FIELDS: ReadonlySet<string> = new Set([
  "hub_url",
  "hub_project_id",
  "token",
  "capabilities",
  "actor",
  "allow_insecure",
  "spoke_instance_uid",
  "managed_by_config",
  ...MANAGED_FIELDS,
  ...LEAVE_FIELDS,
]);

/** Returns undefined if the entry is not as `entryOf` writes it. */
export function credentialIn(entry: TomlTable): Credential | undefined {
  const { hub_url, hub_project_id, token, capabilities, actor, allow_insecure } = entry;
  const { spoke_instance_uid } = entry;
  const managed = managedIn(entry);
  const isWhole =
    isText(hub_url) &&
    isCount(hub_project_id) &&
    isText(token) &&
    Array.isArray(capabilities) &&
    capabilities.every(isText) &&
    typeof actor === "string" &&
    typeof allow_insecure === "boolean" &&
    isText(spoke_instance_uid);
  if (!isWhole || managed === "broken") return undefined;
  if (actor === "" && managed === undefined) return undefined;
  return {
    hub_url,
    hub_project_id,
    token,
    capabilities,
    actor,
    allow_insecure,
    spoke_instance_uid,
    ...(managed === undefined ? {} : { managed }),
  };
}

function managedIn(entry: TomlTable): ManagedCredential | undefined | "broken" {
  const { managed_by_config: isManaged = false } = entry;
  if (isManaged === false) {
    const isOdd = [...MANAGED_FIELDS, ...LEAVE_FIELDS].some((field) => entry[field] !== undefined);
    return isOdd ? "broken" : undefined;
  }
  const { hub_catalog, hub_project_name, requested_actor, spoke_project_name } = entry;
  const { leave_pending = false, pending_enrollment_id } = entry;
  const isWhole =
    isManaged === true &&
    isText(hub_catalog) &&
    isText(hub_project_name) &&
    isText(requested_actor) &&
    isText(spoke_project_name);
  if (!isWhole) return "broken";
  const mapping = { hub_catalog, hub_project_name, requested_actor, spoke_project_name };
  if (leave_pending === false) return pending_enrollment_id === undefined ? mapping : "broken";
  if (leave_pending !== true || !isCount(pending_enrollment_id)) return "broken";
  return { ...mapping, leave: { pending_enrollment_id } };
}

/**
 * The credential as a table of the file. Unknown fields of the former entry stay, because a later release wrote them.
 */
export function entryOf({ managed, ...credential }: Credential, former: unknown): TomlTable {
  const unknown = Object.entries(isTable(former) ? former : {}).filter(([name]) => {
    return !FIELDS.has(name);
  });
  if (managed === undefined) return { ...Object.fromEntries(unknown), ...credential };
  const { leave, ...mapping } = managed;
  return {
    ...Object.fromEntries(unknown),
    ...credential,
    managed_by_config: true,
    ...mapping,
    ...(leave === undefined ? {} : { leave_pending: true, ...leave }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
