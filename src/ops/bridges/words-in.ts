import { MAX_ISSUE_LABELS } from "../../contract/limits.ts";
import { REQUEST_LABEL, REQUEST_TEXTS, requestOf } from "../../domain/bridges/lifecycle.ts";
import { rootDigest, rootIn, type SeenRoot } from "../../domain/bridges/root-in.ts";
import type { Root } from "../../domain/bridges/values.ts";
import { issueCommented, issueLabeled, issueUpdated } from "../../domain/drafts/issues.ts";
import type { BridgeRow } from "../../store/types/bridges.ts";
import { skippedRow } from "./comment-rows.ts";
import { unusable } from "./faults.ts";
import { putBridge, type Run } from "./run.ts";
import { rootSource } from "./sources.ts";

/** Gives the issue the title and text of its root. Returns whether one of them changed. */
export async function takeRoot(run: Run, root: Root): Promise<boolean> {
  return await run.write(async (tx, { bridge, issue, act }) => {
    const decided = rootIn(seenRoot(bridge), issue, root);
    if (decided.kind === "fault") throw unusable(`root_${decided.fault}`);
    if (decided.kind === "update") {
      const { title, body } = decided.to;
      const to = {
        ...(title === issue.title ? {} : { title }),
        ...(body === issue.body ? {} : { body }),
      };
      await tx.append(issueUpdated(issue, to, act, rootSource(bridge, root)));
    }
    await putBridge(tx, bridge, rootColumns(root));
    return decided.kind === "update";
  });
}

function seenRoot(bridge: BridgeRow): SeenRoot | undefined {
  const {
    last_external_revision: revision,
    last_external_updated_at: updated_at,
    last_external_digest: digest,
  } = bridge;
  return revision === null || updated_at === null || digest === null
    ? undefined
    : { revision, updated_at, digest };
}

/** What a bridge remembers of a root that was read, but for its state. */
export function rootColumns(root: Root) {
  return {
    last_external_revision: root.revision,
    last_external_updated_at: root.updated_at,
    last_external_digest: rootDigest(root),
  };
}

export interface Requests {
  readonly completion: boolean;
  readonly reopen: boolean;
}

/** Asks people to look at the issue, if the root was completed or opened again. Its status never changes by it. */
export async function askPeople(run: Run, root: Root): Promise<Requests> {
  return await run.write(async (tx, { bridge, issue, act }) => {
    const request = requestOf(bridge, root, issue.status);
    if (request !== undefined) {
      const uid = run.deps.ids.ulid();
      const written = { uid, author: act.actor, body: REQUEST_TEXTS[request] };
      await tx.append(issueCommented(issue, written, act));
      // The provider knows it already.
      await tx.unfolded.put("external_comment", skippedRow({ bridge, now: tx.now }, uid));
      const labels = await tx.labels.of(issue.uid);
      const isNew = labels.every(({ label }) => label !== REQUEST_LABEL);
      if (isNew && labels.length < MAX_ISSUE_LABELS)
        await tx.append(issueLabeled(issue, REQUEST_LABEL, act));
    }
    await putBridge(tx, bridge, {
      last_external_state: root.state,
      ...(request === undefined || root.state === "deleted"
        ? {}
        : { requested_state: root.state, requested_revision: root.revision }),
    });
    return { completion: request === "completion", reopen: request === "reopen" };
  });
}
