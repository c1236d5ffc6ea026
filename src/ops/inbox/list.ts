import type {
  listInboxGlobal as allContract,
  listInbox as contract,
} from "../../contract/inbox.ts";
import type { Input, Output } from "../../contract/route.ts";
import { type InboxRequest, readSlot, type SlotWrite } from "../../domain/inbox/request.ts";
import { slotOf } from "../../domain/inbox/slot.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { withAskers } from "./askers.ts";
import { slotWriters } from "./writers.ts";

type InboxAnswer = Output<typeof contract>;

/** Lists requests on open issues; reading them changes nothing (docs/contract/cron-and-inbox.md#102-routes). */
export const listInbox: ReadOp<typeof contract> = async (deps, _who, { params, query }) =>
  await deps.store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const answer = await requestsTo(reader, query, project.uid);
    return { recipient: query.for, project: project.name, ...answer };
  });

export const listInboxGlobal: ReadOp<typeof allContract> = async (deps, _who, { query }) =>
  await deps.store.read(async (reader) => {
    const answer = await requestsTo(reader, query);
    return { recipient: query.for, all_projects: true, ...answer };
  });

async function requestsTo(
  reader: Reader,
  { for: address, order = "ref" }: Input<typeof contract>["query"],
  project_uid?: string,
) {
  const key = slotOf(address);
  const place = project_uid === undefined ? {} : { project_uid };
  const issues = await reader.issues.list({ status: "open", meta: [{ key }], ...place }, "recent");
  const writers = await slotWriters(reader, issues, key);
  const read = new Map<string, InboxRequest>();
  const skipped: InboxAnswer["skipped"] = [];
  for (const issue of issues) {
    const { request, fault } = readSlot(issue.metadata[key] ?? null);
    if (request !== undefined) read.set(issue.uid, request);
    if (fault === undefined) continue;
    skipped.push({ ref: refOf(issue, project_uid === undefined), reason: `${key} ${fault}` });
  }
  const proven = await withAskers(reader, read, writers);
  const requests: InboxAnswer["requests"] = [];
  for (const issue of issues) {
    const request = proven.get(issue.uid);
    if (request === undefined) continue;
    const ref = refOf(issue, project_uid === undefined);
    const written = writers.get(issue.uid);
    requests.push({
      ref,
      ...(project_uid === undefined ? { project: issue.project_name } : {}),
      title: issue.title,
      ...request,
      project_id: issue.project_id,
      issue_uid: issue.uid,
      revision: issue.revision,
      ...(written === undefined
        ? {}
        : { event_uid: written.uid, requested_at: written.created_at }),
    });
  }
  return {
    cursor: await reader.events.lastId(),
    requests: requests.sort(order === "oldest" ? byAge(writers) : byRef),
    skipped: skipped.sort(byRef),
  };
}

function refOf({ short_id, project_name }: StoredIssue, qualified: boolean): string {
  return qualified ? `${project_name}#${short_id}` : short_id;
}

/**
 * Orders by time, and requests of the same instant by their order in the log. A request without an event comes first:
 * its event was purged with a project that the issue had left before.
 */
function byAge(writers: ReadonlyMap<string, SlotWrite>) {
  return (
    left: InboxAnswer["requests"][number],
    right: InboxAnswer["requests"][number],
  ): number => {
    const [a, b] = [writers.get(left.issue_uid), writers.get(right.issue_uid)];
    if (a === undefined || b === undefined)
      return a === b ? byRef(left, right) : a === undefined ? -1 : 1;
    if (a.created_at === b.created_at) return a.id - b.id;
    return a.created_at < b.created_at ? -1 : 1;
  };
}

interface WithRef {
  readonly ref: string;
}

const encoder = new TextEncoder();

/**
 * Orders by UTF-8 bytes, as PostgreSQL does. JavaScript compares UTF-16 code units, which gives another order for
 * characters beyond U+FFFF.
 */
function byRef(left: WithRef, right: WithRef): number {
  const [a, b] = [encoder.encode(left.ref), encoder.encode(right.ref)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
