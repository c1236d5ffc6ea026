import { invariant } from "../../base/invariant.ts";
import { canonicalJson } from "../../base/json.ts";
import { addTo } from "../../base/lists.ts";
import type { AssignedIds, StoredEvent } from "../../contract/events.ts";
import { mergedIdsOf } from "../../domain/evolve/places.ts";
import { shortIdsFrom } from "../../domain/short-id.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { Loaded } from "../load/loaded.ts";
import { issues } from "../repos/issues.ts";
import { statement } from "../rows/statement.ts";
import type { FoldContext } from "./context.ts";

/**
 * Decides which short ids the issues of arriving events get. An event from elsewhere may name a short id that another
 * issue of the project has, had before it moved, or had until it was purged. The issue that was here first keeps it, and
 * the other one gets its next longer form. The decision is stored with the event (`assigned_ids`), so that every later
 * fold, in whatever order, comes to the same short ids. Call this before the events are folded, when what they touch is
 * loaded. Returns the events with what was decided.
 */
export async function assignShortIds(
  context: FoldContext,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const names = events.map((event) => namesIn(context.loaded, event));
  if (names.every((some) => some.length === 0)) return events;
  const arrivals = new Arrivals(context);
  await arrivals.lookUp(names.flat());
  const decided: StoredEvent[] = [];
  for (const [at, event] of events.entries()) {
    const assigned_ids = await arrivals.add(names[at] ?? []);
    if (assigned_ids !== undefined) await keep(context, event, assigned_ids);
    decided.push(assigned_ids === undefined ? event : { ...event, assigned_ids });
  }
  return decided;
}

/** A short id by which an event calls an issue in a project. */
interface Name {
  readonly uid: string;
  readonly project_uid: string;
  readonly wanted: string;
  /** Whether the event creates the issue, takes it out of the project, or brings it there. */
  readonly by: "create" | "leave" | "enter";
  /** The project that is merged away, whose spent short ids stay spent. */
  readonly merged_uid?: string;
}

function namesIn(loaded: Loaded, event: StoredEvent): readonly Name[] {
  if (event.type === "issue.created") {
    const { uid, short_id } = event.payload;
    return [{ uid, project_uid: event.project_uid, wanted: short_id, by: "create" }];
  }
  if (event.type === "issue.moved") {
    const { payload, issue_uid: uid = "" } = event;
    if (loaded.issue(uid) === undefined) return [];
    const { from_project_uid, from_short_id, to_project_uid, to_short_id } = payload;
    return [
      { uid, project_uid: from_project_uid, wanted: from_short_id, by: "leave" },
      { uid, project_uid: to_project_uid, wanted: to_short_id, by: "enter" },
    ];
  }
  if (event.type !== "project.merged") return [];
  const { project_uid, payload } = event;
  const wanted = mergedIdsOf(event);
  return loaded.issuesOf(payload.source_uid).map((issue) => ({
    ...{ uid: issue.uid, project_uid, wanted: wanted(issue), by: "enter" },
    merged_uid: payload.source_uid,
  }));
}

/** Gives short ids to the issues of events that arrive together, whose rows are written only after the last of them. */
class Arrivals {
  readonly #context: FoldContext;
  /** Wanted short ids that were looked up together, and that no issue has or had. */
  readonly #free = new Set<string>();
  /** The issues that got a short id by these events. */
  readonly #owners = new Map<string, string>();
  readonly #created = new Map<string, Pick<IssueRow, "project_uid" | "short_id">>();

  constructor(context: FoldContext) {
    this.#context = context;
  }

  /**
   * Looks at once for those of many wanted short ids that are free. A single one is looked up when it is given away,
   * which is faster.
   */
  async lookUp(names: readonly Name[]): Promise<void> {
    const { connection, loaded } = this.#context;
    const unknown = new Map<string, string[]>();
    for (const { uid, project_uid, wanted, by } of names) {
      const gets = by === "enter" || (by === "create" && loaded.issue(uid) === undefined);
      if (gets && !loaded.free.has(project_uid, wanted, uid)) addTo(unknown, project_uid, wanted);
    }
    for (const [project_uid, ids] of unknown) {
      if (ids.length === 1) continue;
      const taken = await issues(connection).takenShortIds([project_uid], ids);
      for (const id of ids) if (!taken.has(id)) this.#free.add(keyOf(project_uid, id));
    }
  }

  /** Returns the short ids of the issues of one event, where they are not those in its payload. */
  async add(names: readonly Name[]): Promise<AssignedIds | undefined> {
    const assigned = new Map<string, Record<string, string>>();
    for (const name of names) {
      const { uid, project_uid, wanted } = name;
      const short_id = await this.#shortIdOf(name);
      if (short_id !== wanted) assigned.set(uid, { ...assigned.get(uid), [project_uid]: short_id });
    }
    return assigned.size === 0 ? undefined : Object.fromEntries(assigned);
  }

  async #shortIdOf(name: Name): Promise<string> {
    const { uid, project_uid, wanted, by } = name;
    const { loaded } = this.#context;
    const known = this.#created.get(uid) ?? loaded.issue(uid);
    if (known?.project_uid === project_uid) return known.short_id;
    if (by === "leave" || (by === "create" && known !== undefined)) return wanted;
    for (const short_id of shortIdsFrom(uid, wanted)) {
      if (!(await this.#isFree(name, short_id))) continue;
      this.#owners.set(keyOf(project_uid, short_id), uid);
      loaded.free.take(project_uid, short_id);
      if (by === "create") this.#created.set(uid, { project_uid, short_id });
      return short_id;
    }
    invariant(false, "no other issue gets a whole uid as its short id");
  }

  async #isFree(
    { uid, project_uid, wanted, merged_uid }: Name,
    short_id: string,
  ): Promise<boolean> {
    const { connection, loaded } = this.#context;
    if (merged_uid !== undefined && short_id !== wanted) {
      if (await issues(connection).shortIdTaken(merged_uid, short_id, uid)) return false;
    }
    const key = keyOf(project_uid, short_id);
    const owner = this.#owners.get(key);
    if (owner !== undefined) return owner === uid;
    if (this.#free.has(key) || loaded.free.has(project_uid, short_id, uid)) return true;
    return !(await issues(connection).shortIdTaken(project_uid, short_id, uid));
  }
}

function keyOf(projectUid: string, shortId: string): string {
  return `${projectUid} ${shortId}`;
}

async function keep(
  { connection }: FoldContext,
  { id }: StoredEvent,
  assigned: AssignedIds,
): Promise<void> {
  await keepAssigned.run(connection, { id, assigned: canonicalJson(assigned) });
}

const keepAssigned = statement((db, p: { id: number; assigned: string }) =>
  db.updateTable("event").set({ assigned_ids: p.assigned }).where("id", "=", p.id),
);
