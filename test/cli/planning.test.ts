import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

test("a date is set, said and taken away again", async () => {
  const w = await projectWorld();
  const issue = await w.issue("an issue");
  expect(w.named(await w.ok(["schedule", issue, "2026-09-28T09:00"]))).toBe(
    "<an issue> planned for 2026-09-28T09:00\n",
  );
  expect(w.named(await w.ok(["deadline", issue, "2026-09-30", "--agent"]))).toBe(
    "OK deadline issue=<an issue> date=2026-09-30 revision=3 changed=true\n",
  );
  const dates = JSON.parse(await w.ok(["show", issue, "--planning-dates"]));
  expect(dates).toMatchObject({
    svc_api_version: 1,
    revision: 3,
    scheduled_on: { value: "2026-09-28T09:00", instant: "2026-09-28T09:00:00Z" },
    deadline_on: { value: "2026-09-30", timezone: "UTC" },
  });
  expect(await w.ok(["show", issue, "--planning-dates", "--json"])).toBe(
    await w.ok(["show", issue, "--planning-dates", "--agent"]),
  );
  expect(await w.ok(["ready"])).toBe("No ready issues.\n");
  expect(w.named(await w.ok(["schedule", issue, "-"]))).toBe(
    "<an issue> no longer planned for a date\n",
  );
  expect(w.named(await w.ok(["schedule", issue, "-"]))).toContain("(no-op)");
  expect(await w.ok(["deadline", issue, "-", "-q"])).toBe(`${issue}\n`);
  expect(JSON.parse(await w.ok(["show", issue, "--json"])).issue.metadata).toEqual({});
});

test("what is no date, and an issue that has changed, are refused", async () => {
  const w = await projectWorld();
  const issue = await w.issue("an issue");
  const tomorrow = await w.refused(["schedule", issue, "tomorrow"]);
  expect(tomorrow.err).toContain("scheduled_on");
  expect(tomorrow.code).toBe(3);
  const stale = await w.refused(["deadline", issue, "2026-09-30", "--if-match", "7"]);
  expect(stale.code).toBe(6);
  expect((await w.refused(["schedule", issue])).code).toBe(2);
  expect((await w.refused(["schedule", "zzzz", "-"])).code).toBe(4);
});
