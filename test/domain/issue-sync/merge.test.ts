import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/base/json.ts";
import { mergeOwned } from "../../../src/domain/issue-sync/merge.ts";

type Values = Readonly<Record<string, JsonValue>>;

function merged(base: Values, local: Values, upstream: Values, isNewer: boolean) {
  const fields = (values: Values) => new Map(Object.entries(values));
  const sides = { base: fields(base), local: fields(local), upstream: fields(upstream), isNewer };
  const { changes, base: next } = mergeOwned(sides);
  return { changes: Object.fromEntries(changes), base: Object.fromEntries(next) };
}

const T = (title: string) => ({ title });

test.each([
  ["nothing changed", T("a"), T("a"), T("a"), {}, {}],
  ["the host changed it", T("a"), T("a"), T("b"), T("b"), T("b")],
  ["it was edited here", T("a"), T("x"), T("a"), {}, T("a")],
  ["both changed it", T("a"), T("x"), T("b"), {}, T("b")],
  ["both changed it to the same", T("a"), T("b"), T("b"), {}, {}],
])(
  "a title is merged with an older and with a newer version of the issue when %s",
  (_, base, local, upstream, older, newer) => {
    expect(merged(base, local, upstream, false).changes).toEqual(older);
    expect(merged(base, local, upstream, true).changes).toEqual(newer);
  },
);

test("a field that keeps its local value also keeps its value of the last import as the base", () => {
  expect(merged(T("a"), T("x"), T("b"), false).base).toEqual(T("a"));
});

test("labels that came from the code host follow the host, and other labels stay", () => {
  const [base, local] = [{ "label.old": true }, { "label.old": true, "label.mine": true }];
  const { changes } = merged(base, local, { "label.new": true }, true);
  expect(changes).toEqual({ "label.old": undefined, "label.new": true });
});

test("a label of the code host that was removed here comes back only with a newer version of the issue", () => {
  const both = { "label.bug": true };
  expect(merged(both, {}, both, false).changes).toEqual({});
  expect(merged(both, {}, both, true).changes).toEqual({ "label.bug": true });
});

test.each([
  [199, { "label.~1": true }],
  [200, {}],
])(
  "an issue with %i labels gets only as many labels of the code host as still fit",
  (count, changes) => {
    const mine = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`label.${at}`, true]),
    );
    const result = merged({}, mine, { "label.~1": true, "label.~2": true }, true);
    expect(result.changes).toEqual(changes);
    expect(result.base).toEqual(changes);
  },
);

test.each([
  ["was set here", {}, { parent: "X" }, { parent: "P" }, {}, {}],
  ["was replaced here", { parent: "P" }, { parent: "X" }, { parent: "P" }, {}, {}],
  ["moved", { parent: "P" }, { parent: "P" }, { parent: "Q" }, { parent: "Q" }, { parent: "Q" }],
  ["ended", { parent: "P" }, { parent: "P" }, {}, { parent: undefined }, { parent: undefined }],
  ["was removed here", { parent: "P" }, {}, { parent: "P" }, {}, { parent: "P" }],
] as const)(
  "the parent of an issue is merged correctly with the code host if it %s",
  (_, base, local, upstream, older, newer) => {
    expect(merged(base, local, upstream, false).changes).toEqual(older);
    expect(merged(base, local, upstream, true).changes).toEqual(newer);
  },
);

test("comments of the code host are added, and never changed or removed", () => {
  const base = { "comment.1": "one", "comment.2": "two" };
  const local = { "comment.1": "one, edited here", "comment.2": "two" };
  const { changes } = merged(
    base,
    local,
    { "comment.1": "edited there", "comment.3": "three" },
    true,
  );
  expect(changes).toEqual({ "comment.3": "three" });
});

test("the time of a close is merged together with the status", () => {
  const open = { status: "open" };
  const closed = (at: string) => ({ status: "closed done", closed_at: at });
  expect(merged(open, open, closed("T1"), false).changes).toEqual(closed("T1"));
  expect(merged(open, closed("T0"), open, false).changes).toEqual({});
  expect(merged(closed("T1"), open, closed("T1"), false).changes).toEqual({});
  expect(merged(closed("T1"), open, closed("T1"), true).changes).toEqual(closed("T1"));
});
