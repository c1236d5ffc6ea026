import { SvcError } from "../../contract/errors.ts";
import type { editIssue } from "../../contract/issues.ts";
import type { CallInput } from "../../contract/route.ts";
import { deleteConfirmation } from "../../domain/confirm.ts";
import { readSlot } from "../../domain/inbox/request.ts";
import { slotOf } from "../../domain/inbox/slot.ts";
import { acquireBody } from "../../shared/leases.ts";
import { etag, ifMatch } from "../../shared/revision.ts";
import { toggleJob } from "../../shared/toggle-job.ts";
import type { Transport } from "../../shared/transport.ts";
import type { CronJob } from "../cron/state.ts";
import { type Issue, issueOf, type WireIssue } from "../issues/issues.ts";
import type { MessageOf } from "../message.ts";
import { changedFields } from "../writes/inverse.ts";
import { type At, atOf, type SeriesChange, type Write } from "../writes/writes.ts";
import { askBridge } from "./bridge-asks.ts";
import { closeRequest, lastClose } from "./closing.ts";
import { createSeries } from "./series.ts";

/** The result of a write: the issue or job as the daemon has it now. */
export type WriteResult = Omit<MessageOf<"written">, "type" | "id">;

/**
 * Carries out one write. A write with a guard is refused if somebody else has changed the same fields since the person
 * saw them.
 */
