import { SvcError } from "../../contract/errors.ts";
import { issueImported } from "../../domain/drafts/issues.ts";
import { linksChanged } from "../../domain/drafts/links.ts";
import type { WaitingLink } from "../../domain/imports/base.ts";
import { linkField } from "../../domain/imports/fields.ts";
import { peersIn } from "../../domain/links.ts";
import { peerOf } from "../find.ts";
import { appendLinks } from "../link-owners.ts";
import { decideLinksDelta } from "../links-delta.ts";
import type { ImportContext } from "./fields.ts";
import { type KnownIssue, readKnown } from "./known.ts";
import { deltaOf, madeBy } from "./links.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Adds the links that waited for an issue which this request created or restored. So a file gives the same links
 * whether it is imported as a whole or in parts, in any order.
 */
export async function linkWaiting(context: ImportContext): Promise<readonly Outcome[]> {
  const { tx, project, source, batch } = context;
  const arrived = [...batch.fresh.keys(), ...batch.restored];
  const arrivals = new Set(arrived.flatMap((id) => [id, ...(batch.otherIds.get(id) ?? [])]));
  if (arrivals.size === 0) return [];
  const uids = await tx.marks.waitingIssues();
  if (uids.length === 0) return [];
  const names = await tx.marks.externalIds(source, uids);
  const linked: Outcome[] = [];
  // Keep only issues of this project, since another project may have imported the same ids.
  const own = new Set(
    (await tx.marks.findImports(project.uid, source, [...new Set(names.values())])).values(),
  );
  const here = uids.filter((uid) => own.has(uid));
  for (const [uid, known] of await readKnown(tx, source, here)) {
    const arrived = known.imported.waiting.filter(({ target_external_id }) =>
      arrivals.has(target_external_id),
    );
    if (arrived.length === 0) continue;
    const external_id = names.get(uid) ?? "";
    const changed = await link(context, external_id, known, arrived);
    if (changed.length === 0) continue;
    const what = { changed, conflicts: [], comments: 0, links: changed.length };
    const { short_id } = known.issue;
    linked.push({ external_id, short_id, status: "updated", ...what, errors: [], missing: [] });
  }
  return linked;
}

/** Adds the links of one issue. Returns the names of the link fields that changed, such as `blocks.<uid>`. */
async function link(
  context: ImportContext,
  external_id: string,
  { issue, imported }: KnownIssue,
  arrived: readonly WaitingLink[],
): Promise<readonly string[]> {
  const { tx, source, batch, actor, batch_uid } = context;
  const act = { actor, now: imported.updated_at, import: batch_uid };
  const linked = new Set<WaitingLink>();
  const changed: string[] = [];
  for (const waiting of arrived) {
    const target = batch.imported.get(waiting.target_external_id) ?? "";
    const end =
      waiting.type === "blocks" && waiting.incoming === true ? "blocked_by" : waiting.type;
    try {
      const [field] = linkField(end, target);
      const decided = await decideLinksDelta(tx, issue, deltaOf(field, target, true));
      if (decided !== "unchanged") {
        const draft = linksChanged(issue, { ...decided.payload, ...madeBy(waiting) }, act);
        await appendLinks(tx, draft, peerOf(issue), peersIn(decided.changes));
        changed.push(field);
      }
      linked.add(waiting);
    } catch (error) {
      // A link that the rules refuse keeps waiting. The next import of the issue reports the reason.
      if (!(error instanceof SvcError)) throw error;
    }
  }
  if (linked.size === 0) return [];
  const waiting = imported.waiting.filter((one) => !linked.has(one));
  await tx.append(issueImported(issue, { source, external_id }, { fields: {}, waiting }, act));
  return changed;
}
