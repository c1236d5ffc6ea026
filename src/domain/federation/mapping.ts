/**
 * How a `[[federation.project]]` of config.toml becomes a copy of the hub's project
 * (docs/contract/federation.md#10-mappings). Each step follows from what is stored and from what the hub has answered
 * in this attempt. Nothing else is remembered, so after a crash the same steps follow from what is stored.
 *
 *     create_project -> resolve -> (create_hub_project) -> enable -> reserve -> enroll -> (look_up) -> join -> finish
 *     a leave is pending:          enroll -> note_enrollment -> revoke -> finish
 */

/** A mapping, with the address of its hub. */
export interface Mapping {
  /** The name of the `[[daemon]]` entry. */
  readonly hub: string;
  /** The address of that entry, in its canonical form. */
  readonly hub_url: string;
  readonly spoke_project: string;
  readonly hub_project: string;
  readonly actor: string;
}

/** A token that is stored for a project (`config/credential-entry.ts`). */
export interface MappingCredential {
  /** The uid under which the token is stored: the uid of the hub's project. */
  readonly project_uid: string;
  readonly hub_url: string;
  readonly hub_project_id: number;
  readonly capabilities: readonly string[];
  /** Empty until a project has joined with the token. */
  readonly actor: string;
  readonly spoke_instance_uid: string;
  /** Set if the token was made for a mapping. */
  readonly managed?: {
    readonly hub_catalog: string;
    readonly hub_project_name: string;
    readonly requested_actor: string;
    readonly spoke_project_name: string;
    /** Set while the project is leaving. The id is 0 while it is unknown. */
    readonly leave?: { readonly pending_enrollment_id: number };
  };
}

export interface MappingBinding {
  readonly role: "hub" | "spoke";
  readonly enabled: boolean;
  readonly hub_url: string | null;
  readonly hub_project_id: number | null;
  readonly hub_project_uid: string | null;
  readonly bound_actor: string | null;
  /** Whether the copy sends its changes, or will as soon as it has read all that the hub has. */
  readonly sends: boolean;
}

/** What this daemon has stored about the project of a mapping. */
export interface Standing {
  /** The database of this daemon. */
  readonly instance_uid: string;
  /** The project with the name of the mapping. */
  readonly project: { readonly uid: string; readonly archived: boolean } | undefined;
  readonly binding: MappingBinding | undefined;
  /** Whether a leave of the project was prepared. */
  readonly leaves: boolean;
  readonly credentials: readonly MappingCredential[];
  /** Whether this process has seen a binding or a token of the mapping before. */
  readonly wasHeld: boolean;
}

export interface HubProject {
  readonly id: number;
  readonly uid: string;
}

/** Where the baseline of the hub's project is in its log. */
export interface HubBaseline {
  readonly from: number;
  readonly through: number;
}

/** What the hub has said in this attempt. A field is undefined until the hub was asked. */
export interface HubAnswers {
  readonly project?: HubProject | "missing";
  readonly baseline?: HubBaseline;
  /**
   * The enrollment of the token. `refused`: the hub does not enroll this token again, because its enrollment was
   * revoked or has been used. Only a look-up then shows what the enrollment permits.
   */
  readonly enrolled?: { readonly id: number; readonly actor: string } | "refused";
  readonly revoked?: true;
}

export type MappingStep =
  | { readonly do: "create_project" }
  | { readonly do: "resolve" }
  | { readonly do: "create_hub_project" }
  | { readonly do: "enable"; readonly project: HubProject }
  /** Stores a new token under the uid of the hub's project. */
  | { readonly do: "reserve"; readonly project: HubProject }
  | { readonly do: "enroll"; readonly how: "create" | "rotate"; readonly with: MappingCredential }
  /** Asks with the token what its enrollment permits. */
  | { readonly do: "look_up"; readonly with: MappingCredential }
  | {
      readonly do: "join";
      readonly with: MappingCredential;
      readonly baseline: HubBaseline;
      readonly actor: string;
      /** Whether the project is one of this daemon's own, which is handed over. */
      readonly adopts: boolean;
    }
  /** Stores the enrollment that a pending leave is to revoke. */
  | { readonly do: "note_enrollment"; readonly with: MappingCredential; readonly id: number }
  | { readonly do: "revoke"; readonly id: number }
  | { readonly do: "finish"; readonly as: "reconciled" | "left" }
  | ({ readonly do: "conflict" } & MappingConflict);

