import { isUlid } from "../../base/ulid.ts";
import { SvcError } from "../../contract/errors.ts";
import type { showIssueByUID as contract } from "../../contract/issues.ts";
import { MIN_UID_PREFIX } from "../../domain/refs.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { readComments } from "../comments/page.ts";
import type { ReadOp } from "../deps.ts";
import { overwrittenOf } from "../events/overwritten.ts";
import { noIssue } from "../find.ts";
import { requestsOn } from "../inbox/askers.ts";
import { hubLeaseOut } from "../leases/known-at-hub.ts";
import { boundedShow } from "../out/bounded-show.ts";
import { issueRefOut, showIssueOut } from "../out/show.ts";
import { issueAt } from "../past/show.ts";
import { noLiveIssue } from "./where-gone.ts";

/** Shows an issue of any active project by its uid or the beginning of it. */
export const showIssueByUID: ReadOp<typeof contract, "store" | "clock" | "settings"> = async (
  deps,
  _who,
  { params, query },
) =>
  await deps.store.read(async (reader) => {
    const { at, include_deleted, max_bytes } = query;
    const deleted = include_deleted === true;
    if (at !== undefined) {
      // Find deleted issues too: the issue may have been deleted after the moment `at`.
      const { uid } = await byUid(reader, params.uid, true);
      const when = { at, deleted, comments: query };
      return boundedShow(await issueAt(deps, reader, { uid, ref: params.uid }, when), max_bytes);
    }
    const issue = await byUid(reader, params.uid, deleted);
    const shown = await showIssueOut(reader, issue, {
      comments: async () => await readComments(reader.comments, issue.uid, query),
      leaseNow: async () => await deps.store.leaseNow(),
      close: async () => (await reader.events.latestOf([issue.uid], "issue.closed")).at(-1),
      requests: async () => await requestsOn(reader, issue),
    });
    const all = {
      ...shown,
      ...(await hubLeaseOut(reader, deps.store, issue, shown.lease !== undefined)),
      ...(await overwrittenOf(reader, issue)),
    };
    return boundedShow(all, max_bytes);
  });

const NAMED_CANDIDATES = 20; // docs/contract/http-api.md#13-error-codes, prefix_ambiguous
/**
 * How many rows are read. This is more than the twenty that an error names, since hidden issues may share the prefix.
 */
const LOOKED_AT = 200;

async function byUid(reader: Reader, text: string, deleted: boolean): Promise<StoredIssue> {
  const isVisible = (issue: StoredIssue): boolean =>
    issue.project_deleted_at === null && (deleted || issue.deleted_at === null);
  const prefix = text.toUpperCase();
  if (isUlid(prefix)) {
    const issue = await reader.issues.find(prefix);
    if (issue === undefined || !isVisible(issue)) throw await noLiveIssue(reader, prefix, issue);
    return issue;
  }
  if (prefix.length < MIN_UID_PREFIX) throw new SvcError("prefix_too_short", { prefix: text });
  const matches = (await reader.issues.byUidPrefix(prefix, LOOKED_AT)).filter(isVisible);
  const [first] = matches;
  if (first === undefined) throw noIssue(text);
  if (matches.length === 1) return first;
  throw new SvcError("prefix_ambiguous", {
    candidates: matches.slice(0, NAMED_CANDIDATES).map(issueRefOut),
  });
}
