import { invariant } from "../../base/invariant.ts";
import { newSecret } from "../../base/secret.ts";
import {
  type HubAnswers,
  isHeld,
  isLeaving,
  type Mapping,
  type MappingCredential,
  type MappingStep,
  nextMappingStep,
  type Standing,
} from "../../domain/federation/mapping.ts";
import type { Deps } from "../deps.ts";
import { isUnfinished } from "./adopt-project.ts";
import { findBinding } from "./binding.ts";
import type { Federation } from "./far-side.ts";
import type { HubCredential } from "./hub-credential.ts";
import { joinReplica } from "./join.ts";
import { faultOf, inFile, inStore } from "./mapping-errors.ts";
import { type EnrollmentRequest, MappingFault, type MappingHub } from "./mapping-hub.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };

export interface Attempt {
  readonly mapping: Mapping;
  /** Whether plain HTTP to any host is allowed for the hub. */
  readonly allowsInsecure: boolean;
  /** What this process remembers of the mapping. */
  readonly memory: { wasHeld: boolean };
  /** Creates the project of the mapping here. */
  createProject(): Promise<void>;
  /** Opens the hub. Called before the first request to it. */
  hub(): Promise<MappingHub>;
  readonly signal: AbortSignal;
}

/** More steps than any mapping needs: further ones would be a loop. */
const MOST_STEPS = 40;

/** The capabilities of the enrollment of a mapping. */
const CAPABILITIES = ["claim", "pull", "push"];

/**
 * Does what is left to do for a mapping of config.toml (`domain/federation/mapping.ts` decides what), until its project
 * has the binding that the mapping asks for. No request is sent to the hub during a turn (`Federation.inTurn`), so
 * joins and leaves do not wait for the network; the next step sees what they changed. A leave that begins during the
 * attempt waits until the attempt has ended; before that, the attempt revokes what it has enrolled. Throws
 * `MappingFault`.
 */
export async function reconcileMapping(
  needs: Needs,
  attempt: Attempt,
): Promise<"reconciled" | "left"> {
  const project = await findProject(needs, attempt);
  if (project !== undefined)
    return await needs.federation.hubCalls.during(
      project.id,
      async () => await reachBinding(needs, attempt),
    );
  const first = await needs.federation.inTurn(async () => await stepHere(needs, attempt, {}));
  const isCreated = first === "done";
  return await (isCreated ? reconcileMapping(needs, attempt) : reachBinding(needs, attempt));
}

async function findProject({ store }: Needs, { mapping: { spoke_project } }: Attempt) {
  return await inStore(
    async () => await store.read(async ({ projects }) => await projects.findByName(spoke_project)),
  );
}

async function reachBinding(needs: Needs, attempt: Attempt): Promise<"reconciled" | "left"> {
  let answers: HubAnswers = {};
  let hub: MappingHub | undefined;
  let unanswered: unknown;
  try {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (attempt.signal.aborted) throw new MappingFault("internal", { reason: "stopped" });
      const next = await needs.federation.inTurn(
        async () => await stepHere(needs, attempt, answers),
      );
      if (next === "done") continue;
      const { step, stored, leaves } = next;
      if (unanswered !== undefined && !leaves) throw unanswered;
      if (step.do === "finish") return step.as;
      if (step.do === "conflict") throw new MappingFault(step.category, { reason: step.reason });
      hub ??= await attempt.hub();
      try {
        answers = { ...answers, ...(await askHub(hub, step, { needs, attempt, stored })) };
      } catch (error) {
        // The hub may enroll the token although no answer came. If a leave waits for this attempt, the leave deletes
        // the token. So the attempt looks the enrollment up once more and revokes it.
        if (step.do !== "enroll" || unanswered !== undefined) throw error;
        unanswered = error;
      }
    }
  } finally {
    hub?.close();
  }
  invariant(false, "a mapping has an end");
}

type OwnStep = Extract<
  MappingStep,
  { readonly do: "create_project" | "reserve" | "note_enrollment" | "join" }
>;
type HubStep = Exclude<
  MappingStep,
  OwnStep | { readonly do: "finish" } | { readonly do: "conflict" }
>;

interface HubTurn {
  readonly step: Exclude<MappingStep, OwnStep>;
  readonly stored: Stored;
  /** Whether a leave was prepared. */
  readonly leaves: boolean;
}

/**
 * Decides the next step. If the step needs no hub, carries it out in the same turn, so that nothing can happen in
 * between, and returns "done".
 */
async function stepHere(
  needs: Needs,
  attempt: Attempt,
  answers: HubAnswers,
): Promise<"done" | HubTurn> {
  const { stored, standing } = await standingOf(needs, attempt);
  const step = nextMappingStep(attempt.mapping, standing, answers);
  if (isHeld(attempt.mapping, standing)) attempt.memory.wasHeld = true;
  switch (step.do) {
    case "create_project":
    case "reserve":
    case "note_enrollment":
    case "join":
      await doHere(needs, attempt, step, stored);
      return "done";
    case "resolve":
    case "create_hub_project":
    case "enable":
    case "enroll":
    case "look_up":
    case "revoke":
    case "finish":
    case "conflict":
      return { step, stored, leaves: isLeaving(attempt.mapping, standing) };
  }
}

type Stored = ReadonlyMap<string, HubCredential>;

