import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SvcField } from "../../../src/domain/bridges/field-of-issue.ts";
import { sameValue } from "../../../src/domain/bridges/field-values.ts";
import {
  type FieldMerge,
  type FieldSides,
  mergeField,
} from "../../../src/domain/bridges/merge-field.ts";
import { withoutZoneClash } from "../../../src/domain/bridges/merge-zones.ts";
import type { Descriptor, FieldValue } from "../../../src/domain/bridges/values.ts";

const NONE: FieldValue = { kind: "null" };
const day = (value: string): FieldValue => ({ kind: "date", value });
const wall = (timezone: string, value = "2026-03-01T09:00:00"): FieldValue => ({
  ...{ kind: "local_datetime", value, timezone },
});
const [A, B, C] = [day("2026-01-01"), day("2026-01-02"), day("2026-01-03")];

const DUE: Descriptor = {
  ...{ id: "due", display_name: "Due", accepted_kinds: ["date", "local_datetime", "null"] },
  ...{ nullable: true, writable: true, schema_revision: "1" },
};

function merge(sides: Partial<FieldSides>): FieldMerge {
  return mergeField({
    ...{ baseline: undefined, local: NONE, external: NONE },
    ...{ descriptor: DUE, mapped: DUE, conflicted: false },
    ...sides,
  });
}

const equal = (value: FieldValue): FieldMerge => ({ kind: "equal", value });
const take = (value: FieldValue): FieldMerge => ({ kind: "take", value });
const write = (value: FieldValue, expected: FieldValue): FieldMerge => ({
  ...{ kind: "write", value, expected },
});
const CONFLICT: FieldMerge = { kind: "conflict" };

test.each<[string, FieldValue | undefined, FieldValue, FieldValue, FieldMerge]>([
  ["both are empty at first", undefined, NONE, NONE, equal(NONE)],
  ["both have the same at first", undefined, A, A, equal(A)],
  ["only the provider has a value at first", undefined, NONE, A, take(A)],
  ["only the issue has a value at first", undefined, A, NONE, write(A, NONE)],
  ["both have values at first", undefined, A, B, CONFLICT],
  ["nothing changed", A, A, A, equal(A)],
  ["the provider changed it", A, A, B, take(B)],
  ["the issue changed it", A, B, A, write(B, A)],
  ["both changed it to the same", A, B, B, equal(B)],
  ["both changed it", A, B, C, CONFLICT],
  ["the provider emptied it", A, A, NONE, take(NONE)],
  ["the issue emptied it", A, NONE, A, write(NONE, A)],
  ["the issue emptied it and the provider changed it", A, NONE, B, CONFLICT],
  ["the provider emptied it and the issue changed it", A, B, NONE, CONFLICT],
  ["the issue filled it after both were empty", NONE, A, NONE, write(A, NONE)],
  ["both filled it after both were empty", NONE, A, B, CONFLICT],
])("a field is merged when %s", (_, baseline, local, external, expected) => {
  expect(merge({ baseline, local, external })).toEqual(expected);
});

test.each<[string, FieldValue, FieldValue, FieldMerge]>([
  ["the sides differ, though only one changed since", A, B, CONFLICT],
  ["both sides have the same value now", B, B, equal(B)],
])("a conflict that nobody resolved is merged when %s", (_, local, external, expected) => {
  expect(merge({ baseline: A, local, external, conflicted: true })).toEqual(expected);
});

describe("a field is in conflict", () => {
  test.each<[string, Partial<FieldSides>, FieldMerge["kind"]]>([
    ["nothing of it changed", {}, "take"],
    ["only its name changed", { descriptor: { ...DUE, display_name: "Due date" } }, "take"],
    [
      "its kinds have another order",
      { descriptor: { ...DUE, accepted_kinds: ["null", "local_datetime", "date"] } },
      "take",
    ],
    ["it is gone", { descriptor: undefined }, "conflict"],
    ["its revision changed", { descriptor: { ...DUE, schema_revision: "2" } }, "conflict"],
    ["it accepts fewer kinds", { descriptor: { ...DUE, accepted_kinds: ["date"] } }, "conflict"],
    ["it may not be written now", { descriptor: { ...DUE, writable: false } }, "conflict"],
    ["it may not be empty now", { descriptor: { ...DUE, nullable: false } }, "conflict"],
    ["the issue has no valid date", { local: undefined }, "conflict"],
    [
      "it does not accept the provider's kind",
      { external: { kind: "instant", value: "2026-01-01T00:00:00.000Z" } },
      "conflict",
    ],
  ])("or not when %s", (_, sides, kind) => {
    expect(merge({ baseline: A, local: A, external: B, ...sides }).kind).toBe(kind);
  });

  test("if the issue's value has a kind that it does not accept", () => {
    const instant: FieldValue = { kind: "instant", value: "2026-01-01T00:00:00.000Z" };
    expect(merge({ local: instant })).toEqual(CONFLICT);
    const mapped = { ...DUE, accepted_kinds: ["date", "instant"] } as const;
    expect(merge({ local: instant, mapped, descriptor: mapped }).kind).toBe("write");
  });
});

