import { SvcError } from "../../contract/errors.ts";
import type { rebindFederationReplica as contract } from "../../contract/federation-replicas.ts";
import type { Input, Output } from "../../contract/route.ts";
import {
  nextRebind,
  type RebindEvent,
  type RebindRefusal,
  type RebindState,
  type RebindView,
} from "../../domain/federation/rebinding.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { requireAdopted } from "./adopt-project.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import { type Federation, type HubPlace, withCredentials } from "./far-side.ts";
import type { HubCredential } from "./hub-credential.ts";
import { replicaFrom } from "./replica.ts";
import { isUnknownOutcome } from "./unknown-outcome.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };

/** What is stored about the copy, and the part of it from which `nextRebind` decides. */
interface StoredState {
  readonly project: StoredProject;
  readonly binding: BindingRow | undefined;
  readonly credential: HubCredential | undefined;
  readonly view: RebindView;
}

/**
 * Moves a copy to the address that a `[[daemon]]` entry of config.toml has for its hub
 * (docs/contract/federation.md#6-rebind). First, a request to the new address, with the token of the copy, checks that
 * the same project is there; the token of the entry is not used. Then requests to the old address end, and the
 * credential and the binding are changed one after the other. Cursors, token and actor do not change.
 */
export async function rebindFederationReplica(
  needs: Needs,
  who: Principal,
  { params: { project_id }, body: { hub_catalog } }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireWriter(who);
  const { federation } = needs;
  return await federation.hubCalls.during(project_id, async () => {
    const first = await federation.inTurn(async () => await look(needs, project_id));
    // If the project is no copy, do not tell the caller which entries config.toml has.
    if (first.binding?.role !== "spoke")
      throw refused(first.binding === undefined ? "not_bound" : "not_a_spoke", first);
    const target = { ...federation.catalogPlace(hub_catalog), hub_catalog };
    let state = nextRebind({ at: "begin", target }, { type: "seen", view: first.view });
    if (state.at === "ask") state = nextRebind(state, await ask(needs, first, target));
    if (state.at === "drain")
      state = await federation.drained(first.project.uid, async () => {
        const drained = nextRebind(state, { type: "drained" });
        return await federation.inTurn(async () => await move(needs, project_id, drained));
      });
    if (state.at !== "done")
      throw refused(state.at === "refused" ? state.refusal : "changed", first, target);
    federation.wake(first.project.uid);
    const { id, uid, name } = first.project;
    return {
      project: { id, uid, name },
      old_origin: originOf(oldPlace(first, target)),
      new_origin: originOf(target.hub_url),
      state: state.outcome,
    };
  });
}

async function look({ store, federation }: Needs, project_id: number): Promise<StoredState> {
  const stored = await withCredentials(federation, async (credentials) => await credentials.all());
  return await store.read(async (reader) => {
    const project = await requireAnyProject(reader, project_id);
    const binding = await findBinding(reader, project);
    requireAdopted(binding);
    const mark = await reader.unfolded.find("federation_leave", { project_uid: project.uid });
    const found = stored.get(project.uid);
    const credential = found?.spoke_instance_uid === store.instanceUid ? found : undefined;
    const leaving = mark !== undefined || credential?.managed?.leave !== undefined;
    return { project, binding, credential, view: viewOf(binding, credential, leaving) };
  });
}

function viewOf(
  binding: BindingRow | undefined,
  credential: HubCredential | undefined,
  leaving: boolean,
): RebindView {
  return {
    binding:
      binding === undefined
        ? undefined
        : {
            role: binding.role,
            hub_url: binding.hub_url ?? "",
            allow_insecure: binding.allow_insecure === 1,
            project_uid: binding.project_uid,
            hub_project_id: binding.hub_project_id ?? 0,
            hub_project_uid: binding.hub_project_uid ?? "",
          },
    credential:
      credential === undefined
        ? undefined
        : {
            hub_url: credential.hub_url,
            allow_insecure: credential.allow_insecure,
            hub_project_id: credential.hub_project_id,
            hub_catalog: credential.managed?.hub_catalog,
          },
    leaving,
  };
}

async function ask(
  { federation }: Needs,
  seen: StoredState,
  target: HubPlace,
): Promise<RebindEvent> {
  const replica = seen.binding === undefined ? undefined : replicaFrom(seen.binding);
  if (replica === undefined || seen.credential === undefined)
    return { type: "answered", answer: { refused: "unavailable" } };
  const answer = await federation.askAt(target, replica, seen.credential);
  return { type: "answered", answer };
}

/**
 * Moves the credential, then the binding, and reads what is stored before each step. Called while nothing is sent to
 * the hub.
 */
