import { SvcError } from "../../contract/errors.ts";
import type { EventKind } from "../../contract/event-kinds.ts";
import type { EventDraft } from "../../contract/events.ts";
import { asBoundActor } from "../../domain/federation/bound-actor.ts";
import {
  ADOPTION_UNFINISHED,
  type BindingState,
  type GateRefusal,
  isReadOnly,
  refusalOf,
} from "../../domain/federation/gate.ts";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/**
 * The gate of federated projects: refuses what a daemon may not write to a project of which it has a copy. Each object
 * belongs to one transaction. The bindings are read only if the database has a copy, so that the gate costs nothing on
 * other daemons.
 */
export class Copies {
  #exist: boolean;
  #bindings: ReadonlyMap<string, BindingState> | undefined;

  constructor(exist: boolean) {
    this.#exist = exist;
  }

  /** Whether there may be a copy. */
  get exist(): boolean {
    return this.#exist;
  }

  /** Forgets the bindings, because a write of the transaction has changed a binding, or such a change was undone. */
  forget(): void {
    this.#exist = true;
    this.#bindings = undefined;
  }

  /**
   * Returns the events as they are to be written. If a copy sends its events, their actor becomes the actor of its
   * enrollment. Throws if a copy may not write one of the events.
   */
  async passed<D extends EventDraft>(
    connection: Connection,
    drafts: readonly D[],
  ): Promise<readonly D[]> {
    if (!this.#exist) return drafts;
    const bindings = await this.#read(connection);
    return drafts.map((draft) => {
      const binding = bindings.get(draft.project_uid);
      if (binding === undefined) return draft;
      const refusal = refusalOf(draft, binding);
      if (refusal !== undefined) throw refused(refusal, draft.project_uid, binding);
      return sends(binding) ? asBoundActor(draft, binding.bound_actor) : draft;
    });
  }

  /** Throws if the project is a copy: only the hub purges issues, and the copy follows the hub. */
  async requirePurgeable(connection: Connection, project_uid: string): Promise<void> {
    if (!this.#exist) return;
    const binding = (await this.#read(connection)).get(project_uid);
    if (binding?.role === "spoke") throw refused("federated_admin_required", project_uid, binding);
  }

  /** Whether the project is a copy of a project of another daemon, even if its binding is disabled. */
  async isCopy(connection: Connection, project_uid: string): Promise<boolean> {
    return this.#exist && (await this.#read(connection)).has(project_uid);
  }

  /** Whether an event of this kind, with nothing in it that only the hub may do, can be added to the project. */
  async mayWrite(connection: Connection, type: EventKind, project_uid: string): Promise<boolean> {
    if (!this.#exist) return true;
    const binding = (await this.#read(connection)).get(project_uid);
    return binding === undefined || isPermitted(type, binding);
  }

  async #read(connection: Connection): Promise<ReadonlyMap<string, BindingState>> {
    this.#bindings ??= new Map(
      (await bindings.all(connection, {})).map(({ project_uid, ...state }) => [project_uid, state]),
    );
    return this.#bindings;
  }
}

function isPermitted(type: EventKind, binding: BindingState): boolean {
  return refusalOf({ type, payload: {} as EventDraft["payload"] }, binding) === undefined;
}

function sends(binding: BindingState): binding is BindingState & { readonly bound_actor: string } {
  return binding.push_enabled === 1 && binding.bound_actor !== null;
}

const bindings = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("federation_binding")
    .select(["project_uid", "role", "enabled", "disabled_reason", "push_enabled", "bound_actor"])
    .where("role", "=", "spoke"),
);

function refused(code: GateRefusal, project_uid: string, binding: BindingState): SvcError {
  if (code !== "federated_read_only") return new SvcError(code, { project_uid });
  if (binding.disabled_reason === ADOPTION_UNFINISHED)
    return new SvcError(code, { project_uid }, HANDED_OVER);
  return new SvcError(code, { project_uid }, isReadOnly(binding) ? READ_ONLY : {});
}

const HANDED_OVER = {
  message:
    "the project is being handed over to its hub, and cannot be changed until that has ended",
  hint: "ask again in some seconds; svc federation status says adoption_unfinished until then",
};

const READ_ONLY = {
  message: "the project is a copy of a project of another daemon, and only reads it",
  hint: "change it on the hub that svc federation status names; or let the copy send its changes, with an enrollment that permits push and svc federation join --push",
};
