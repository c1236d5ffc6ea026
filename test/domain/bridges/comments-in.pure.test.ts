import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/hash.ts";
import {
  type CommentsIn,
  commentsIn,
  DELETED_TEXT,
  type KnownComment,
  type PendingComment,
} from "../../../src/domain/bridges/comments-in.ts";
import type { ExternalComment } from "../../../src/domain/bridges/values.ts";

const AT = "2026-01-01T10:00:00.000Z";
const LATER = "2026-01-01T11:00:00.000Z";
const EARLIER = "2026-01-01T09:59:59.999Z";

const COMMENT: ExternalComment = {
  ...{ id: "c", revision: "1", body: "hello", author: { id: "ann" }, deleted: false },
  ...{ created_at: AT, updated_at: AT },
};
const READ = { revision: "1", updated_at: AT, digest: sha256Hex("hello") };
const IMPORTED: KnownComment = {
  ...{ kind: "imported", ...READ, comment_uid: "U", local: "hello" },
};
const PENDING: PendingComment = { body: "hello", self_actor_id: "svc" };

/** What the plan does, as words: the kind, and the text of an edit. */
function planned(
  comment: Partial<ExternalComment>,
  before?: KnownComment,
  pending?: PendingComment,
): string {
  const known = new Map(before === undefined ? [] : [["c", before]]);
  return wordsOf(commentsIn([{ ...COMMENT, ...comment }], { known, pending }));
}

function wordsOf(plan: CommentsIn): string {
  if (plan.kind === "fault") return `fault ${plan.fault} ${plan.id}`;
  return plan.actions
    .map((action) => (action.kind === "edit" ? `edit ${action.text}` : action.kind))
    .join();
}

test.each<[string, Partial<ExternalComment>, string]>([
  ["is new", {}, "create"],
  ["is new and deleted", { deleted: true, body: "" }, "note"],
  ["is blank", { body: " \n" }, "fault blank c"],
  ["has NUL", { body: "a\0" }, "fault blank c"],
])("a comment of the provider that %s", (_, comment, words) => {
  expect(planned(comment)).toBe(words);
});

test.each<["seen" | "published", string, Partial<ExternalComment>, string]>([
  ["seen", "is as it was", {}, ""],
  ["seen", "was edited", { revision: "2", body: "new", updated_at: LATER }, "create"],
  ["seen", "has another revision with the same text", { revision: "2" }, "note"],
  ["seen", "was deleted", { revision: "2", deleted: true }, "note"],
  ["seen", "is older", { revision: "0", body: "old", updated_at: EARLIER }, ""],
  ["seen", "is older and deleted", { revision: "0", deleted: true, updated_at: EARLIER }, ""],
  ["published", "is as it was", {}, ""],
  ["published", "was edited", { revision: "2", body: "new" }, "create"],
  ["published", "has another revision with the same text", { revision: "2" }, "note"],
  ["published", "was deleted", { revision: "2", deleted: true }, "note"],
  ["published", "is older", { revision: "0", body: "old", updated_at: EARLIER }, ""],
])("a comment that was %s and %s", (kind, _, comment, words) => {
  expect(planned(comment, { kind, ...READ })).toBe(words);
});

test.each<[string, Partial<ExternalComment>, Partial<typeof IMPORTED>, string]>([
  ["is as it was", {}, {}, ""],
  ["was edited", { revision: "2", body: "new", updated_at: LATER }, {}, "edit new"],
  ["was edited within its time", { revision: "2", body: "new" }, {}, "edit new"],
  ["was edited without another text", { revision: "2", updated_at: LATER }, {}, "note"],
  ["was deleted", { revision: "2", deleted: true }, {}, `edit ${DELETED_TEXT}`],
  [
    "was deleted and is blank",
    { revision: "2", deleted: true, body: "" },
    {},
    "edit [deleted externally]",
  ],
  ["is older than before", { revision: "0", body: "old" }, { updated_at: LATER }, ""],
  ["has the same revision with another text", { body: "other" }, {}, "fault changed c"],
  ["is deleted under the same revision", { deleted: true }, {}, "fault changed c"],
  ["was edited by another daemon", {}, { local: "edited there" } as object, "edit hello"],
])("an imported comment that %s", (_, comment, before, words) => {
  expect(planned(comment, { ...IMPORTED, ...before } as KnownComment)).toBe(words);
});

test.each<[string, Partial<ExternalComment>, PendingComment, KnownComment | undefined, string]>([
  ["its text and author", { author: { id: "svc" } }, PENDING, undefined, ""],
  ["its text, by somebody else", {}, PENDING, undefined, "create"],
  ["another text by its author", { body: "x", author: { id: "svc" } }, PENDING, undefined, ""],
  ["another text by somebody else", { body: "x" }, PENDING, undefined, "create"],
  [
    "its text and author, but another id that was known",
    { revision: "2", author: { id: "svc" } },
    PENDING,
    { kind: "seen", revision: "1", updated_at: "", digest: "" },
    "create",
  ],
  [
    "its text, while the author is unknown",
    {},
    { ...PENDING, self_actor_id: undefined },
    undefined,
    "",
  ],
  [
    "its text, but was imported before",
    { revision: "2", author: { id: "svc" }, body: "hello" },
    PENDING,
    { ...IMPORTED, local: "x" } as KnownComment,
    "edit hello",
  ],
])("while a comment is being published, one with %s", (_, comment, pending, before, words) => {
  expect(planned(comment, before, pending)).toBe(words);
});

test("comments are handled in the order of the list, and one fault stops all of them", () => {
  const of = (id: string, body: string): ExternalComment => ({ ...COMMENT, id, body });
  const none = { known: new Map(), pending: undefined };
  const plan = commentsIn([of("b", "1"), of("a", "2")], none);
  expect(plan.kind === "plan" && plan.actions.map(({ comment }) => comment.id)).toEqual(["b", "a"]);
  expect(wordsOf(commentsIn([of("b", "1"), of("a", "")], none))).toBe("fault blank a");
});
