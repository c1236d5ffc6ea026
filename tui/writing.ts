import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import {
  assignIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../src/contract/actions.ts";
import { createComment } from "../src/contract/comments.ts";
import { clearIssueRequest, notifyIssue } from "../src/contract/inbox.ts";
import {
  createIssue,
  editIssue,
  listAllIssues,
  patchIssueMetadata,
} from "../src/contract/issues.ts";
import { addLabel, removeLabel } from "../src/contract/labels.ts";
import { acquireIssueLease, forceReleaseIssueLease } from "../src/contract/leases.ts";
import { deleteIssue, moveIssue, restoreIssue } from "../src/contract/removal.ts";
import type { WireIssue } from "./state/issues.ts";
import type { Write } from "./state/writes.ts";

/** Makes one change and gives the issue as the daemon has it now, where it is still there. */
export async function perform(
  client: Client,
  actor: string,
  write: Write,
): Promise<WireIssue | undefined> {
  if (write.act === "create") return (await create(client, actor, write)).issue as WireIssue;
  const { at } = write;
  const params = { project_id: at.project_id, ref: at.ref };
  switch (write.act) {
    case "edit": {
      const { title, body, revision } = write;
      const headers = revision === undefined ? {} : { "if-match": `"rev-${revision}"` };
      const input = { params, headers, body: { title, body, actor } };
      return (await call(client, editIssue, input)).issue as WireIssue;
    }
    case "link": {
      const body = { links_delta: mutable(write.change), actor };
      return (await call(client, editIssue, { params, body })).issue as WireIssue;
    }
    case "comment": {
      const headers = { "idempotency-key": write.key };
      const body = { body: write.body, actor };
      return (await call(client, createComment, { params, headers, body })).issue as WireIssue;
    }
    case "close":
      return (await call(client, closeIssue, { params, body: closing(write, actor) }))
        .issue as WireIssue;
    case "reopen":
      return (await call(client, reopenIssue, { params, body: { actor } })).issue as WireIssue;
    case "assign": {
      const body = { owner: write.owner, actor };
      return (await call(client, assignIssue, { params, body })).issue as WireIssue;
    }
    case "unassign":
      return (await call(client, unassignIssue, { params, body: { actor } })).issue as WireIssue;
    case "label": {
      const body = { label: write.label, actor };
      return (await call(client, addLabel, { params, body })).issue as WireIssue;
    }
    case "unlabel": {
      const { label } = write;
      const input = { params: { ...params, label }, query: { actor } };
      return (await call(client, removeLabel, input)).issue as WireIssue;
    }
    case "priority": {
      const body = { priority: write.priority ?? null, actor };
      return (await call(client, setIssuePriority, { params, body })).issue as WireIssue;
    }
    case "metadata": {
      const body = { patch: write.patch, actor };
      return (await call(client, patchIssueMetadata, { params, body })).issue as WireIssue;
    }
    case "delete": {
      const headers = { "x-svc-confirm": `DELETE ${at.name}` };
      await call(client, deleteIssue, { params, headers, body: { actor } });
      return undefined;
    }
    case "restore":
      return (await call(client, restoreIssue, { params, body: { actor } })).issue as WireIssue;
    case "move": {
      const revision = (await again(client, at.uid))?.revision ?? 0;
      const headers = { "if-match": `"rev-${revision}"` };
      const body = { to_project_uid: write.to.uid, actor };
      return (await call(client, moveIssue, { params, headers, body })).issue as WireIssue;
    }
    case "notify": {
      const body = { to: write.to, message: write.message, actor };
      return (await call(client, notifyIssue, { params, body })).issue as WireIssue;
    }
    case "clear": {
      const body = { to: write.to, event_uid: write.event_uid, actor };
      return (await call(client, clearIssueRequest, { params, body })).issue as WireIssue;
    }
    case "release": {
      const body = { reason: write.reason, actor };
      await call(client, forceReleaseIssueLease, { params, body });
      return await again(client, at.uid);
    }
    case "steal": {
      const reason = `taken over by ${actor}`;
      await call(client, forceReleaseIssueLease, { params, body: { reason, actor } });
      const body = { holder: actor, client_kind: "tui", claim_kind: "hard" as const, actor };
      await call(client, acquireIssueLease, { params, body });
      return await again(client, at.uid);
    }
  }
}

async function create(client: Client, actor: string, write: Extract<Write, { act: "create" }>) {
  const { project_id, title, body, owner, priority, labels, parent, key, force_new } = write;
  const links = parent === undefined ? undefined : [{ type: "parent" as const, to_ref: parent }];
  return await call(client, createIssue, {
    params: { project_id },
    headers: { "idempotency-key": key },
    body: { title, body, owner, priority, labels: [...labels], links, force_new, actor },
  });
}

function closing({ reason, message, evidence }: Extract<Write, { act: "close" }>, actor: string) {
  const given = evidence === undefined ? undefined : [evidenceOf(evidence)];
  const source = message === undefined && evidence === undefined ? ("tui" as const) : undefined;
  return { reason: reason as "done" | undefined, message, evidence: given, source, actor };
}

/** One value, in the field that its type has. */
function evidenceOf({ type, value }: { readonly type: string; readonly value: string }) {
  const fields: Readonly<Record<string, object>> = {
    commit: { sha: value },
    pr: { url: value },
    test: { command: value },
    "reviewed-paths": { paths: value.split(/[\s,]+/).filter(Boolean) },
    external: { account: value },
    "no-change-audit": { rationale: value },
    "duplicate-of": { issue_ref: value },
    "superseded-by": { issue_ref: value },
  };
  return { type: type as "commit", ...fields[type] };
}

async function again(client: Client, uid: string): Promise<WireIssue | undefined> {
  const { issues } = await call(client, listAllIssues, { query: { issue_uid: [uid] } });
  return issues[0] as WireIssue | undefined;
}

function mutable<T extends object>(change: T) {
  return Object.fromEntries(
    Object.entries(change).map(([name, refs]) => [name, Array.isArray(refs) ? [...refs] : refs]),
  );
}
