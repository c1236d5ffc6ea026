import { expect } from "vitest";
import { createComment } from "../../../src/contract/comments.ts";
import { createIssue, editIssue } from "../../../src/contract/issues.ts";
import { createLink } from "../../../src/contract/links.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import type { StoredIssue } from "../../../src/store/types/rows.ts";
import type { Federated } from "./replica.ts";
import { codeOf, type Spoke } from "./spoke.ts";

/** From this value on, `workAlone` purges an issue. */
export const PURGES = 4;

const REFUSED = ["federated_read_only", "federated_admin_required"];

/**
 * Somebody changes a project of a spoke, without its hub. Fails if a copy can be changed, or a project that has left
 * cannot.
 */
export async function workAlone(
  spoke: Spoke,
  project: Federated,
  chosen: { readonly at: number; readonly value: number },
): Promise<void> {
  const isBound = (await spoke.stopped())[spoke.projects.indexOf(project)] !== "unbound";
  const found = await spoke.machine.store.read(async ({ projects, issues }) => ({
    project: await projects.find(project.uid),
    issues: await issues.list({ project_uid: project.uid, limit: 20 }, "recent"),
  }));
  if (found.project === undefined || found.project.deleted_at !== null) return;
  const { at, value } = chosen;
  const issue = found.issues[at % Math.max(1, found.issues.length)];
  const peer = found.issues[value];
  const response = await change(spoke, found.project.id, value, issue, peer);
  if (response === undefined) return;
  const code = await codeOf(response);
  if (isBound) expect(REFUSED).toContain(code);
  else expect(code).toBe("done");
}

async function change(
  { world }: Spoke,
  project_id: number,
  value: number,
  issue: StoredIssue | undefined,
  peer: StoredIssue | undefined,
): Promise<Response | undefined> {
  if (value === 0 || issue === undefined)
    return await world.send(createIssue, {
      params: { project_id },
      body: { title: "made alone", force_new: true },
    });
  const params = { project_id, ref: issue.uid };
  switch (value) {
    case 1:
      return await world.send(editIssue, { params, body: { title: `alone ${issue.revision}` } });
    case 2:
      return await world.send(createComment, { params, body: { body: "alone" } });
    case 3:
      if (peer === undefined || peer.uid === issue.uid) return undefined;
      return await world.send(createLink, { params, body: { type: "blocks", to_ref: peer.uid } });
    default: {
      const headers = { "x-svc-confirm": `PURGE ${issue.project_name}#${issue.short_id}` };
      return await world.send(purgeIssue, { params, headers });
    }
  }
}