export interface MappingConflict {
  readonly category: "configuration_conflict" | "binding_conflict";
  /** What differs, as a word for the log. It names no project, hub or token. */
  readonly reason: string;
}

/** Returns the next step for a mapping. It follows from what is stored here and from what the hub has answered. */
export function nextMappingStep(
  mapping: Mapping,
  standing: Standing,
  answers: HubAnswers,
): MappingStep {
  const { credentials, project, binding } = standing;
  const [own, ...others] = tokensOf(mapping, standing);
  if (others.length > 0) return configurationConflict("several_tokens");
  if (isLeaving(mapping, standing)) return leaveStep(own, standing, answers);
  if (standing.wasHeld && !isHeld(mapping, standing)) return { do: "finish", as: "left" };
  const differs = tokenConflict(mapping, own) ?? bindingConflict(mapping, standing, own);
  if (differs !== undefined) return differs;
  if (project === undefined) return { do: "create_project" };
  if (project.archived) return configurationConflict("project_archived");
  if (answers.project === undefined) return { do: "resolve" };
  if (answers.project === "missing") {
    if (binding !== undefined) return bindingConflictOf("hub_project_missing");
    return own === undefined
      ? { do: "create_hub_project" }
      : configurationConflict("hub_project_missing");
  }
  const known = own ?? credentials.find(({ project_uid: uid }) => uid === binding?.hub_project_uid);
  return joinStep(standing, answers, answers.project, known);
}

/** The tokens that were made for the mapping: at most one, unless somebody has changed the file. */
function tokensOf(
  mapping: Mapping,
  { credentials, instance_uid }: Standing,
): readonly MappingCredential[] {
  return credentials.filter(
    ({ spoke_instance_uid, managed }) =>
      spoke_instance_uid === instance_uid && managed?.spoke_project_name === mapping.spoke_project,
  );
}

/** Whether a leave of the project was prepared. */
export function isLeaving(mapping: Mapping, standing: Standing): boolean {
  const [own] = tokensOf(mapping, standing);
  return standing.leaves || own?.managed?.leave !== undefined;
}

/**
 * Whether the mapping has a token or a binding. If both disappear while the daemon runs, the project has left its hub.
 */
export function isHeld(mapping: Mapping, standing: Standing): boolean {
  return standing.binding !== undefined || tokensOf(mapping, standing).length > 0;
}

/** Returns the next step once the hub's project is known. `known` is the token of the mapping, or of its binding. */
function joinStep(
  { instance_uid, credentials, project, binding }: Standing,
  { baseline, enrolled }: HubAnswers,
  hub: HubProject,
  known: MappingCredential | undefined,
): MappingStep {
  if (binding !== undefined && binding.hub_project_uid !== hub.uid)
    return bindingConflictOf("hub_project_recreated");
  if (binding !== undefined && binding.hub_project_id !== hub.id)
    return bindingConflictOf("other_project");
  if (known !== undefined && known.project_uid !== hub.uid)
    return configurationConflict("hub_project_recreated");
  if (known !== undefined && known.hub_project_id !== hub.id)
    return configurationConflict("other_project");
  const stored = credentials.find(({ project_uid }) => project_uid === hub.uid);
  if (stored !== undefined && stored.spoke_instance_uid !== instance_uid)
    return configurationConflict("token_of_another_database");
  if (stored !== undefined && stored !== known) return configurationConflict("token_of_another");
  if (known !== undefined && !known.capabilities.includes("push"))
    return configurationConflict("token_without_push");
  const isUsed = known !== undefined && known.actor !== "";
  if (isUsed && binding?.sends === true && binding.bound_actor !== null)
    return { do: "finish", as: "reconciled" };
  if (baseline === undefined) return { do: "enable", project: hub };
  if (known === undefined) return { do: "reserve", project: hub };
  const joining = { do: "join", with: known, baseline, adopts: project?.uid !== hub.uid } as const;
  if (isUsed) return { ...joining, actor: known.actor };
  if (enrolled === undefined)
    return { do: "enroll", how: binding === undefined ? "create" : "rotate", with: known };
  if (enrolled === "refused") return { do: "look_up", with: known };
  return { ...joining, actor: enrolled.actor };
}

