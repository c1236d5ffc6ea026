import type { rewriteAuthorIdentity as contract } from "../../contract/project-actions.ts";
import { authorRewritten } from "../../domain/drafts/projects.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireNotFederated } from "../federation/binding.ts";
import { requireProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { requireSmallChange } from "./small-change.ts";

const NO_COUNTS = {
  issue_authors: 0,
  issue_owners: 0,
  comment_authors: 0,
  link_authors: 0,
} as const;

/**
 * Gives an actor another name, as author and as owner, in the project's current rows, even of deleted issues. Only
 * names that equal the old name as a whole are replaced. Past events keep the old name
 * (docs/contract/http-api.md#69-projects).
 */
export const rewriteAuthorIdentity: Op<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  who,
  { params, body },
) => {
  const actor = actorOf(who, body.actor);
  const { from, to } = body;
  return await deps.store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    await requireNotFederated(tx, project);
    await requireSmallChange(deps, tx, project);
    const counts = from === to ? NO_COUNTS : await tx.projects.authored(project.uid, from);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (total === 0) return { changed: false, ...counts, total, event: null };
    const rewritten = { from, to, ...counts, total };
    const draft = authorRewritten(project.uid, rewritten, { actor, now: tx.now });
    const event = await tx.append(draft);
    return { changed: true, ...counts, total, event: eventOut(event, project) };
  });
};
