import { expect, test } from "vitest";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import { otherMetadata } from "../../src/screen/detail/metadata.ts";

test("metadata is shown by key, without keys that have a field of their own", () => {
  const request = { from: "ann", message: "Why?", requested_at: "2026-11-21T10:00:00.000Z" };
  const shown = otherMetadata({
    "work.branch": "main",
    scheduled_on: "2026-11-24",
    deadline_on: "2026-11-25",
    someday: true,
    timezone: "Europe/Berlin",
    [slotOf("ann")]: request,
    checklist: [{ id: "a", text: "b", done: false }],
    attempts: 3,
    none: null,
    "cron.progress.01JD3T9K6Q2Z0W4B7N8M5X1Y2C": { last_child_uid: null },
  });
  expect(shown).toEqual([
    { key: "attempts", text: "3" },
    { key: "checklist", text: '[{"id":"a","text":"b","done":false}]' },
    { key: "timezone", text: "Europe/Berlin" },
    { key: "work.branch", text: "main" },
  ]);
});