/**
 * Returns the next step of a pending leave, which ends the enrollment of the token
 * (docs/contract/federation.md#5-leave). If the id of the enrollment is unknown, the request to enroll is repeated
 * first, because its answer has the id.
 */
function leaveStep(
  own: MappingCredential | undefined,
  { binding }: Standing,
  { enrolled, revoked }: HubAnswers,
): MappingStep {
  if (own === undefined || revoked === true || enrolled === "refused")
    return { do: "finish", as: "left" };
  const id = own.managed?.leave?.pending_enrollment_id ?? 0;
  if (id > 0) return { do: "revoke", id };
  if (enrolled !== undefined) return { do: "note_enrollment", with: own, id: enrolled.id };
  return { do: "enroll", how: binding === undefined ? "create" : "rotate", with: own };
}

/**
 * Returns the conflict if the token of the mapping was made for another hub, project or actor than the mapping names
 * now.
 */
function tokenConflict(
  mapping: Mapping,
  own: MappingCredential | undefined,
): MappingStep | undefined {
  const { managed } = own ?? {};
  if (own === undefined || managed === undefined) return undefined;
  if (managed.hub_catalog !== mapping.hub) return configurationConflict("other_catalog");
  if (managed.hub_project_name !== mapping.hub_project)
    return configurationConflict("other_project");
  if (managed.requested_actor !== mapping.actor) return configurationConflict("other_actor");
  return undefined;
}

/** Returns the conflict if the stored binding or token contradicts the mapping, or if the two contradict each other. */
function bindingConflict(
  mapping: Mapping,
  { binding, project, credentials }: Standing,
  own: MappingCredential | undefined,
): MappingStep | undefined {
  if (binding !== undefined && binding.role === "hub") return bindingConflictOf("is_hub");
  if (binding !== undefined && binding.hub_url !== mapping.hub_url)
    return bindingConflictOf("other_address");
  if (own !== undefined && own.hub_url !== mapping.hub_url)
    return configurationConflict("other_address");
  if (binding === undefined) return undefined;
  if (!binding.enabled) return bindingConflictOf("disabled");
  if (own !== undefined && own.project_uid !== binding.hub_project_uid)
    return bindingConflictOf("other_project");
  const shown = own ?? credentials.find(({ project_uid }) => project_uid === project?.uid);
  const actor = shown?.managed === undefined ? mapping.actor : shown.actor;
  const { bound_actor } = binding;
  const isOther = bound_actor !== null && actor !== "" && bound_actor !== actor;
  return isOther && shown !== undefined ? bindingConflictOf("other_actor") : undefined;
}

function configurationConflict(reason: string): MappingStep {
  return { do: "conflict", category: "configuration_conflict", reason };
}

function bindingConflictOf(reason: string): MappingStep {
  return { do: "conflict", category: "binding_conflict", reason };
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 300_000;

/**
 * How long after its latest failure a mapping is attempted again, in ms: 1 s, doubled with each failure up to 5
 * minutes.
 */
export function mappingBackoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LAST_RETRY_MS);
}