export async function performWrite(
  daemon: Transport,
  actor: string,
  write: Write,
): Promise<WriteResult> {
  if (write.act === "create") return seen(await create(daemon, actor, write));
  const now = await guarded(daemon, write);
  const { at } = write;
  // The issue may have moved to another project since the person saw it. If it was read again, its current project is
  // used.
  const { project_id, ref } = now === undefined ? at : atOf(now);
  const params = { project_id, ref };
  const revision = now?.revision;
  const matching = ifMatch(revision);
  const edit = async (change: Omit<Edit, "actor">, headers = matching): Promise<WriteResult> => {
    const body = { ...change, actor };
    return seen(await daemon.call("editIssue", { params, headers, body }));
  };
  switch (write.act) {
    case "edit": {
      const { title, body, before, revision: known } = write;
      const expected = await hashOf(before);
      return await edit({ title, body, ...expected }, ifMatch(known ?? revision));
    }
    case "link": {
      const { kind, does, refs } = write.change;
      const links_delta =
        kind === "parent"
          ? { [does === "add" ? "set_parent" : "remove_parent"]: refs[0] }
          : { [`${does}_${kind}`]: [...refs] };
      return await edit({ links_delta });
    }
    case "comment": {
      const headers = { "idempotency-key": write.key };
      const body = { body: write.body, actor };
      return seen(await daemon.call("createComment", { params, headers, body }));
    }
    case "edit-comment": {
      const input = {
        params: { ...params, comment_ref: write.comment },
        body: { body: write.body, actor },
      };
      return seen(await daemon.call("editComment", input));
    }
    case "close": {
      const body = closeRequest(write, actor, revision !== undefined);
      return seen(await daemon.call("closeIssue", { params, headers: matching, body }));
    }
    case "reopen": {
      const closed = await lastClose(daemon, write);
      return {
        ...seen(await daemon.call("reopenIssue", { params, body: { actor } })),
        closed,
      };
    }
    case "assign": {
      const { owner } = write;
      if (revision !== undefined) return await edit({ owner });
      return seen(await daemon.call("assignIssue", { params, body: { owner, actor } }));
    }
    case "unassign":
      if (revision !== undefined) return await edit({ owner: "" });
      return seen(await daemon.call("unassignIssue", { params, body: { actor } }));
    case "label": {
      const body = { label: write.label, actor };
      return seen(await daemon.call("addLabel", { params, body }));
    }
    case "unlabel": {
      const { label } = write;
      const input = { params: { ...params, label }, query: { actor } };
      return seen(await daemon.call("removeLabel", input));
    }
    case "priority": {
      const body = { priority: write.priority ?? null, actor };
      return seen(await daemon.call("setIssuePriority", { params, body }));
    }
    case "metadata": {
      const body = { patch: write.patch, actor };
      return seen(await daemon.call("patchIssueMetadata", { params, headers: matching, body }));
    }
    case "delete": {
      const headers = { "x-svc-confirm": deleteConfirmation(now?.qualified_id ?? at.name) };
      await daemon.call("deleteIssue", { params, headers, body: { actor } });
      return { issue: undefined };
    }
    case "restore":
      return seen(await daemon.call("restoreIssue", { params, body: { actor } }));
    case "move": {
      const known = (await again(daemon, at.uid))?.revision ?? 0;
      const headers = { "if-match": etag(known) };
      const body = { to_project_uid: write.to.uid, actor };
      return seen(await daemon.call("moveIssue", { params, headers, body }));
    }
    case "notify": {
      const body = { to: write.to, message: write.message, actor };
      return seen(await daemon.call("notifyIssue", { params, body }));
    }
    case "clear": {
      const body = { to: write.to, event_uid: write.event_uid, actor };
      const headers = write.unreadable === true ? await unreadable(daemon, write) : {};
      return seen(await daemon.call("clearIssueRequest", { params, headers, body }));
    }
    case "release": {
      const { reason } = write;
      await daemon.call("forceReleaseIssueLease", { params, body: { reason, actor } });
      return { issue: await again(daemon, at.uid) };
    }
    case "steal": {
      await steal(daemon, params, { reason: write.reason, actor });
      return { issue: await again(daemon, at.uid) };
    }
    case "toggle": {
      const { on: enabled, expected } = write;
      const request = { project_id, cron_uid: at.uid, enabled, expected, actor };
      // The cast is safe: the daemon answers by the contract.
      const { job } = JSON.parse(await toggleJob(daemon, request)) as { readonly job: CronJob };
      return { issue: undefined, job };
    }
    case "bridge":
      return { issue: undefined, said: await askBridge(daemon, actor, write) };
    case "create-series":
      await createSeries(daemon, actor, write);
      return { issue: undefined };
    case "edit-series": {
      const headers = { "if-match": etag(write.revision) };
      const body = { ...seriesBody(write.change), actor };
      await daemon.call("patchRecurrence", { params: seriesOf(at), headers, body });
      return { issue: undefined };
    }
    case "delete-series": {
      const headers = { "if-match": etag(write.revision) };
      await daemon.call("deleteRecurrence", { params: seriesOf(at), query: { actor }, headers });
      return { issue: undefined };
    }
  }
}

function seriesOf({ project_id, uid: recurrence_uid }: At) {
  return { project_id, recurrence_uid };
}

/**
 * The body for a change of a series: only the changed fields. `clear_owner` and `clear_priority` remove the owner and
 * the priority.
 */
function seriesBody({ rrule, dtstart, timezone, ...given }: SeriesChange) {
  const { owner, priority, labels, ...rest } = given;
  const template = {
    ...rest,
    ...(owner == null ? {} : { owner }),
    ...(owner === null ? { clear_owner: true } : {}),
    ...(priority == null ? {} : { priority }),
    ...(priority === null ? { clear_priority: true } : {}),
    ...(labels === undefined ? {} : { labels: [...labels] }),
  };
  const isTemplate = Object.keys(template).length > 0;
  return { rrule, dtstart, timezone, ...(isTemplate ? { template } : {}) };
}

type Edit = NonNullable<CallInput<typeof editIssue>["body"]>;

interface Answered {
  readonly issue: WireIssue;
  readonly warnings?:
    | readonly { readonly code: string; readonly fields?: readonly string[] | undefined }[]
    | undefined;
}

function seen({ issue, warnings = [] }: Answered): WriteResult {
  const owned = warnings.find(({ code }) => code === "host_owned");
  return {
    issue: issueOf(issue),
    ...(owned === undefined ? {} : { hostOwned: owned.fields ?? [] }),
  };
}

