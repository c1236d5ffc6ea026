import type { ContentMark } from "../store/types/contents.ts";
import type { IndexedIssue, Restamp } from "../store/types/vectors.ts";

/** What has to be done so that the index has the issues of the tables. */
export interface Differences {
  /** The stamps of issues whose vectors are up to date, including those that were only moved to another project. */
  readonly current: readonly IndexedIssue[];
  readonly moved: readonly Restamp[];
  /** Issues without vectors, or with vectors of an older text, and skipped ones that are to be sent again. */
  readonly missing: readonly ContentMark[];
  /** The uids of issues whose vectors are to be removed. */
  readonly gone: readonly string[];
}

/**
 * Compares issues of the tables with those of the index. A uid whose local id differs is removed and embedded anew: its
 * rows were deleted and written again since, as when a copy is cleared, so the same revision may mean another text.
 * `isDue` says which skipped issues are to be sent again.
 */
export function differencesOf(
  marks: readonly ContentMark[],
  stamps: readonly IndexedIssue[],
  isDue: (stamp: IndexedIssue) => boolean = () => false,
): Differences {
  const marksByUid = new Map(marks.map((mark) => [mark.uid, mark]));
  const kept = new Map<string, IndexedIssue>();
  const gone: string[] = [];
  for (const stamp of stamps) {
    if (marksByUid.get(stamp.issue_uid)?.id === stamp.issue_id) kept.set(stamp.issue_uid, stamp);
    else gone.push(stamp.issue_uid);
  }
  const current: IndexedIssue[] = [];
  const moved: Restamp[] = [];
  const missing: ContentMark[] = [];
  for (const mark of marks) {
    const stamp = kept.get(mark.uid);
    if (stamp?.content_revision !== mark.content_revision || isDue(stamp)) {
      missing.push(mark);
      continue;
    }
    current.push(stamp);
    if (stamp.project_uid !== mark.project_uid) moved.push(stampOf(mark, stamp.text_hash));
  }
  return { current, moved, missing, gone };
}

export function stampOf(
  { id, uid, project_uid, content_revision }: ContentMark,
  text_hash: string,
): Restamp {
  return { issue_id: id, issue_uid: uid, project_uid, content_revision, text_hash };
}
