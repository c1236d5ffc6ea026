import { yieldToLoop } from "../base/yield-to-loop.ts";
import { chunksOf, textOf } from "../domain/meaning/recipe.ts";
import { isFailedReason } from "../domain/meaning/verdict.ts";
import type { ContentMark, ContentText } from "../store/types/contents.ts";
import type { IndexedIssue, VectorStore } from "../store/types/vectors.ts";
import { hashOf } from "./identity.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { ReadStore } from "./read-store.ts";

/** How many texts are in memory at once before they are cut. A text may have 1 MB. */
const TEXTS_AT_ONCE = 8;
/** Cutting a longer text takes a noticeable time. */
const LONG_TEXT = 100_000;

/** An issue whose text was read and cut. A blank text has no chunks. */
export interface Prepared {
  readonly mark: ContentMark;
  readonly text_hash: string;
  readonly chunks: readonly string[];
}

interface Needs {
  readonly store: ReadStore;
  readonly vectors: VectorStore;
  readonly index: Pick<IssueIndex, "newest" | "restamp">;
}

/**
 * Returns the newest issues that are to be embedded, with at most `most` chunks together, or one issue with more. Issues
 * whose text is again the one that was embedded or refused get a new stamp instead.
 */
export async function nextBatch(
  { store, vectors, index }: Needs,
  generation: number,
  most: number,
): Promise<readonly Prepared[]> {
  const batch: Prepared[] = [];
  const ids = index.newest(most);
  let [room, isFull] = [most, false];
  for (let at = 0; at < ids.length && !isFull; at += TEXTS_AT_ONCE) {
    const some = ids.slice(at, at + TEXTS_AT_ONCE);
    const texts = await store.read(async ({ contents }) => await contents.texts(some));
    const stamps = await vectors.find(
      generation,
      texts.map(({ uid }) => uid),
    );
    const stampOf = new Map(stamps.map((stamp) => [stamp.issue_uid, stamp]));
    const same: { mark: ContentMark; stamp: IndexedIssue }[] = [];
    for (const text of texts.toSorted((a, b) => b.id - a.id)) {
      const prepared = await preparedOf(text);
      const stamp = stampOf.get(text.uid);
      if (stamp?.issue_id === text.id && isAnswered(stamp, prepared)) {
        same.push({ mark: prepared.mark, stamp });
        continue;
      }
      isFull = prepared.chunks.length > room;
      if (isFull && batch.length > 0) break;
      batch.push(prepared);
      room -= prepared.chunks.length;
      if (isFull) break;
    }
    if (same.length > 0) await index.restamp(generation, same);
  }
  return batch;
}

/** Whether the provider has embedded or refused this text. One at which it failed is sent again. */
function isAnswered({ text_hash, reason }: IndexedIssue, prepared: Prepared): boolean {
  return text_hash === prepared.text_hash && !isFailedReason(reason);
}

async function preparedOf({ title, body, ...mark }: ContentText): Promise<Prepared> {
  const text = textOf({ title, body });
  if (text.length > LONG_TEXT) await yieldToLoop();
  return { mark, text_hash: hashOf(text), chunks: chunksOf(text).map((chunk) => chunk.text) };
}
