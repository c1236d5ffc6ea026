import type { JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import {
  commentEdited,
  issueClosed,
  issueLabeled,
  issueUnlabeled,
} from "../../domain/drafts/issues.ts";
import { COMMENT_REMOVED } from "../../domain/imports/fields.ts";
import { decideFields, decideMetadata, decidePriority, decideReopen } from "../../domain/issues.ts";
import { parentOf } from "../find.ts";
import { requireRoomForLabels } from "../guards.ts";
import type { ImportContext } from "./fields.ts";
import { closedAt } from "./fields.ts";
import type { MergePlan } from "./plan-merge.ts";

/** The events for all changed fields except links and new comments. */
export async function textDrafts(
  context: ImportContext,
  plan: MergePlan,
  act: Act,
): Promise<readonly EventDraft[]> {
  const { item, known, changes } = plan;
  const { issue } = known;
  const { title, body = "", owner = "", priority = null } = item;
  const fields = {
    ...(changes.has("title") ? { title } : {}),
    ...(changes.has("body") ? { body } : {}),
    ...(changes.has("owner") ? { owner } : {}),
  };
  const decided = [
    decideMetadata(issue, Object.fromEntries(changesByPrefix(plan, "metadata.", null)), act),
    decideFields(issue, fields, act),
    changes.has("priority") ? decidePriority(issue, priority, act) : "unchanged",
  ];
  return [
    ...decided.filter((draft) => draft !== "unchanged"),
    ...labelDrafts(plan, act),
    ...(await statusDrafts(context, plan, act)),
    ...commentDrafts(plan, act),
  ];
}

function labelDrafts(plan: MergePlan, act: Act): readonly EventDraft[] {
  const { issue } = plan.known;
  const labels = changesByPrefix(plan, "label.", false);
  const there = [...plan.known.local.keys()].filter((field) => field.startsWith("label.")).length;
  const more = labels.reduce((sum, [, to]) => sum + (to === false ? -1 : 1), 0);
  if (more > 0) requireRoomForLabels(`external_id ${plan.item.external_id}`, there + more);
  return labels.map(([label, to]) =>
    to === false ? issueUnlabeled(issue, label, act) : issueLabeled(issue, label, act),
  );
}

async function statusDrafts(
  { tx }: ImportContext,
  { item, known, changes }: MergePlan,
  act: Act,
): Promise<readonly EventDraft[]> {
  const { issue } = known;
  if (!changes.has("status") && !changes.has("closed_at")) return [];
  if (item.status === "open") {
    const reopened = decideReopen(issue, act);
    return reopened === "unchanged" ? [] : [reopened];
  }
  const reason = item.closed_reason ?? "done";
  const parent = await parentOf(tx, issue);
  return [issueClosed(issue, { reason, closed_at: closedAt(item), parent }, act)];
}

function commentDrafts(plan: MergePlan, act: Act): readonly EventDraft[] {
  const { issue, imported } = plan.known;
  return changesByPrefix(plan, "comment.", COMMENT_REMOVED).flatMap(([id, body]) => {
    const comment = imported.comments.get(id);
    if (comment === undefined || typeof body !== "string") return [];
    return [commentEdited(issue, comment.uid, body, act)];
  });
}

/**
 * The changed fields whose name has this prefix, with the prefix removed. A field that was removed gets the value
 * `removed`.
 */
function changesByPrefix(
  { changes }: MergePlan,
  prefix: string,
  removed: JsonValue,
): readonly (readonly [name: string, to: JsonValue])[] {
  return [...changes]
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, to]) => [field.slice(prefix.length), to ?? removed]);
}
