import type { Instant } from "../../base/clock.ts";
import type { KnownComment, KnownComments } from "./comments.ts";
import { FreeNames } from "./free-names.ts";

/** A comment as the source has it. `created_at` is absent if the source does not say when the comment was written. */
export interface StatedComment {
  readonly external_id: string;
  readonly author: string;
  readonly body: string;
  readonly created_at?: Instant | undefined;
}

/**
 * Matches the comments of a source with the known comments of earlier imports. Returns each comment with the name of
 * the known comment that it matches, or with a new name if it matches none. A source may give its comments new ids, so
 * the id alone does not identify a comment: author and time must agree too. Otherwise a comment is recognized by
 * author, time and text. So a text is never attributed to another person.
 */
export function recognizeComments<T extends StatedComment>(
  known: KnownComments,
  stated: readonly T[],
): readonly T[] {
  const all = withoutRepeats(stated);
  const left = new Map(known);
  const names = new Map<T, string>();
  const take = (find: (comment: T) => string | undefined): void => {
    for (const comment of all) {
      const name = names.has(comment) ? undefined : find(comment);
      if (name === undefined) continue;
      names.set(comment, name);
      left.delete(name);
    }
  };
  const byId = (
    { external_id, ...comment }: T,
    isSame: typeof isSameComment,
  ): string | undefined => {
    const one = left.get(external_id);
    return one !== undefined && isSame(one, comment) ? external_id : undefined;
  };
  take((comment) =>
    byId(comment, (one, other) => isSameComment(one, other) && one.stated === other.body),
  );
  const timed = byContent(left, (one) => keyOf(one.author, one.stated, one.created_at));
  take(({ author, body, created_at }) => timed(keyOf(author, body, created_at)));
  const timeless = byContent(left, (one) => keyOf(one.author, one.stated));
  take(({ author, body, created_at }) =>
    created_at === undefined ? timeless(keyOf(author, body)) : undefined,
  );
  take((comment) => byId(comment, isSameComment));
  return namedComments(all, names, known.keys());
}

/** Leaves out comments that the source states more than once under the same id. */
function withoutRepeats<T extends StatedComment>(stated: readonly T[]): readonly T[] {
  const all = new Map(
    stated.map((comment) => {
      const { external_id, author, body, created_at } = comment;
      return [JSON.stringify([external_id, author, body, created_at]), comment];
    }),
  );
  return [...all.values()];
}

function isSameComment(
  { author, created_at }: KnownComment,
  other: Omit<StatedComment, "external_id">,
): boolean {
  const isSameTime = other.created_at === undefined || other.created_at === created_at;
  return author === other.author && isSameTime;
}

function keyOf(author: string, text: string, time?: string): string {
  return JSON.stringify([author, text, time]);
}

/** Returns a function that finds a known comment by its content. Each comment is found only once. */
function byContent(
  left: KnownComments,
  contentOf: (one: KnownComment) => string,
): (content: string) => string | undefined {
  const names = Map.groupBy(left.keys(), (name) => {
    const one = left.get(name);
    return one === undefined ? "" : contentOf(one);
  });
  for (const list of names.values()) list.reverse();
  return (content) => names.get(content)?.pop();
}

/** Names the new comments by their external ids. If a known comment already has such a name, the name is changed. */
function namedComments<T extends StatedComment>(
  all: readonly T[],
  names: ReadonlyMap<T, string>,
  known: Iterable<string>,
): readonly T[] {
  const free = new FreeNames(known);
  return all.map((comment) => {
    const external_id = names.get(comment) ?? free.take(comment.external_id);
    return { ...comment, external_id };
  });
}