const value = fc.constantFrom<FieldValue>(NONE, A, B, C, wall("UTC"), wall("Europe/Berlin"), {
  ...{ kind: "instant", value: "2026-01-01T00:00:00.000Z" },
});
const maybe = fc.option(value, { nil: undefined });

test("a merge uses no value that neither side has, and never decides silently when both sides changed", () => {
  const property = fc.property(
    fc.record({ baseline: maybe, local: maybe, external: value, conflicted: fc.boolean() }),
    ({ baseline, local, external, conflicted }) => {
      const merged = merge({ baseline, local, external, conflicted });
      if (merged.kind === "conflict") return;
      if (local === undefined) throw new Error("an invalid date was used");
      if (merged.kind === "equal") {
        expect([local, external]).toEqual([merged.value, merged.value]);
        return;
      }
      expect(conflicted).toBe(false);
      const [kept, given] = merged.kind === "take" ? [local, external] : [external, local];
      expect(merged.value).toEqual(given);
      // The value that is replaced is the one that nobody changed.
      expect(sameValue(kept, baseline ?? NONE)).toBe(true);
      if (merged.kind === "write") expect(merged.expected).toEqual(external);
    },
  );
  fc.assert(property, { numRuns: 2000 });
});

describe("two wall times of an issue", () => {
  const BERLIN = wall("Europe/Berlin");
  const LISBON = wall("Europe/Lisbon");
  const settle = (
    merges: Partial<Record<SvcField, FieldMerge>>,
    local: Partial<Record<SvcField, FieldValue>>,
  ): Record<string, string> => {
    const mapOf = <T>(given: Partial<Record<SvcField, T>>) =>
      new Map(Object.entries(given) as [SvcField, T][]);
    const settled = withoutZoneClash(mapOf(merges), mapOf(local));
    return Object.fromEntries([...settled].map(([field, { kind }]) => [field, kind]));
  };

  test.each<[string, [FieldMerge, FieldMerge?], [FieldValue, FieldValue], [string, string?]]>([
    ["one moves to the zone of the other", [take(BERLIN)], [NONE, BERLIN], ["take"]],
    ["one moves to another zone than the other", [take(LISBON)], [NONE, BERLIN], ["conflict"]],
    ["one moves and the other is a day", [take(LISBON)], [BERLIN, A], ["take"]],
    ["one moves and the other is empty", [take(LISBON)], [BERLIN, NONE], ["take"]],
    ["both move to one new zone", [take(LISBON), take(LISBON)], [BERLIN, BERLIN], ["take", "take"]],
    [
      "they move to two zones",
      [take(LISBON), take(BERLIN)],
      [NONE, NONE],
      ["conflict", "conflict"],
    ],
    [
      "they move to two zones, one of which is the issue's",
      [take(LISBON), take(BERLIN)],
      [BERLIN, BERLIN],
      ["conflict", "conflict"],
    ],
    [
      "one moves and the other becomes a day",
      [take(LISBON), take(A)],
      [BERLIN, BERLIN],
      ["take", "take"],
    ],
    [
      "one moves and the other is written to the provider",
      [take(LISBON), write(BERLIN, A)],
      [A, BERLIN],
      ["conflict", "write"],
    ],
    [
      "one moves and the other is in conflict",
      [take(LISBON), CONFLICT],
      [A, BERLIN],
      ["conflict", "conflict"],
    ],
  ])("share a zone when %s", (_, [scheduled, deadline], [first, second], kinds) => {
    const merges = { scheduled_on: scheduled, ...(deadline && { deadline_on: deadline }) };
    const settled = settle(merges, { scheduled_on: first, deadline_on: second });
    expect([settled["scheduled_on"], settled["deadline_on"]]).toEqual([kinds[0], kinds[1]]);
  });

  test("have one zone after any merge, and a day, an instant or an empty field is never stopped", () => {
    const taken = fc.constantFrom(NONE, A, BERLIN, LISBON).map(take);
    const merged = fc.oneof(taken, fc.constant(CONFLICT));
    const issue = fc.constantFrom(BERLIN, LISBON);
    const isWall = fc.tuple(fc.boolean(), fc.boolean());
    const property = fc.property(merged, merged, issue, isWall, (first, second, time, walls) => {
      const local = new Map<SvcField, FieldValue>([
        ["scheduled_on", walls[0] ? time : NONE],
        ["deadline_on", walls[1] ? time : NONE],
      ]);
      const merges = new Map<SvcField, FieldMerge>([
        ["scheduled_on", first],
        ["deadline_on", second],
      ]);
      const after = withoutZoneClash(merges, local);
      const zones = [...after].flatMap(([field, merge]) => {
        const is = merge.kind === "take" ? merge.value : local.get(field);
        return is?.kind === "local_datetime" ? [is.timezone] : [];
      });
      expect(new Set(zones).size).toBeLessThan(2);
      for (const [field, was] of merges)
        if (was.kind === "take" && was.value.kind !== "local_datetime")
          expect(after.get(field)).toBe(was);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
