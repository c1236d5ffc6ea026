import { SvcError } from "../../contract/errors.ts";
import { issueImported } from "../../domain/drafts/issues.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import type { WaitingLink } from "../../domain/imports/base.ts";
import { linkField } from "../../domain/imports/fields.ts";
import { decideLinksDelta } from "../issues/links-delta.ts";
import type { Where } from "./fields.ts";
import { type KnownIssue, readKnown } from "./known.ts";
import { deltaOf, madeBy } from "./links.ts";

/**
 * Makes the links that waited for the issues that this request created. So the parts of a file give what the whole
 * gives, in any order. Returns how many links it made.
 */
export async function linkWaiting(where: Where): Promise<number> {
  const { tx, source, batch } = where;
  if (batch.fresh.size === 0) return 0;
  const uids = await tx.marks.waitingIssues();
  if (uids.length === 0) return 0;
  const names = await tx.marks.externalIds(source, uids);
  let made = 0;
  for (const [uid, known] of await readKnown(tx, source, [...names.keys()])) {
    const arrived = known.imported.waiting.filter(({ target_external_id }) =>
      batch.fresh.has(target_external_id),
    );
    if (arrived.length > 0) made += await link(where, names.get(uid) ?? "", known, arrived);
  }
  return made;
}

async function link(
  where: Where,
  external_id: string,
  { issue, imported }: KnownIssue,
  arrived: readonly WaitingLink[],
): Promise<number> {
  const { tx, source, batch, actor, batch_uid } = where;
  const act = { actor, now: imported.updated_at, import: batch_uid };
  const linked = new Set<WaitingLink>();
  for (const waiting of arrived) {
    const target = batch.imported.get(waiting.target_external_id) ?? "";
    const end =
      waiting.type === "blocks" && waiting.incoming === true ? "blocked_by" : waiting.type;
    try {
      const [field] = linkField(end, target);
      const decided = await decideLinksDelta(tx, issue, deltaOf(field, target, true));
      if (decided !== "unchanged")
        await tx.append(linksChanged(issue, { ...decided.payload, ...madeBy(waiting) }, act));
      linked.add(waiting);
    } catch (error) {
      // A link that the rules refuse goes on waiting: the next import of the issue names the reason.
      if (!(error instanceof SvcError)) throw error;
    }
  }
  if (linked.size === 0) return 0;
  const waiting = imported.waiting.filter((one) => !linked.has(one));
  await tx.append(issueImported(issue, { source, external_id }, { fields: {}, waiting }, act));
  return linked.size;
}
