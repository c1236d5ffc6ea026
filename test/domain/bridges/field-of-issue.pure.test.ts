import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { fieldOfIssue, patchOfField } from "../../../src/domain/bridges/field-of-issue.ts";
import type { FieldValue } from "../../../src/domain/bridges/values.ts";

const BERLIN = "Europe/Berlin";

test.each<[string, JsonObject, FieldValue | undefined]>([
  ["no date", {}, { kind: "null" }],
  ["a day", { deadline_on: "2026-03-01" }, { kind: "date", value: "2026-03-01" }],
  ["a day that does not exist", { deadline_on: "2026-02-30" }, undefined],
  ["no text", { deadline_on: 7 }, undefined],
  [
    "a wall time to the minute",
    { deadline_on: "2026-03-01T09:00" },
    { kind: "local_datetime", value: "2026-03-01T09:00:00", timezone: "UTC" },
  ],
  [
    "a wall time in the issue's zone",
    { deadline_on: "2026-03-01T09:00:30", timezone: BERLIN },
    { kind: "local_datetime", value: "2026-03-01T09:00:30", timezone: BERLIN },
  ],
  [
    "a wall time in a zone that does not exist",
    { deadline_on: "2026-03-01T09:00", timezone: "Mars/Base" },
    undefined,
  ],
  [
    "an instant",
    { deadline_on: "2026-03-01T09:00:00Z", timezone: BERLIN },
    { kind: "instant", value: "2026-03-01T09:00:00.000Z" },
  ],
])("an issue with %s has this value of a field", (_, metadata, value) => {
  expect(fieldOfIssue(metadata, "deadline_on", "UTC")).toEqual(value);
});

test.each<[FieldValue, JsonObject]>([
  [{ kind: "null" }, { deadline_on: null }],
  [{ kind: "date", value: "2026-03-01" }, { deadline_on: "2026-03-01" }],
  [
    { kind: "instant", value: "2026-03-01T09:00:00.000Z" },
    { deadline_on: "2026-03-01T09:00:00.000Z" },
  ],
  [
    { kind: "local_datetime", value: "2026-03-01T09:00:00", timezone: BERLIN },
    { deadline_on: "2026-03-01T09:00:00", timezone: BERLIN },
  ],
])("the value %j changes the zone of an issue only if it is a wall time", (value, patch) => {
  expect(patchOfField("deadline_on", value)).toEqual(patch);
  const { timezone = "UTC", ...rest } = patch;
  const metadata = Object.fromEntries(Object.entries(rest).filter(([, to]) => to !== null));
  expect(fieldOfIssue({ ...metadata, timezone }, "deadline_on", "Asia/Tokyo")).toEqual(value);
});
