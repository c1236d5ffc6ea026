import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Facet } from "../../domain/undo/facets.ts";
import type { UndoPlan } from "../../domain/undo/plan.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Conflict } from "./checks.ts";
import type { Names } from "./out.ts";

export async function namesFor(
  reader: Reader,
  plan: UndoPlan,
  events: readonly StoredEvent[],
  conflicts: readonly Conflict[],
): Promise<Names> {
  const facets = [...plan.reverts, ...conflicts].map(({ facet }) => facet);
  const current = new Map(
    ofSeries(facets).map(({ uid }) => [
      uid,
      plan.without.recurrence(uid)?.last_materialized_uid ?? "",
    ]),
  );
  const uids = new Set([
    ...current.values(),
    ...events.flatMap((event) => [event.issue_uid ?? "", ...(touches(event).issues ?? [])]),
    ...facets.flatMap((facet) => (facet.of === "link" ? [facet.uid, facet.peer] : [facet.uid])),
    ...plan.reverts.flatMap(({ facet, from, to }) =>
      facet.of === "parent" ? [from, to].filter((uid) => typeof uid === "string") : [],
    ),
  ]);
  const issues = await reader.issues.many([...uids]);
  const places = plan.reverts.flatMap(({ facet }) => {
    return [plan.now.issue(facet.uid)?.project_uid, plan.without.issue(facet.uid)?.project_uid];
  });
  const projects = new Map<string, StoredProject>();
  for (const uid of new Set(places)) {
    const project = uid === undefined ? undefined : await reader.projects.find(uid);
    if (project !== undefined) projects.set(project.uid, project);
  }
  return { issues, projects, current };
}

function ofSeries(facets: readonly Facet[]): readonly Facet[] {
  return facets.filter(({ of }) => of === "series");
}
