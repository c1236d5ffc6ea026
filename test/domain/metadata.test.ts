import { describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../src/base/json.ts";
import { SvcError } from "../../src/contract/errors.ts";
import {
  applyDiff,
  checkIssuePatch,
  checkNewMetadata,
  checkProjectPatch,
  diffOf,
} from "../../src/domain/metadata.ts";

const ID = "01JZ9ABCDEFGHJKMNPQRSTAB3D";

function parsed(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}

function codeOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

describe("a metadata patch", () => {
  test.each([
    ["a new key", { a: 1 }, { b: 2 }, { b: { to: 2 } }, { a: 1, b: 2 }],
    ["another value", { a: 1 }, { a: 2 }, { a: { from: 1, to: 2 } }, { a: 2 }],
    ["null on a key", { a: 1, b: 2 }, { a: null }, { a: { from: 1 } }, { b: 2 }],
    [
      "an object, which is replaced whole",
      { a: { x: 1, y: 2 } },
      { a: { x: 1 } },
      { a: { from: { x: 1, y: 2 }, to: { x: 1 } } },
      { a: { x: 1 } },
    ],
    ["a dotted key, which is one key", {}, { "a.b": 1 }, { "a.b": { to: 1 } }, { "a.b": 1 }],
    [
      "null inside an object, which is a value",
      { a: { x: 1 } },
      { a: { x: null } },
      { a: { from: { x: 1 }, to: { x: null } } },
      { a: { x: null } },
    ],
  ])("reports and applies %s", (_name, current, patch, diff, after) => {
    expect(diffOf(current, patch)).toEqual(diff);
    expect(applyDiff(current, diff)).toEqual(after);
  });

  test.each([
    ["the same value", { a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }],
    ["null on an absent key", { a: 1 }, { b: null }],
    ["nothing", { a: 1 }, {}],
  ])("changes nothing with %s", (_name, current, patch) => {
    expect(diffOf(current, patch)).toBeUndefined();
  });

  test("treats a key that is special in JavaScript like any other", () => {
    const diff = diffOf({}, parsed('{"__proto__": {"a": 1}, "constructor": 2}'));
    const after = applyDiff({}, diff ?? {});
    expect(JSON.stringify(after)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(
      JSON.stringify(applyDiff(after, diffOf(after, parsed('{"__proto__": null}')) ?? {})),
    ).toBe('{"constructor":2}');
  });

  test("keeps the spelling of numbers, and treats another spelling as another value", () => {
    const current = parsed('{"n": 12345678901234567890}');
    expect(diffOf(current, parsed('{"n": 12345678901234567890}'))).toBeUndefined();
    const after = applyDiff(current, diffOf(current, parsed('{"n": 12345678901234567891}')) ?? {});
    expect(JSON.stringify(after)).toBe('{"n":12345678901234567891}');
  });
});

describe("the fold of a metadata diff", () => {
  test("keeps a leaf that somebody else wrote meanwhile", () => {
    const diff = { a: { from: { x: 1, y: 1 }, to: { x: 2, y: 1 } } };
    expect(applyDiff({ a: { x: 1, y: 9, z: 9 } }, diff)).toEqual({ a: { x: 2, y: 9, z: 9 } });
  });

  test("removes a leaf that the writer removed, at any depth", () => {
    const diff = { a: { from: { b: { x: 1, y: 1 } }, to: { b: { y: 1 } } } };
    expect(applyDiff({ a: { b: { x: 1, y: 2 } } }, diff)).toEqual({ a: { b: { y: 2 } } });
  });

  test("replaces lists, and values that are not objects on both sides", () => {
    expect(applyDiff({ a: [1, 2] }, { a: { from: [1], to: [3] } })).toEqual({ a: [3] });
    expect(applyDiff({ a: { x: 1 } }, { a: { from: 1, to: { y: 1 } } })).toEqual({ a: { y: 1 } });
  });
});

describe("a reserved key of an issue", () => {
  test.each([
    ["scheduled_on", "2026-09-01"],
    ["deadline_on", "2026-09-01T09:00:00Z"],
    ["timezone", "Europe/Berlin"],
    ["someday", true],
    ["checklist", []],
    ["checklist", [{ id: ID, text: "buy milk", done: false }]],
    ["work.attention", "anything"],
    ["notify.YW5u", { from: "ann", message: "look" }],
    ["scheduled_on", null],
    ["someday", null],
    ["constructor", "free"],
  ])("%s accepts %j", (key, value) => {
    expect(codeOf(() => checkIssuePatch({ [key]: value }))).toBeUndefined();
  });

  test.each([
    ["scheduled_on", "tomorrow"],
    ["scheduled_on", 5],
    ["deadline_on", "2026-02-30"],
    ["deadline_on", "2026-09-01T09:00:00+02:00"],
    ["timezone", "Berlin"],
    ["timezone", "+02:00"],
    ["someday", false],
    ["someday", "true"],
    ["checklist", {}],
    ["checklist", [{ id: "x", text: "a", done: false }]],
    ["checklist", [{ id: ID, text: " ", done: false }]],
    ["checklist", [{ id: ID, text: "a", done: "no" }]],
    ["checklist", [{ id: ID, text: "a", done: true, more: 1 }]],
    ["checklist", [null]],
    ["cron.occurrence", { job: 1 }],
    ["cron.progress.01J", 1],
    ["cron.progress.01J", null],
  ])("%s refuses %j", (key, value) => {
    expect(codeOf(() => checkIssuePatch({ [key]: value }))).toBe("invalid_metadata_value");
  });

  test("a key without a name is refused", () => {
    expect(codeOf(() => checkIssuePatch({ "": 1 }))).toBe("validation");
  });

  test("a new issue accepts no null, since it has nothing to remove", () => {
    expect(codeOf(() => checkNewMetadata({ note: null }))).toBe("invalid_metadata_value");
    expect(codeOf(() => checkNewMetadata({ note: { inner: null } }))).toBeUndefined();
  });
});

describe("a reserved key of a project", () => {
  test.each([
    ["role", "inbox", undefined],
    ["role", "outbox", "invalid_metadata_value"],
    ["area", "home", undefined],
    ["area", 5, "invalid_metadata_value"],
    ["scheduled_on", "whenever", undefined],
  ])("%s with the value %j is refused with the code: %s", (key, value, code) => {
    expect(codeOf(() => checkProjectPatch({ [key]: value }))).toBe(code);
  });
});
