import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

test("a planning date is set, shown and removed", async () => {
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

test("an invalid date is refused, and so is a change of an issue that has changed meanwhile", async () => {
  const w = await projectWorld();
  const issue = await w.issue("an issue");
  const soon = await w.refused(["schedule", issue, "soon"]);
  expect(soon.err).toContain('scheduled_on: "soon" is no date\nhint: say tomorrow');
  expect(soon.code).toBe(3);
  const stale = await w.refused(["deadline", issue, "2026-09-30", "--if-match", "7"]);
  expect(stale.code).toBe(6);
  expect((await w.refused(["schedule", issue])).code).toBe(2);
  expect((await w.refused(["schedule", "zzzz", "-"])).code).toBe(4);
});

test("a word for a date is stored as the date, and the answer shows its instant", async () => {
  const w = await projectWorld();
  const issue = await w.issue("an issue");
  const said = await w.ok(["deadline", issue, "tomorrow"]);
  expect(said).toMatch(/ due (\d{4}-\d\d-\d\d) \(\1T00:00:00Z\)\n$/);
  const agent = await w.ok(["schedule", issue, "+2w", "--agent"]);
  expect(agent).toMatch(/ date=(\d{4}-\d\d-\d\d) revision=3 changed=true instant=\1T00:00:00Z\n/);
  expect(await w.ok(["deadline", issue, "Fri", "-q"])).toBe(`${issue}\n`);
  const body = JSON.parse(await w.ok(["deadline", issue, "eod", "--json"]));
  expect(body.issue.metadata.deadline_on).toMatch(/^\d{4}-\d\d-\d\dT23:59:59$/);
  const made = await w.run([
    "create",
    "by Friday",
    "--deadline",
    "fri",
    "--schedule",
    "2026-09-01",
  ]);
  expect(made.err).toMatch(/^--deadline fri is \d{4}-\d\d-\d\d\n$/);
  const { issues } = JSON.parse(
    await w.ok(["list", "--meta", "scheduled_on=2026-09-01", "--json"]),
  );
  expect(issues).toHaveLength(1);
  expect((await w.refused(["create", "x", "--deadline", "+3m"])).err).toContain("+3mo for months");
});

test("edit sets and clears both dates together with other fields", async () => {
  const w = await projectWorld();
  const issue = await w.issue("an issue");
  const shown = async () => JSON.parse(await w.ok(["show", issue, "--json"])).issue;
  const dates = ["--deadline", "fri", "--schedule", "2026-09-01"];
  const said = await w.run(["edit", issue, ...dates, "--owner", "bea"]);
  expect(said.err).toMatch(/^--deadline fri is \d{4}-\d\d-\d\d\n$/);
  const deadline_on = said.err.trim().slice(-10);
  expect(await shown()).toMatchObject({
    ...{ owner: "bea", metadata: { deadline_on, scheduled_on: "2026-09-01" } },
  });
  const cleared = await w.ok(["edit", issue, "--deadline", "-", "--agent"]);
  expect(cleared).toContain("Changes: deadline_on");
  expect((await shown()).metadata).toEqual({ scheduled_on: "2026-09-01" });
  const wrong = await w.refused(["edit", issue, "--title", "x", "--deadline", "soon"]);
  expect(wrong.err).toContain(`--deadline: "soon" is no date`);
  expect((await shown()).title).toBe("an issue");
});

test("filters accept words for dates too, and people are shown how svc understood them", async () => {
  const w = await projectWorld();
  const listed = await w.run(["list", "--changed-since", "yesterday"]);
  expect(listed.err).toMatch(/^--changed-since yesterday is \d{4}-\S+Z\n$/);
  for (const words of [
    ["digest", "--since", "mon", "--until", "now"],
    ["audit", "closes", "--since", "2026-01-31", "--until", "now"],
    ["undo", "--actor", "zoe", "--since", "mon", "--until", "now", "--dry-run"],
    ["list", "--at", "tomorrow"],
    ["cron", "run", "report", "--since", "mon", "--until", "today"],
  ]) {
    const { err, code } = await w.run([...words, "--json"]);
    expect([code, err], words.join(" ")).toEqual(
      words.includes("--at") ? [3, expect.stringContaining("validation")] : [0, ""],
    );
  }
});
