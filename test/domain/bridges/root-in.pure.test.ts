import { expect, test } from "vitest";
import {
  faultOfText,
  type RootIn,
  rootDigest,
  rootIn,
  type SeenRoot,
} from "../../../src/domain/bridges/root-in.ts";
import type { Root } from "../../../src/domain/bridges/values.ts";

const [EARLY, MIDDLE, LATE] = ["10", "11", "12"].map((hour) => `2026-01-01T${hour}:00:00.000Z`) as [
  string,
  string,
  string,
];
const WORDS = { title: "Ship it", body: "All of it." };
const ROOT: Root = {
  ...{ key: "k", identity_key: "a", ...WORDS, state: "open", revision: "2" },
  ...{ updated_at: MIDDLE, observed_at: LATE },
};
const SEEN: SeenRoot = { revision: "2", updated_at: MIDDLE, digest: rootDigest(WORDS) };

const UNCHANGED: RootIn = { kind: "unchanged" };
const update = (to: typeof WORDS): RootIn => ({ kind: "update", to });
const fault = (name: "older" | "changed" | "title" | "body"): RootIn => ({
  ...{ kind: "fault", fault: name },
});
const NEW = { ...WORDS, title: "Ship all" };

test.each<[string, SeenRoot | undefined, typeof WORDS, Partial<Root>, RootIn]>([
  ["it is read first and the words are the same", undefined, WORDS, {}, UNCHANGED],
  ["it is read first", undefined, { title: "t", body: "" }, {}, update(WORDS)],
  ["nothing changed", SEEN, WORDS, {}, UNCHANGED],
  ["only its revision changed", SEEN, WORDS, { revision: "3", updated_at: LATE }, UNCHANGED],
  ["its title changed", SEEN, WORDS, { title: NEW.title, revision: "3" }, update(NEW)],
  [
    "its text changed",
    SEEN,
    WORDS,
    { body: "New.", revision: "3" },
    update({ ...WORDS, body: "New." }),
  ],
  ["another daemon changed the issue's words", SEEN, NEW, {}, update(WORDS)],
  ["it is older than before", SEEN, WORDS, { updated_at: EARLY }, fault("older")],
  [
    "it is older and has another revision",
    SEEN,
    WORDS,
    { updated_at: EARLY, revision: "1" },
    fault("older"),
  ],
  ["the same revision has another title", SEEN, WORDS, { title: "T" }, fault("changed")],
  [
    "the same revision has another text at a later time",
    SEEN,
    WORDS,
    { body: "B", updated_at: LATE },
    fault("changed"),
  ],
  ["its title is blank", SEEN, WORDS, { title: " ", revision: "3" }, fault("title")],
  ["its text has NUL", SEEN, WORDS, { body: "\0", revision: "3" }, fault("body")],
])("a root is compared with the issue when %s", (_, seen, issue, root, expected) => {
  expect(rootIn(seen, issue, { ...ROOT, ...root })).toEqual(expected);
});

test.each([
  ["t", "", undefined],
  ["", "", "title"],
  ["t".repeat(1024), "", undefined],
  ["t".repeat(1025), "", "title"],
  ["😀".repeat(1024), "", undefined],
  ["a\0b", "", "title"],
  ["\u2800", "", "title"],
])("the title %j is one that an issue can have, or not", (title, body, expected) => {
  expect(faultOfText({ title, body })).toBe(expected);
});

test("the digest tells where the title ends", () => {
  expect(rootDigest({ title: "a", body: "b" })).not.toBe(rootDigest({ title: "ab", body: "" }));
});