/**
 * The SHA-256 hash of the text before the change. The daemon refuses the change if the current text has another hash. A
 * page that was loaded by plain HTTP from another machine has no hash function in the browser. On such a page, the text
 * is protected only by reading the issue again before the write.
 */
async function hashOf(text: string | undefined): Promise<Pick<Edit, "expected_body_hash">> {
  const subtle: typeof crypto.subtle | undefined = crypto.subtle;
  if (text === undefined || subtle === undefined) return {};
  const bytes = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return {
    expected_body_hash: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

/**
 * Before a write with a guard (an undo or an overwrite), reads the issue and returns it. Throws if somebody has changed
 * the fields that the write changes; a changed comment is checked in the same way. The daemon cannot check this: it
 * compares only revisions, and changes of title, text, priority, labels and links do not change the revision.
 */
async function guarded(
  daemon: Transport,
  write: Exclude<Write, { act: "create" }>,
): Promise<Issue | undefined> {
  const { guard, at } = write;
  if (write.act === "edit-comment") return await unchangedComment(daemon, write);
  if (guard === undefined) return undefined;
  const issue = await again(daemon, at.uid);
  if (issue !== undefined && changedFields(write, issue) === guard) return issue;
  const message = issue === undefined ? `${at.name} is gone` : `${at.name} was changed since`;
  throw new SvcError("revision_conflict", {}, { message });
}

async function unchangedComment(
  daemon: Transport,
  { at, comment, before }: Extract<Write, { act: "edit-comment" }>,
): Promise<undefined> {
  const params = { project_id: at.project_id, ref: at.ref };
  const { comments } = await daemon.call("showIssue", { params });
  if (comments.find(({ uid }) => uid === comment)?.body === before) return;
  throw new SvcError(
    "revision_conflict",
    {},
    { message: `the comment on ${at.name} was changed since` },
  );
}

async function create(daemon: Transport, actor: string, write: Extract<Write, { act: "create" }>) {
  const { project, title, body, owner, priority, labels, parent, key, force_new, metadata } = write;
  const links = parent === undefined ? undefined : [{ type: "parent" as const, to_ref: parent }];
  return await daemon.call("createIssue", {
    params: { project_id: project.id },
    headers: { "idempotency-key": key },
    body: { title, body, owner, priority, labels: [...labels], links, metadata, force_new, actor },
  });
}

async function steal(
  daemon: Transport,
  params: { readonly project_id: number; readonly ref: string },
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<void> {
  const body = acquireBody({ holder: actor, client_kind: "tui" });
  if ((await daemon.call("acquireIssueLease", { params, body })).granted) return;
  await daemon.call("forceReleaseIssueLease", { params, body: { reason, actor } });
  const { granted, holder } = await daemon.call("acquireIssueLease", { params, body });
  if (granted) return;
  const message = `the lease was taken from its holder, but ${holder?.holder ?? "somebody else"} was faster`;
  throw new SvcError("claim_denied", {}, { message });
}

/**
 * The header for clearing an unreadable request. Such a request has no id to compare. So the request is cleared only if
 * it is still unreadable and the issue does not change before the write arrives.
 */
async function unreadable(daemon: Transport, { at, to }: Extract<Write, { act: "clear" }>) {
  const params = { project_id: at.project_id, ref: at.ref };
  const { issue } = await daemon.call("showIssue", { params });
  const { request } = readSlot(issue.metadata[slotOf(to)] ?? null);
  if (request !== undefined)
    throw new SvcError("request_replaced", { from: request.from, message: request.message });
  return { "if-match": etag(issue.revision) };
}

async function again(daemon: Transport, uid: string): Promise<Issue | undefined> {
  const { issues } = await daemon.call("listAllIssues", { query: { issue_uid: [uid] } });
  const [issue] = issues;
  return issue === undefined ? undefined : issueOf(issue);
}
