import { type Instant, parseInstant } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { EventDraft } from "../../contract/events.ts";
import type { importIssues as contract } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";
import {
  type Act,
  decideFields,
  decideMetadata,
  decidePriority,
  decideReopen,
} from "../../domain/issues.ts";
import type { StoredIssue, StoredProject, Tx } from "../../store/types.ts";
import { freeShortId } from "../issues/short-id.ts";

export type ImportItem = Input<typeof contract>["body"]["items"][number];

/** The write an import runs in, and what every item of it shares. */
export interface Where {
  readonly tx: Tx;
  readonly ids: Ids;
  readonly project: StoredProject;
  readonly actor: string;
  readonly source: string;
}

export interface ImportedFields {
  readonly issueUid: string;
  readonly status: "created" | "updated" | "unchanged";
  readonly reason?: string;
}

/** The issue itself: made when it is new, brought up to date when the source changed it later than it changed here. */
export async function importFields(where: Where, item: ImportItem): Promise<ImportedFields> {
  const { tx, project, source } = where;
  const known = await tx.findImport(project.uid, source, item.external_id);
  if (known === undefined) return { issueUid: await create(where, item), status: "created" };
  const issue = await tx.issues.find(known.issue_uid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  const at = instant(item.updated_at);
  if (issue.deleted_at !== null) return unchanged(issue, "it was deleted here");
  if (issue.updated_at >= at) {
    return unchanged(issue, issue.updated_at > at ? "it changed here later" : undefined);
  }
  const drafts = await updates(where, issue, item, { actor: where.actor, now: at });
  for (const draft of drafts) await tx.append(draft);
  return drafts.length === 0 ? unchanged(issue) : { issueUid: issue.uid, status: "updated" };
}

function unchanged({ uid }: StoredIssue, reason?: string): ImportedFields {
  return { issueUid: uid, status: "unchanged", ...(reason === undefined ? {} : { reason }) };
}

async function create(
  { tx, ids, project, actor, source }: Where,
  item: ImportItem,
): Promise<string> {
  const uid = ids.ulid();
  const labels = [...new Set(item.labels ?? [])].sort();
  const closed = item.status === "closed";
  await tx.append({
    type: "issue.created",
    actor,
    project_uid: project.uid,
    issue_uid: uid,
    payload: {
      uid,
      short_id: await freeShortId(tx, project.uid, uid),
      title: item.title,
      body: item.body ?? "",
      author: item.author,
      ...(item.owner === undefined ? {} : { owner: item.owner }),
      ...(item.priority === undefined ? {} : { priority: item.priority }),
      status: item.status,
      metadata: item.metadata ?? {},
      ...(labels.length === 0 ? {} : { labels }),
      created_at: instant(item.created_at),
      updated_at: instant(item.updated_at),
      ...(closed ? { closed_reason: item.closed_reason ?? "done", closed_at: closedAt(item) } : {}),
      source,
      external_id: item.external_id,
    },
  });
  return uid;
}

async function updates(
  { tx, project }: Where,
  issue: StoredIssue,
  item: ImportItem,
  act: Act,
): Promise<readonly EventDraft[]> {
  const carried = new Set((await tx.labels.of(issue.uid)).map(({ label }) => label));
  const about = { actor: act.actor, project_uid: project.uid, issue_uid: issue.uid };
  const added = [...new Set(item.labels ?? [])].filter((label) => !carried.has(label));
  const decided: readonly (EventDraft | "unchanged")[] = [
    decideFields(issue, { title: item.title, body: item.body ?? "", owner: item.owner ?? "" }, act),
    decidePriority(issue, item.priority ?? null, act),
    decideMetadata(issue, item.metadata ?? {}, act),
    ...added.map(
      (label): EventDraft<"issue.labeled"> => ({
        type: "issue.labeled",
        ...about,
        payload: { label, updated_at: act.now },
      }),
    ),
    item.status === "open" ? decideReopen(issue, act) : closing(issue, item, about),
  ];
  return decided.filter((draft) => draft !== "unchanged");
}

function closing(
  issue: StoredIssue,
  item: ImportItem,
  about: Pick<EventDraft, "actor" | "project_uid"> & { readonly issue_uid: string },
): EventDraft<"issue.closed"> | "unchanged" {
  if (issue.status === "closed") return "unchanged";
  const reason = item.closed_reason ?? "done";
  const payload = { reason, closed_at: closedAt(item), parent_uid: "", parent_short_id: "" };
  return { type: "issue.closed", ...about, payload };
}

function closedAt(item: ImportItem): Instant {
  return instant(item.closed_at ?? item.updated_at);
}

/** The contract has checked the form. */
export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  invariant(parsed !== undefined, "an import's times were checked by its schema");
  return parsed;
}
