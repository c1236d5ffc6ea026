import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import { inOrder } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { pastEvents } from "../repos/past-events.ts";
import { eventStatement } from "../repos/statements.ts";
import { ALL_EVENTS, type Folds } from "../types/events.ts";

export function folds(connection: Connection): Folds {
  return {
    eventsFor: async (uids, through) => await eventsFor(connection, uids, { through }),
  };
}

interface Asked {
  /** The last event that is read, by arrival. */
  readonly through?: number;
  /** What `wideEvents` reads, if the caller has read it. */
  readonly wide?: readonly StoredEvent[];
}

/**
 * Reads the events from which the rows of these issues fold, in the order of the fold:
 * - The events about the issues, and those of other issues that name them.
 * - The creation of each other issue that these events name, since a link needs both of its issues.
 * - The events that change all issues of a project (`wide`), and those that made one of the issues the first of a
 *   series.
 *
 * Their fold has the right rows of these issues only.
 */
export async function eventsFor(
  connection: Connection,
  uids: readonly string[],
  { through = ALL_EVENTS, wide }: Asked = {},
): Promise<readonly StoredEvent[]> {
  const past = pastEvents(connection);
  const own = new Set(uids);
  const about = [
    ...(await past.ofIssues([...own], through)),
    ...(await past.mentioning([...own], through)),
  ];
  const named = new Set(about.flatMap((event) => touches(event).issues ?? []));
  const others = [...named].filter((uid) => !own.has(uid));
  return inOrder([
    ...wideFor(own, wide ?? (await past.ofProjects(through))),
    ...about,
    ...(await past.creating(others, through)),
  ]);
}

/** Reads the events about no single issue from which rows of issues fold. */
export async function wideEvents(connection: Connection): Promise<readonly StoredEvent[]> {
  return await pastEvents(connection).ofProjects(ALL_EVENTS);
}

/** Reads the events behind `after` up to `through` that are about no issue, in the order of arrival. */
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
  // A series is made only in a project that is there.
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
