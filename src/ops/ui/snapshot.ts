import type { Output } from "../../contract/route.ts";
import type { readUISnapshot as contract } from "../../contract/ui-snapshot.ts";
import { namesTag } from "../../domain/entity-tags.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { mapped } from "../issue-rows.ts";
import { projectOut } from "../out/projects.ts";
import { DeferredField, type Streamed, StreamedRows } from "../streamed-rows.ts";
import { Tagged } from "../tagged.ts";
import { writtenJson } from "../written-json.ts";
import { Collection } from "./collection.ts";
import { answerTag, enveloped, type PageOp } from "./envelope.ts";
import { graphOut } from "./graph.ts";
import { linksOfIssues, uiIssuesOut } from "./out.ts";
import { byName, inProjects } from "./projects.ts";
import { selectedOut } from "./selected.ts";
import { snapshotRequest, soughtIssues } from "./snapshot-request.ts";

/** Reads what a page shows. If the page has the current answer, only the end of the log is read. */
export const readUISnapshot: PageOp<typeof contract> = async (
  deps,
  _who,
  { query, headers, envelope },
) => {
  const request = snapshotRequest(query);
  const { smallWorkOnly } = deps;
  return await deps.store.read(async (reader) => {
    const head = await reader.events.head();
    const now = deps.clock.now();
    // A scheduled issue becomes ready without an event. So the tag of a request for ready issues contains the last time
    // at which this happened.
    const scheduled = request.statuses.includes("ready")
      ? await reader.issues.scheduledUpTo(now)
      : null;
    const tag = answerTag({ ...request, scheduled }, head, envelope);
    if (namesTag(headers["if-none-match"], tag)) return new Tagged(tag);
    const projects = (await reader.projects.list(false)).toSorted(byName);
    const sought = inProjects(request, projects, soughtIssues(request, now));
    const collection = new Collection(deps, reader, sought, request.limit);
    const selected =
      request.selected_issue_uid === undefined
        ? undefined
        : { issue: await reader.issues.find(request.selected_issue_uid) };
    const linksOfPage = async function* () {
      yield* linksOfIssues(reader, [...collection.ends.keys()], {
        known: collection.ends,
        ...(smallWorkOnly === undefined ? {} : { smallWorkOnly }),
      });
    };
    const graphOfPage = async () => {
      if (!request.include_graph) return undefined;
      const uids =
        selected === undefined ? [...collection.ends.keys()] : [selected.issue?.uid ?? ""];
      const depth = selected === undefined ? 1 : Number.POSITIVE_INFINITY;
      return await graphOut(reader, uids, depth, smallWorkOnly);
    };
    // The fields are read in this order, since later fields depend on which issues were read for `collection`.
    const snapshot: Streamed<Output<typeof contract>> = {
      ...enveloped(envelope, head),
      catalog: await catalogOf(reader, projects),
      collection: new StreamedRows(
        mapped(collection.parts(), async (part) => await uiIssuesOut(reader, part)),
      ),
      collection_truncated: new DeferredField(() => collection.truncated || undefined),
      collection_links: new StreamedRows(linksOfPage()),
      ...(selected === undefined
        ? {}
        : { selected: await selectedOut(reader, selected.issue, request.include_history) }),
      graph: new DeferredField(graphOfPage),
    };
    return new Tagged(tag, deps.streams === true ? snapshot : await writtenJson(snapshot));
  });
};

async function catalogOf(reader: Reader, projects: readonly StoredProject[]) {
  const stats = await reader.projects.stats(projects.map(({ uid }) => uid));
  return projects.map((project) => {
    const { open = 0, closed = 0, last_event_at = null } = stats.get(project.uid) ?? {};
    return {
      project: projectOut(project),
      stats: { open, closed, ...(last_event_at === null ? {} : { last_event_at }) },
    };
  });
}