async function move(needs: Needs, project_id: number, from: RebindState): Promise<RebindState> {
  let state = from;
  let seen: StoredState | undefined;
  while (state.at === "look" || state.at === "move_credential" || state.at === "move_binding") {
    if (state.at === "look") {
      seen = await look(needs, project_id);
      state = nextRebind(state, { type: "seen", view: seen.view });
    } else state = nextRebind(state, await moveStored(needs, state, seen));
  }
  return state;
}

async function moveStored(
  { store, federation }: Needs,
  { at, target }: Extract<RebindState, { readonly at: "move_credential" | "move_binding" }>,
  { project, binding, credential }: Partial<StoredState> = {},
): Promise<RebindEvent> {
  if (project === undefined || binding === undefined || credential === undefined)
    return { type: "moved", moved: false };
  const { hub_url, allow_insecure } = target;
  if (at === "move_credential") {
    const next = { ...credential, hub_url, allow_insecure };
    const isMoved = await withCredentials(
      federation,
      async (credentials) => await credentials.replace(project.uid, credential, next),
    );
    return { type: "moved", moved: isMoved };
  }
  try {
    return await store.write(async (tx) => {
      const known = await findBinding(tx, project);
      const mark = await tx.unfolded.find("federation_leave", { project_uid: project.uid });
      if (known === undefined || mark !== undefined || !isSame(known, binding))
        return { type: "moved", moved: false };
      const changes = { hub_url, allow_insecure: 0 as const, updated_at: tx.now };
      await tx.unfolded.put("federation_binding", { ...known, ...changes });
      return { type: "moved", moved: true };
    });
  } catch (error) {
    if (isUnknownOutcome(error)) return { type: "unknown" };
    throw error;
  }
}

/** Whether the binding still has the same address and project of the hub. A pass may have moved its cursors. */
function isSame(known: BindingRow, seen: BindingRow): boolean {
  return (
    known.created_at === seen.created_at &&
    known.hub_url === seen.hub_url &&
    known.allow_insecure === seen.allow_insecure &&
    known.hub_project_id === seen.hub_project_id &&
    known.hub_project_uid === seen.hub_project_uid
  );
}

/**
 * The address from which the copy moves: the address in the credential, unless that is the new one already; then the
 * address in the binding.
 */
function oldPlace({ view: { credential, binding } }: StoredState, { hub_url }: HubPlace): string {
  const isOld = credential !== undefined && credential.hub_url !== hub_url;
  return (isOld ? credential.hub_url : binding?.hub_url) ?? hub_url;
}

/** Scheme, host and port, without a path. */
function originOf(url: string): string {
  return new URL(url).origin;
}

function refused(reason: RebindRefusal, { project }: StoredState, target?: HubPlace): SvcError {
  const { code, ...shown } = REFUSALS[reason];
  const at = target === undefined ? {} : { origin: originOf(target.hub_url) };
  return new SvcError(code, { project_uid: project.uid, reason, ...at }, shown);
}

const CONFLICT = "federation_binding_conflict";
const CREDENTIAL = "federation_credential_conflict";

/** The code, message and hint of each refusal. No text contains a secret or an address with a path. */
const REFUSALS: Readonly<
  Record<
    RebindRefusal,
    {
      readonly code: ConstructorParameters<typeof SvcError>[0];
      readonly message?: string;
      readonly hint?: string;
    }
  >
> = {
  not_bound: {
    code: CONFLICT,
    message: "the project is no copy of a project of another daemon",
    hint: "svc federation join makes one",
  },
  not_a_spoke: { code: "not_a_spoke", message: "this daemon is the hub of the project" },
  leaving: {
    code: CREDENTIAL,
    message: "the project is leaving its hub",
    hint: "svc federation leave finishes that; svc federation join keeps the copy",
  },
  no_credential: {
    code: CREDENTIAL,
    message: "this daemon has no token for the hub of the project",
    hint: "svc federation join with the token of an enrollment",
  },
  other_catalog: {
    code: CREDENTIAL,
    message: "config.toml copies the project from another [[daemon]]",
    hint: "name the hub of its [[federation.project]]",
  },
  other_project: {
    code: CONFLICT,
    message: "the copy and its token are for different projects of the hub",
    hint: "svc federation leave, then svc federation join",
  },
  disagreement: {
    code: CONFLICT,
    message: "the copy and its token are for different hubs",
    hint: "rebind to one of both, or svc federation leave, then svc federation join",
  },
  token: {
    code: CREDENTIAL,
    message: "the hub does not accept the token of the copy at the new address",
    hint: "look whether the address is that of the same hub: svc federation enrollments list there",
  },
  project: {
    code: CONFLICT,
    message: "at the new address there is no such project, or another one",
    hint: "look whether the address is that of the same hub",
  },
  unavailable: { code: "federation_hub_unavailable" },
  changed: {
    code: CREDENTIAL,
    message: "the copy or its token was changed meanwhile",
    hint: "svc federation status shows how it is now; then repeat this",
  },
  outcome_unknown: { code: "outcome_unknown" },
};
