import type { Appending } from "../append.ts";
import { purgedAmong } from "../load/statements.ts";
import { listedPurges, recordedPurges } from "../purge/purgers.ts";
import { unmarkPurged } from "../purge/unmark.ts";
import type { ForeignEvent } from "../types/store.ts";
import { isBaseline } from "./hub-purges.ts";

interface Purged {
  readonly gone: ReadonlySet<string>;
  /** Other issues whose links must be folded again, because they lead to issues that no longer count as purged. */
  readonly issuesToRefold: readonly string[];
}

/**
 * Returns which issues of the events are purged. A hub may have listed, as purged, an issue of another project that had
 * not arrived here. When an event of the issue's own project arrives, the issue no longer counts as purged, unless it
 * was purged here or a baseline of its own project lists it too.
 */
export async function purgedOf(to: Appending, events: readonly ForeignEvent[]): Promise<Purged> {
  const { connection } = to;
  const projects = new Map<string, string>();
  for (const { issue_uid, project_uid } of events)
    if (issue_uid !== undefined) projects.set(issue_uid, project_uid);
  if (projects.size === 0) return { gone: new Set(), issuesToRefold: [] };
  const uids = [...projects.keys()];
  const marked = (await purgedAmong.all(connection, { uids })).map(({ issue_uid }) => issue_uid);
  if (marked.length === 0) return { gone: new Set(), issuesToRefold: [] };
  const recorded = await recordedPurges(connection, marked);
  const listed = await listedPurges(connection, marked, events.filter(isBaseline));
  const isOwn = (uid: string): boolean =>
    recorded.has(uid) || listed.get(uid)?.has(projects.get(uid) ?? "") === true;
  const lifted = marked.filter((uid) => !isOwn(uid));
  const issuesToRefold = await unmarkPurged(to, lifted);
  return { gone: new Set(marked.filter(isOwn)), issuesToRefold };
}
