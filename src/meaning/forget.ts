import { yieldToLoop } from "../base/yield-to-loop.ts";
import { textOf } from "../domain/meaning/recipe.ts";
import type { Reader } from "../store/types/store.ts";
import type { IndexedIssue, VectorStore } from "../store/types/vectors.ts";
import { hashOf } from "./identity.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { ReadStore } from "./read-store.ts";

/** How many purged issues are removed at once, and how many issues of a copy are compared at once. */
const AT_ONCE = 100;

interface Needs {
  readonly store: ReadStore;
  readonly vectors: VectorStore;
  readonly index: Pick<IssueIndex, "remove">;
  /** Called when the vectors of these issues were removed together with their rows. */
  forgotten(uids: readonly string[]): void;
  /** Called when issues of the project lost their vectors together with their rows, and others may have new ones. */
  forgottenProject(project_uid: string): void;
}

/**
 * Removes the vectors of what was purged since the reset `seen`, and of issues of copies that were cleared. Returns the
 * last reset. A cleared copy gets its issues again, perhaps with the same ids and revisions and with other texts. So
 * the hash of each text decides there whether its vectors stay. On PostgreSQL the vectors were deleted with the issues.
 */
export async function forgetPurged(deps: Needs, seen: number): Promise<number> {
  const found = await deps.store.read(async ({ events, contents, federation }) => {
    const last = await events.resetAfter();
    if (last <= seen) return undefined;
    const resets = await events.resetsAfter(seen);
    return {
      last,
      purged: await contents.purgedAfter(seen),
      projects: resets.map(({ project_uid }) => project_uid),
      copies: await federation.copies(),
    };
  });
  if (found === undefined) return seen;
  const { purged, projects, copies, last } = found;
  if (deps.vectors.dialect === "postgres") {
    deps.forgotten(purged);
    for (const project of projects) deps.forgottenProject(project);
    return last;
  }
  // Without issues too: those of a copy may have been removed before without being erased.
  for (let at = 0; at === 0 || at < purged.length; at += AT_ONCE)
    await deps.index.remove(purged.slice(at, at + AT_ONCE));
  for (const project of projects) await forgetOutdated(deps, project, copies.has(project));
  return last;
}

/** Removes the vectors of issues of the project that are no more, and with `byText` those of other texts. */
async function forgetOutdated(
  { store, vectors, index }: Needs,
  project_uid: string,
  byText: boolean,
): Promise<void> {
  for (const { id } of await vectors.generations())
    for (let after = 0; ; ) {
      const stamps = await vectors.ofProject(id, project_uid, after, AT_ONCE);
      const last = stamps.at(-1);
      if (last === undefined) break;
      after = last.issue_id;
      const uids = await store.read(async (reader) => await outdated(reader, stamps, byText));
      if (uids.length > 0) await index.remove(uids);
      await yieldToLoop();
    }
}

async function outdated(
  { contents }: Reader,
  stamps: readonly IndexedIssue[],
  byText: boolean,
): Promise<readonly string[]> {
  const marks = await contents.marksOf(stamps.map(({ issue_uid }) => issue_uid));
  const ids = new Map(marks.map(({ uid, id }) => [uid, id]));
  const hashes = byText ? await hashesOf(contents, [...ids.values()]) : undefined;
  const isKept = ({ issue_uid, issue_id, text_hash }: IndexedIssue): boolean =>
    ids.get(issue_uid) === issue_id && (hashes?.get(issue_uid) ?? text_hash) === text_hash;
  return stamps.filter((stamp) => !isKept(stamp)).map(({ issue_uid }) => issue_uid);
}

async function hashesOf(contents: Reader["contents"], ids: readonly number[]) {
  const texts = await contents.texts(ids);
  return new Map(texts.map((issue) => [issue.uid, hashOf(textOf(issue))]));
}
