import { invalid, SvcError } from "../../contract/errors.ts";
import type { leaveFederationReplica as contract } from "../../contract/federation-replicas.ts";
import type { Input, Output } from "../../contract/route.ts";
import {
  beginLeave,
  type LeaveEvent,
  type LeaveRefusal,
  type LeaveRequest,
  type LeaveState,
  type LeaveView,
  nextLeave,
} from "../../domain/federation/leaving.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireAnyProject } from "../find.ts";
import { projectOut } from "../out/projects.ts";
import { requireAdopted } from "./adopt-project.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import { type Federation, withCredentials } from "./far-side.ts";
import { FEDERATION_ACTOR } from "./hub-baseline.ts";
import type { HubCredential } from "./hub-credential.ts";
import { removeBinding } from "./remove-binding.ts";
import { isUnknownOutcome } from "./unknown-outcome.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Federation };

/**
 * Ends the binding of a copy (docs/contract/federation.md#5-leave). `preflight` changes nothing. `prepare` stores marks
 * that stop the reading, and waits for the open requests to the hub. The last call removes the binding, all that
 * belongs to it, and the credential. Each call may be repeated.
 */
export async function leaveFederationReplica(
  needs: Needs,
  who: Principal,
  { params: { project_id }, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const { disposition = "detach" } = body;
  if (body.preflight === true && body.prepare === true)
    throw invalid("preflight and prepare do not go together");
  const phase =
    body.preflight === true ? "preflight" : body.prepare === true ? "prepare" : "commit";
  const request = {
    phase,
    archives: disposition === "archive",
    force: body.force === true,
  } as const;
  const leaving = new Leaving(needs, project_id, actorOf(who, body.actor ?? FEDERATION_ACTOR));
  const { state, seen } = await leaving.run(request);
  if (state.at === "refused") throw refusalOf(state.refusal, seen);
  const { detached, archived } = state;
  return {
    project: projectOut(seen.project),
    detached,
    disposition,
    ...(request.archives && phase === "commit" ? { archived } : {}),
    ...pendingOut(phase, seen),
  };
}

type Ended = Extract<LeaveState, { readonly at: "done" | "refused" }>;

/** What is stored about the project, and the part of it from which `nextLeave` decides. */
interface StoredState {
  readonly project: StoredProject;
  readonly binding: BindingRow | undefined;
  /** The credential that this database has stored for the hub, and its key: the uid of the project at the hub. */
  readonly stored: { readonly uid: string; readonly credential: HubCredential } | undefined;
  readonly view: LeaveView;
}

/**
 * How many times one leave reads the stored state at most. A leave needs fewer reads unless other requests keep
 * changing what it reads.
 */
const MOST_LOOKS = 20;

/** Carries out one request for a leave. */
class Leaving {
  readonly #needs: Needs;
  readonly #projectId: number;
  readonly #actor: string;
  #looks = 0;

  constructor(needs: Needs, projectId: number, actor: string) {
    this.#needs = needs;
    this.#projectId = projectId;
    this.#actor = actor;
  }

  /** Runs the leave to its end. Joins of this daemon run before a leave, after it, or while it waits. */
  async run(request: LeaveRequest): Promise<{ readonly state: Ended; readonly seen: StoredState }> {
    const { federation } = this.#needs;
    let state = beginLeave(request);
    for (;;) {
      const from: LeaveState = state;
      const turn = await federation.inTurn(async () => await this.#untilWait(request, from));
      state = turn.state;
      if (state.at === "done" || state.at === "refused") return { state, seen: turn.seen };
      await federation.hubCalls.ended(this.#projectId);
    }
  }

  async #untilWait(request: LeaveRequest, from: LeaveState) {
    let [state, seen] = [from, await this.#look()];
    // Requests to the hub that began after the wait must end too. During this turn, no such request can begin to change
    // anything.
    if (state.at === "wait" && !this.#needs.federation.hubCalls.areOpen(this.#projectId))
      state = nextLeave(state, { type: "did", did: true });
    while (state.at !== "wait" && state.at !== "done" && state.at !== "refused") {
      if (state.at === "look") {
        seen = await this.#look();
        state = nextLeave(state, { type: "seen", view: seen.view });
      } else state = nextLeave(state, await this.#attempt(state.at, request, seen));
    }
    return { state, seen };
  }

  async #look(): Promise<StoredState> {
    const { store, federation } = this.#needs;
    // This throws if the file is unreadable, before anything is changed: the token could not be removed from it later.
    const all = await withCredentials(federation, async (credentials) => await credentials.all());
    return await store.read(async (reader) => {
      const project = await requireAnyProject(reader, this.#projectId);
      const binding = await findBinding(reader, project);
      requireAdopted(binding);
      const mark = await reader.unfolded.find("federation_leave", { project_uid: project.uid });
      const open = (await reader.projects.stats([project.uid])).get(project.uid)?.open ?? 0;
      const own = [...all]
        .filter(([uid, { spoke_instance_uid, managed }]) => {
          const isOfProject = uid === project.uid || managed?.spoke_project_name === project.name;
          return isOfProject && spoke_instance_uid === store.instanceUid;
        })
        .map(([uid, credential]) => ({ uid, credential }));
      this.#looks += 1;
      if (this.#looks > MOST_LOOKS)
        throw new SvcError(
          "federation_credential_conflict",
          { project_uid: project.uid },
          UNSETTLED,
        );
      const [stored] = own;
      const view: LeaveView = {
        role: binding?.role,
        isArchived: project.deleted_at !== null,
        openIssues: open,
        isMarked: mark !== undefined,
        credential: own.length > 1 ? "several" : kindOf(stored?.credential),
      };
      return { project, binding, stored, view };
    });
  }

  async #attempt(at: Step, request: LeaveRequest, seen: StoredState): Promise<LeaveEvent> {
    try {
      return { type: "did", did: await this.#do(at, request, seen) };
    } catch (error) {
      if (isUnknownOutcome(error)) return { type: "unknown" };
      throw error;
    }
  }

  /** Returns false if the credential has changed since it was read. */
  async #do(at: Step, { force }: LeaveRequest, { project, stored }: StoredState): Promise<boolean> {
    const { store, federation } = this.#needs;
    const [project_uid, actor] = [project.uid, this.#actor];
    if (at === "archive") {
      await federation.archive({ project_id: project.id, actor, force });
      return true;
    }
    if (at === "mark_binding" || at === "remove_binding") {
      await store.write(async (tx) => {
        if (at === "remove_binding") await removeBinding(tx, project_uid);
        else await tx.unfolded.put("federation_leave", { project_uid, actor, prepared_at: tx.now });
      });
      return true;
    }
    if (stored === undefined) return false;
    const { uid, credential } = stored;
    return await withCredentials(federation, async (credentials) =>
      at === "delete_credential"
        ? await credentials.deleteSame(uid, credential)
        : await credentials.replace(uid, credential, markedAsLeaving(credential)),
    );
  }
}

type Step = Exclude<LeaveState["at"], "look" | "wait" | "done" | "refused">;

function kindOf(credential: HubCredential | undefined): LeaveView["credential"] {
  if (credential === undefined) return "none";
  if (credential.managed === undefined) return "own";
  return credential.managed.leave === undefined ? "managed" : "leaving";
}

/** Marks a managed credential as leaving. The id of the enrollment is not known yet; the reconciliation finds it. */
function markedAsLeaving(credential: HubCredential): HubCredential {
  const { managed } = credential;
  if (managed === undefined) return credential;
  return { ...credential, managed: { ...managed, leave: { pending_enrollment_id: 0 } } };
}

/** Says at which hub the enrollment is to be revoked before the last call. */
function pendingOut(phase: LeaveRequest["phase"], { binding, stored }: StoredState) {
  if (phase === "commit") return {};
  if (binding?.role === "spoke") {
    const { hub_url, hub_project_id, hub_project_uid, allow_insecure } = binding;
    return pending(hub_url ?? "", hub_project_id ?? 0, hub_project_uid ?? "", allow_insecure === 1);
  }
  // No project was joined with this token yet, but it may be enrolled at the hub all the same.
  if (stored === undefined || stored.credential.actor !== "") return {};
  const { hub_url, hub_project_id, allow_insecure } = stored.credential;
  return pending(hub_url, hub_project_id, stored.uid, allow_insecure);
}

function pending(
  hub_url: string,
  hub_project_id: number,
  hub_project_uid: string,
  allowsInsecure: boolean,
) {
  const insecure = allowsInsecure ? { allow_insecure: true } : {};
  return { pending_enrollment: { hub_url, hub_project_id, hub_project_uid, ...insecure } };
}

function refusalOf(refusal: LeaveRefusal, { project, view }: StoredState): SvcError {
  const { uid: project_uid } = project;
  switch (refusal) {
    case "not_a_spoke":
      return new SvcError("not_a_spoke", { project_uid });
    case "open_issues":
      return new SvcError("project_has_open_issues", { open_issues: view.openIssues });
    case "several":
      return new SvcError("federation_credential_conflict", { project_uid }, SEVERAL);
    case "changed":
      return new SvcError("federation_credential_conflict", { project_uid }, CHANGED);
    case "outcome_unknown":
      return new SvcError("outcome_unknown", { project_uid });
  }
}

const SEVERAL = {
  message: "credentials.toml has two tokens for the project",
  hint: "stop the daemon, delete the one that is not needed, and start it again",
};

const CHANGED = {
  message: "the token of the project was changed meanwhile",
  hint: "repeat the leave; in the API, begin with prepare",
};

const UNSETTLED = {
  message: "each step of the leave is undone by something else that changes the copy or its token",
  hint: "stop what changes credentials.toml or joins the project, another daemon too, and repeat the leave",
};