async function standingOf(
  { store, federation }: Needs,
  { mapping, memory }: Attempt,
): Promise<{ readonly stored: Stored; readonly standing: Standing }> {
  const stored = await inFile(federation, async (credentials) => await credentials.all());
  const found = await inStore(
    async () =>
      await store.read(async (reader) => {
        const project = await reader.projects.findByName(mapping.spoke_project);
        const binding = project === undefined ? undefined : await findBinding(reader, project);
        const key = { project_uid: project?.uid ?? "" };
        const leave = await reader.unfolded.find("federation_leave", key);
        return { project, binding, leaves: leave !== undefined };
      }),
  );
  const { project, binding, leaves } = found;
  return {
    stored,
    standing: {
      instance_uid: store.instanceUid,
      project: project && { uid: project.uid, archived: project.deleted_at !== null },
      binding: binding && {
        ...binding,
        // A join continues the adoption of a project that is being handed over.
        enabled: binding.enabled === 1 || isUnfinished(binding),
        sends: binding.push_enabled === 1 || binding.pushes_once_read === 1,
      },
      leaves,
      credentials: [...stored].map(([project_uid, credential]) => ({ ...credential, project_uid })),
      wasHeld: memory.wasHeld,
    },
  };
}

async function doHere(
  needs: Needs,
  attempt: Attempt,
  step: OwnStep,
  stored: Stored,
): Promise<void> {
  const { store, federation } = needs;
  const { mapping, allowsInsecure } = attempt;
  const who = { kind: "none", actor: mapping.actor, local: false } as const;
  switch (step.do) {
    case "create_project": {
      await inStore(async () => await attempt.createProject());
      return;
    }
    case "reserve": {
      const place = placeOf(federation, attempt);
      const { id: hub_project_id, uid } = step.project;
      const credential: HubCredential = {
        ...place,
        hub_project_id,
        token: `svc_fed_${newSecret()}`,
        capabilities: CAPABILITIES,
        actor: "",
        spoke_instance_uid: store.instanceUid,
        managed: {
          hub_catalog: mapping.hub,
          hub_project_name: mapping.hub_project,
          requested_actor: mapping.actor,
          spoke_project_name: mapping.spoke_project,
        },
      };
      await inFile(federation, async (credentials) => await credentials.reserve(uid, credential));
      return;
    }
    case "note_enrollment": {
      const { uid, credential } = storedFor(stored, step.with);
      const { managed } = credential;
      invariant(managed !== undefined, "only a token of a mapping leaves with it");
      const next = {
        ...credential,
        managed: { ...managed, leave: { pending_enrollment_id: step.id } },
      };
      await inFile(
        federation,
        async (credentials) => await credentials.replace(uid, credential, next),
      );
      return;
    }
    case "join": {
      const { uid, credential } = storedFor(stored, step.with);
      const { hub_url, hub_project_id, token, capabilities } = credential;
      const body = {
        ...{ hub_url, hub_project_id, hub_project_uid: uid, token },
        capabilities: [...capabilities],
        project_name: mapping.spoke_project,
        replay_horizon_event_id: step.baseline.from,
        baseline_through_event_id: step.baseline.through,
        actor: step.actor,
        allow_insecure: allowsInsecure,
        push_enabled: true,
        adopt_existing: step.adopts,
      };
      const joining = { ...who, actor: step.actor };
      await inStore(async () => await joinReplica(needs, joining, body));
    }
  }
}

interface Asking {
  readonly needs: Needs;
  readonly attempt: Attempt;
  readonly stored: Stored;
}

/** Carries out a step at the hub, and returns what the hub answered. */
async function askHub(hub: MappingHub, step: HubStep, asking: Asking): Promise<HubAnswers> {
  const { actor, hub_project } = asking.attempt.mapping;
  switch (step.do) {
    case "resolve":
      return { project: await hub.resolve(hub_project) };
    case "create_hub_project":
      return { project: await hub.create(hub_project, actor) };
    case "enable":
      return { baseline: await hub.enable(step.project, actor) };
    case "enroll":
      return { enrolled: await hub.enroll(step.how, enrollmentOf(step.with, asking)) };
    case "look_up": {
      const enrolled = await hub.lookUp(enrollmentOf(step.with, asking));
      if (enrolled !== "refused") return { enrolled };
      throw new MappingFault("hub_validation", { reason: "enrollment_revoked", status: 409 });
    }
    case "revoke":
      await hub.revoke(step.id);
      return { revoked: true };
  }
}

/** The enrollment to ask the hub for. A token always has the same attributes, so a request may be repeated. */
function enrollmentOf(
  of: MappingCredential,
  { needs: { store }, attempt: { mapping }, stored }: Asking,
): EnrollmentRequest {
  const {
    token,
    hub_project_id: project_id,
    capabilities,
    managed,
  } = storedFor(stored, of).credential;
  return {
    ...{ token, project_id, capabilities },
    spoke_instance_uid: store.instanceUid,
    actor: managed?.requested_actor ?? mapping.actor,
  };
}

function storedFor(
  stored: Stored,
  { project_uid: uid }: MappingCredential,
): { readonly uid: string; readonly credential: HubCredential } {
  const credential = stored.get(uid);
  invariant(credential !== undefined, "a step names a token that is stored");
  return { uid, credential };
}

function placeOf({ placeOf: find }: Federation, { mapping, allowsInsecure }: Attempt) {
  try {
    return find(mapping.hub_url, allowsInsecure);
  } catch (cause) {
    throw faultOf(cause);
  }
}
