import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { FoldOrder } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { pastEvents } from "../repos/past-events.ts";
import { eventStatement } from "../repos/statements.ts";
import { ALL_EVENTS, type Folds } from "../types/events.ts";

export function folds(connection: Connection): Folds {
  return {
    eventsFor: async (uids, through) => (await eventsFor(connection, uids, { through })).events,
  };
}

interface EventRange {
  /** If present, only events with an id up to this one (included) are read. */
  readonly through?: number;
  /** The result of `wideEvents`, if the caller already has it. */
  readonly wide?: readonly StoredEvent[];
}

interface PartOfLog {
  /** In the order of the fold. */
  readonly events: readonly StoredEvent[];
  readonly order: FoldOrder;
}

/**
 * Reads the events that determine the rows of these issues, in the order of the fold:
 * - The events about the issues, and events of other issues that name them.
 * - The creation and the moves of each other issue that these events name, because a link needs both of its issues, and
 *   the project of each issue decides which project the link belongs to.
 * - The events that change all issues of a project (`wide`), and the events that made one of the issues the first of a
 *   series.
 * Folding these events gives correct rows only for these issues.
 */
export async function eventsFor(
  connection: Connection,
  uids: readonly string[],
  { through = ALL_EVENTS, wide }: EventRange = {},
): Promise<PartOfLog> {
  const past = pastEvents(connection);
  const own = new Set(uids);
  const about = [
    ...(await past.ofIssues([...own], through)),
    ...(await past.mentioning([...own], through)),
  ];
  const named = new Set(about.flatMap((event) => touches(event).issues ?? []));
  const others = [...named].filter((uid) => !own.has(uid));
  const order = await past.order(through);
  const events = order.sorted([
    ...wideFor(own, wide ?? (await past.ofProjects(through))),
    ...about,
    ...(await past.creating(others, through)),
  ]);
  return { events, order };
}

/** Reads the events that are about no single issue but determine rows of issues. */
export async function wideEvents(connection: Connection): Promise<readonly StoredEvent[]> {
  return await pastEvents(connection).ofProjects(ALL_EVENTS);
}

/** Reads the events without an issue whose ids are greater than `after` and at most `through`, in the order of ids. */
export async function eventsOfNoIssue(
  connection: Connection,
  after: number,
  through: number,
): Promise<readonly StoredEvent[]> {
  return await ofNoIssue.all(connection, { after, through });
}

const ofNoIssue = eventStatement((db, p: { after: number; through: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", ">", p.after)
    .where("id", "<=", p.through)
    .where("issue_uid", "is", null)
    .orderBy("id"),
);

function wideFor(own: ReadonlySet<string>, wide: readonly StoredEvent[]): readonly StoredEvent[] {
  const firsts = wide.filter(
    (event) =>
      event.type === "recurrence.created" && own.has(event.payload.initial_issue_uid ?? ""),
  );
  // A series can be created only in a project that exists, so the project's creation is needed too.
  const projects = new Set(firsts.map(({ project_uid }) => project_uid));
  const made = wide.filter(
    ({ type, project_uid }) => type === "project.created" && projects.has(project_uid),
  );
  return [...made, ...firsts, ...wide.filter(isOfAllIssues)];
}

/** Whether the event changes the rows of all issues of a project. */
export function isOfAllIssues({ type }: Pick<StoredEvent, "type">): boolean {
  return type === "project.merged" || type === "project.author_rewritten";
}
