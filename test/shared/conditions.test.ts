import { describe, expect, test } from "vitest";
import {
  type CheckedIssue,
  CONDITIONS,
  conditionMet,
  conditionOf,
} from "../../src/shared/conditions.ts";

type Issue = Partial<CheckedIssue["shown"]["issue"]>;

function seen(
  issue: Issue = {},
  more: Partial<CheckedIssue["shown"]> = {},
  ready = false,
): CheckedIssue {
  const shown = {
    issue: { status: "open", labels: [], metadata: {}, revision: 1, ...issue },
    comments: [],
    links: [],
    labels: [],
    children: [],
    ...more,
  };
  return { shown: shown as unknown as CheckedIssue["shown"], ready };
}

const closed = seen({ status: "closed" });
const attention = (value: unknown) => seen({ metadata: { "work.attention": value as string } });
const comment = { comments: [{ body: "x" }] } as unknown as Partial<CheckedIssue["shown"]>;
/** The key of the address `bea/review`. */
const requested = seen({ metadata: { "notify.YmVhL3Jldmlldw": { from: "ann", message: "?" } } });

function met(text: string, now: CheckedIssue, before = seen()): string | undefined {
  const condition = conditionOf(text);
  if (condition === undefined) throw new Error(`${text} is no condition`);
  return conditionMet([condition], now, before);
}

describe("the condition of a wait", () => {
  test.each<[string, CheckedIssue, CheckedIssue]>([
    ["closed", closed, seen()],
    ["open", seen(), closed],
    ["ready", seen({}, {}, true), seen()],
    ["attention", attention("needs-human"), attention("ok")],
    ["attention", attention("stuck"), attention("")],
    ["attention", attention("anything"), seen()],
    ["attention", attention("stuck"), attention(5)],
    ["needs-human", attention("needs-human"), attention("stuck")],
    ["stuck", attention("stuck"), attention("needs-human")],
    ["owner", seen({ owner: "bea" }), seen()],
    ["owner=bea", seen({ owner: "bea" }), seen({ owner: "Bea" })],
    ["unowned", seen(), seen({ owner: "bea" })],
    ["label=ui", seen({ labels: ["api", "ui"] }), seen({ labels: ["uix"] })],
    ["no-label=ui", seen({ labels: ["uix"] }), seen({ labels: ["ui"] })],
    ["request", requested, seen({ metadata: { notify: "x" } })],
    ["request=bea/review", requested, seen()],
    ["deleted", seen({ deleted_at: "2026-01-01T00:00:00.000Z" }), seen()],
    ["comment", seen({}, comment), seen()],
    ["change", seen({ title: "new" }), seen()],
    ["change", seen({}, comment), seen()],
  ])("%s is met by a matching issue and by no other", (text, yes, no) => {
    expect(met(text, yes)).toBe(text);
    expect(met(text, no)).not.toBe(text);
  });

  test("is not met by a request for another address", () => {
    expect(met("request=bea", requested)).toBeUndefined();
  });

  test("is not met by a comment that existed before, nor by a change of a lease", () => {
    expect(met("comment", seen({}, comment), seen({}, comment))).toBeUndefined();
    const leased = { lease: { holder: "bea" } } as unknown as Partial<CheckedIssue["shown"]>;
    expect(met("change", seen({}, leased))).toBeUndefined();
  });
});

describe("a closed issue", () => {
  const over = ["ready", "attention", "needs-human", "stuck", "owner", "unowned=", "request"];
  test.each(over.map((text) => text.replace("=", "")))("ends the wait for %s", (text) => {
    const now = seen({ status: "closed", owner: text === "unowned" ? "bea" : undefined } as Issue);
    expect(met(text, now)).toBe("closed");
  });

  test.each(["label=x", "comment", "deleted"])("does not end the wait for %s", (text) => {
    expect(met(text, closed)).toBeUndefined();
  });

  test("does not end a wait for several conditions of which one may still be met", () => {
    const conditions = ["ready", "label=x"].flatMap((text) => conditionOf(text) ?? []);
    expect(conditionMet(conditions, closed, seen())).toBeUndefined();
    const labeled = seen({ status: "closed", labels: ["x"] });
    expect(conditionMet(conditions, labeled, seen())).toBe("label=x");
  });
});

test("of several conditions, the first one that is met is named", () => {
  const conditions = ["owner", "label=x", "closed"].flatMap((text) => conditionOf(text) ?? []);
  const now = seen({ status: "closed", labels: ["x"] });
  expect(conditionMet(conditions, now, seen())).toBe("label=x");
});

test.each([
  ["closed", "closed", undefined],
  ["owner=a=b", "owner", "a=b"],
  ["label=area:ui", "label", "area:ui"],
])("the condition %s is parsed", (text, name, value) => {
  expect(conditionOf(text)).toEqual({ text, name, value });
});

test.each([
  "",
  "=",
  "=x",
  "Closed",
  "closed=",
  "closed=x",
  "label",
  "label=",
  "toString",
  "owner=",
])("%j is no condition of a wait", (text) => {
  expect(conditionOf(text)).toBeUndefined();
});

test("every condition has a description", () => {
  for (const [name, { says }] of Object.entries(CONDITIONS)) expect(says, name).not.toBe("");
});
