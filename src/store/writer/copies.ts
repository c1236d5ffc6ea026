import { SvcError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/events.ts";
import { type BindingState, type GateRefusal, refusalOf } from "../../domain/federation/gate.ts";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/**
 * The gate of federated projects: refuses what a daemon may not write to a project of which it has a copy (issue 33,
 * B1). It belongs to one transaction. The bindings are read only if there is a copy at all, so that it costs nothing
 * elsewhere.
 */
export class Copies {
  #exist: boolean;
  #bindings: ReadonlyMap<string, BindingState> | undefined;

  constructor(exist: boolean) {
    this.#exist = exist;
  }

  /** Forgets the bindings: a write of the transaction has changed one, or such a change was undone. */
  forget(): void {
    this.#exist = true;
    this.#bindings = undefined;
  }

  async requireWritable(
    connection: Connection,
    drafts: readonly Pick<EventDraft, "type" | "payload" | "project_uid">[],
  ): Promise<void> {
    if (!this.#exist) return;
    const bindings = await this.#read(connection);
    for (const draft of drafts) {
      const binding = bindings.get(draft.project_uid);
      const refusal = binding && refusalOf(draft, binding);
      if (refusal !== undefined) throw refused(refusal, draft.project_uid);
    }
  }

  /** Only the hub purges issues, since its copies follow it. */
  async requirePurgeable(connection: Connection, project_uid: string): Promise<void> {
    if (!this.#exist) return;
    const binding = (await this.#read(connection)).get(project_uid);
    if (binding?.role === "spoke") throw refused("federated_admin_required", project_uid);
  }

  async #read(connection: Connection): Promise<ReadonlyMap<string, BindingState>> {
    this.#bindings ??= new Map(
      (await bindings.all(connection, {})).map(({ project_uid, ...state }) => [project_uid, state]),
    );
    return this.#bindings;
  }
}

const bindings = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("federation_binding")
    .select(["project_uid", "role", "enabled", "push_enabled"])
    .where("role", "=", "spoke"),
);

function refused(code: GateRefusal, project_uid: string): SvcError {
  if (code !== "federated_read_only") return new SvcError(code, { project_uid });
  return new SvcError(code, { project_uid }, READ_ONLY);
}

const READ_ONLY = {
  message: "the project is a copy of a project of another daemon, and only reads it",
  hint: "change it on the hub that svc federation status names, or make the copy an ordinary project with svc federation leave",
};
