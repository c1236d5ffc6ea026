import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownComment } from "../../../src/domain/imports/comments.ts";
import {
  recognizeComments,
  type StatedComment,
} from "../../../src/domain/imports/recognize-comments.ts";

/** The same seed each time, unless SVC_COMMENTS_SEED gives another. */
const SEED = Number(process.env["SVC_COMMENTS_SEED"] ?? 1);

const [TEN, ELEVEN] = ["2026-03-01T10:00:00.000Z", "2026-03-01T11:00:00.000Z"];

/** Comments as a short text: `1 ann 10 hello` has the id 1; `1 ann - hello` has no time. */
function stated(words: string): StatedComment {
  const [external_id = "", author = "", time = "", ...text] = words.split(" ");
  const created_at = time === "-" ? undefined : time === "10" ? TEN : ELEVEN;
  return { external_id, author, body: text.join(" "), created_at };
}

function knownOf(comments: readonly StatedComment[]): ReadonlyMap<string, KnownComment> {
  return new Map(
    comments.map(({ external_id: name, author, body, created_at = TEN }) => [
      name,
      { uid: `uid of ${name}`, author, created_at, body: `${body}, as it is here`, stated: body },
    ]),
  );
}

/** The names that the stated comments get, in their order. */
function names(known: readonly string[], second: readonly string[]): readonly string[] {
  return recognizeComments(knownOf(known.map(stated)), second.map(stated)).map(
    ({ external_id }) => external_id,
  );
}

describe("a comment of a second import", () => {
  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ["that did not change keeps its name", ["1 ann 10 a"], ["1 ann 10 a"], ["1"]],
    ["whose text changed keeps its name", ["1 ann 10 a"], ["1 ann 10 b"], ["1"]],
    ["by another author is a new comment", ["1 ann 10 a"], ["1 cy 10 b"], ["1'2"]],
    ["with another time is a new comment", ["1 ann 10 a"], ["1 ann 11 b"], ["1'2"]],
    [
      "with the same words by another author is a new comment",
      ["1 ann 10 a"],
      ["1 cy 10 a"],
      ["1'2"],
    ],
    ["that got another number keeps its name", ["1 ann 10 a"], ["7 ann 10 a"], ["1"]],
    [
      "keeps its name after another comment was inserted before it",
      ["1 ann 11 a"],
      ["1 cy 10 b", "2 ann 11 a"],
      ["1'2", "1"],
    ],
    [
      "keeps its name after an earlier one was deleted, even with the same time and author",
      ["1 ann 10 a", "2 ann 10 b"],
      ["1 ann 10 b"],
      ["2"],
    ],
    [
      "keeps its name among equal ones",
      ["1 ann 10 a", "2 ann 10 a"],
      ["2 ann 10 a", "1 ann 10 a"],
      ["2", "1"],
    ],
    [
      "is one of equal ones after another was deleted",
      ["1 ann 10 a", "2 ann 10 a"],
      ["3 ann 10 a"],
      ["1"],
    ],
    [
      "is new if it occurs more often than before",
      ["1 ann 10 a"],
      ["5 ann 10 a", "6 ann 10 a"],
      ["1", "6"],
    ],
    ["without a time is recognised by author and text", ["1 ann 11 a"], ["9 ann - a"], ["1"]],
    [
      "without a time matches no comment that has a time",
      ["1 ann 11 a"],
      ["8 ann - a", "9 ann 11 a"],
      ["8", "1"],
    ],
    ["without a time and with its id may change its text", ["1 ann 11 a"], ["1 ann - b"], ["1"]],
    ["that occurs twice with one id counts once", [], ["1 ann 10 a", "1 ann 10 a"], ["1"]],
    [
      "with the id of another new comment gets a different name",
      [],
      ["1 ann 10 a", "1 cy 10 b"],
      ["1", "1'2"],
    ],
  ])("a comment %s", (_title, known, second, expected) => {
    expect(names(known, second)).toEqual(expected);
  });

  test("the last of 10,000 comments with one id has a short name", () => {
    const all = Array.from({ length: 10_000 }, (_, at) => stated(`1 ann 10 text ${at}`));
    const found = recognizeComments(new Map(), all);
    expect(new Set(found.map(({ external_id }) => external_id)).size).toBe(10_000);
    expect(found.at(-1)?.external_id).toBe("1'10000");
  });

  const comment = fc.record({
    external_id: fc.constantFrom("1", "2", "3", "4", "5"),
    author: fc.constantFrom("ann", "cy"),
    body: fc.constantFrom("a", "b", "c"),
    created_at: fc.constantFrom(TEN, ELEVEN, undefined),
  });
  const first = fc.uniqueArray(
    comment.map((one) => ({ ...one, created_at: one.created_at ?? TEN })),
    { selector: ({ external_id }) => external_id },
  );

  test(`a comment never gets the name of one by another author or of another time, whatever the ids say (seed ${SEED})`, () => {
    fc.assert(
      fc.property(first, fc.array(comment, { maxLength: 8 }), (before, after) => {
        const known = knownOf(before);
        const found = recognizeComments(known, after);
        expect(new Set(found.map(({ external_id }) => external_id)).size).toBe(found.length);
        for (const { external_id, author, created_at } of found) {
          const one = known.get(external_id);
          if (one === undefined) continue;
          expect(one.author).toBe(author);
          if (created_at !== undefined) expect(one.created_at).toBe(created_at);
        }
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  test(`a comment is matched again if it is unchanged, whatever the ids say (seed ${SEED})`, () => {
    const timed = comment.filter(({ created_at }) => created_at !== undefined);
    const contentOf = ({ author, body, created_at }: Omit<StatedComment, "external_id">) =>
      `${author} ${created_at} ${body}`;
    fc.assert(
      fc.property(first, fc.array(timed, { maxLength: 8 }), (before, after) => {
        const known = knownOf(before);
        const found = recognizeComments(known, after);
        const recognized = found.filter(({ external_id }) => known.has(external_id));
        const [had, again] = [Map.groupBy(before, contentOf), Map.groupBy(recognized, contentOf)];
        for (const [content, all] of Map.groupBy(found, contentOf)) {
          const unchanged = Math.min(had.get(content)?.length ?? 0, all.length);
          expect(again.get(content)?.length ?? 0).toBeGreaterThanOrEqual(unchanged);
        }
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });
});
