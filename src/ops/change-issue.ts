import type { EventDraft } from "../contract/events.ts";
import type { Act } from "../domain/drafts/draft.ts";
import type { RemovedFromHost } from "../domain/issue-sync/owned.ts";
import type { Tx } from "../store/types/store.ts";
import { actorOf } from "./actor.ts";
import type { Deps, Principal } from "./deps.ts";
import { type FoundIssue, type IssueParams, reload, requireIssue } from "./find.ts";
import { eventOut } from "./out/events.ts";
import { issueOut } from "./out/issues.ts";
import { warningsOf } from "./out/warnings.ts";

type DraftOrUnchanged = EventDraft | "unchanged";

export interface Change {
  readonly params: IssueParams;
  readonly actor: string | undefined;
  readonly deleted?: true;
  decide(found: FoundIssue, act: Act, tx: Tx): DraftOrUnchanged | Promise<DraftOrUnchanged>;
  /** Returns whether the change removes a label or a parent that came from a code host. It is called after `decide`. */
  removed?(): RemovedFromHost;
}

export async function changeIssue(deps: Pick<Deps, "store">, who: Principal, change: Change) {
  const actor = actorOf(who, change.actor);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, change.params, {
      deleted: change.deleted === true,
    });
    const decided = await change.decide({ project, issue }, { actor, now: tx.now }, tx);
    if (decided === "unchanged") {
      return { issue: await issueOut(tx, issue), event: null, changed: false };
    }
    const event = await tx.append(decided);
    const after = await reload(tx, issue);
    const shown = await issueOut(tx, after);
    return {
      issue: shown,
      event: eventOut(event, project, { issue: after }),
      changed: true,
      ...warningsOf(shown, [event], change.removed?.()),
    };
  });
}
