import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const CREATE = [
  "recurrence",
  "create",
  "--title",
  "Water the plants",
  "--rrule",
  "FREQ=WEEKLY",
  "--dtstart",
  "2026-01-05",
  "--timezone",
  "Europe/Berlin",
] as const;
/** Returns the words of the creation with one flag changed or added. */
function withFlag(flag: string, value: string): readonly string[] {
  const at = (CREATE as readonly string[]).indexOf(flag);
  return at === -1 ? [...CREATE, flag, value] : CREATE.with(at + 1, value as never);
}

const DONE = [
  "--done",
  "-m",
  "Watered every one of them, and the fern twice",
  "--evidence",
  "external:by hand",
];

describe("a series on the command line", () => {
  async function begun(more: readonly string[] = []) {
    const w = await projectWorld();
    const { recurrence } = JSON.parse(await w.ok([...CREATE, ...more, "--json"]));
    const [first] = JSON.parse(await w.ok(["list", "--json"])).issues;
    return { w, uid: recurrence.uid as string, first: first.short_id as string };
  }

  test("starts with a new issue, and closing that issue creates the next one", async () => {
    const w = await projectWorld();
    const told = await w.ok(CREATE);
    const [, uid, first] =
      /^([0-9A-Z]{26}) Water the plants begins with (\w+); next: 2026-01-12\n$/.exec(told) ?? [];
    const shown = await w.ok(["show", first ?? ""]);
    expect(shown).toContain(`\nseries: ${uid} for 2026-01-05\n`);
    expect(shown).toContain('scheduled_on = "2026-01-05"');
    expect(await w.ok(["show", first ?? "", "--agent"])).toContain(
      `\nSeries: ${uid} for 2026-01-05\n`,
    );
    const closed = await w.ok(["close", first ?? "", ...DONE]);
    const [, second] = /\nnext: (\w+) Water the plants on 2026-01-12\n/.exec(closed) ?? [];
    expect(await w.ok(["close", second ?? "", ...DONE, "--agent"])).toMatch(
      /\nNext: \w+ 2026-01-19 Water the plants\n/,
    );
    expect(await w.ok(["recurrence", "list"])).toBe(
      `${uid}  2026-01-26  Water the plants  FREQ=WEEKLY\n`,
    );
    expect(await w.ok(["recurrence", "list", "-q"])).toBe(`${uid}\n`);
    expect(await w.ok(["log", first ?? ""])).toContain(
      "  ann  made it the first of a series, for 2026-01-05\n",
    );
    expect(await w.ok(["log", second ?? ""])).toContain(
      "  ann  it came next in its series, for 2026-01-12\n",
    );
  });

  test("a series on the 31st of each month says which months it skips, wherever it is shown", async () => {
    const w = await projectWorld();
    const words = withFlag("--rrule", "FREQ=MONTHLY").with(
      (CREATE as readonly string[]).indexOf("--dtstart") + 1,
      "2026-01-31",
    );
    const months = "months without that day (February, April, June, September, November)";
    const told = await w.ok(words);
    expect(told).toMatch(/; next: 2026-03-31\n/);
    expect(told).toContain(`\nskips ${months}; BYMONTHDAY=-1 is the last day of every month\n`);
    const uid = told.slice(0, 26);
    expect(await w.ok(["recurrence", "show", uid])).toContain(`\nskips ${months}`);
    expect(await w.ok(["recurrence", "show", uid, "--agent"])).toContain(`\nSkips: ${months}`);
    expect(JSON.parse(await w.ok(["recurrence", "list", "--json"])).recurrences[0].skips).toContain(
      months,
    );
    const update = (rrule: string, revision: string) =>
      w.ok(["recurrence", "update", uid, "--rrule", rrule, "--if-match", revision]);
    expect(await update("FREQ=MONTHLY;BYMONTHDAY=-1", "1")).not.toContain("skips");
    expect(await update("FREQ=MONTHLY;BYMONTHDAY=30", "2")).toContain(
      "\nskips months without that day (February)",
    );
  });

  test("can start with an existing issue, and stores the settings of the issues to come", async () => {
    const w = await projectWorld();
    const id = await w.issue("The first of them");
    const flags = ["--owner", "bea", "--priority", "2", "--label", "Home", "--meta", "area=garden"];
    const words = [...CREATE, "--initial-issue", id, ...flags, "--body", "all of them"];
    const agent = await w.ok([...words, "--agent"]);
    const [, uid] = /uid=([0-9A-Z]{26}) issue=/.exec(agent) ?? [];
    expect(agent.split("\n").slice(1)).toEqual([
      "Rule: FREQ=WEEKLY",
      "From: 2026-01-05",
      "Timezone: Europe/Berlin",
      "Next: 2026-01-12",
      "Title: Water the plants",
      "Owner: bea",
      "Priority: 2",
      "Labels: home",
      'Metadata: area="garden"',
      "Body:",
      expect.any(String),
      "all of them",
      expect.any(String),
      "Revision: 1",
      "",
    ]);
    expect(await w.ok(["recurrence", "show", uid ?? ""])).toBe(
      [
        `${uid}  Water the plants`,
        "FREQ=WEEKLY from 2026-01-05 in Europe/Berlin; next: 2026-01-12",
        "owner bea  priority P2  labels home  rev-1",
        "",
        "all of them",
        'area = "garden"',
        "",
      ].join("\n"),
    );
    expect(JSON.parse(await w.ok(["list", "--json"])).issues).toHaveLength(1);
  });

  test("a series with an invalid rule is refused before any issue is created", async () => {
    const w = await projectWorld();
    for (const [flag, value] of [
      ["--rrule", "FREQ=HOURLY"],
      ["--rrule", "FREQ=DAILY;UNTIL=20200101"],
      ["--dtstart", "soon"],
      ["--timezone", "Mars"],
      ["--label", "no way"],
      ["--meta", "someday=no"],
      ["--title", " "],
    ] as const)
      expect(await w.refused(withFlag(flag, value))).toMatchObject({ code: 3 });
    expect(await w.refused(CREATE.slice(0, 6))).toMatchObject({ code: 2 });
    expect(JSON.parse(await w.ok(["list", "--json"])).issues).toEqual([]);
  });

  test("is changed and ended only at the revision that was read", async () => {
    const { w, uid } = await begun();
    const update = ["recurrence", "update", uid];
    expect(await w.ok([...update, "--if-match", "1", "--rrule", "FREQ=DAILY"])).toBe(
      `${uid} Water the plants rev-2; next: 2026-01-06\n`,
    );
    expect(await w.ok([...update, "--if-match", "rev-2", "--owner", "bea", "--agent"])).toMatch(
      /changed=true\n(.*\n)*Owner: bea\n/,
    );
    expect(await w.ok([...update, "--if-match", "3", "--clear-owner"])).toContain(" rev-4;");
    expect(await w.ok([...update, "--if-match", "4", "--clear-owner"])).toContain(
      "(no changes applied)",
    );
    const stale = await w.refused([...update, "--if-match", "1", "--title", "x", "--json"]);
    expect(JSON.parse(stale.err)).toMatchObject({ error: { code: "revision_conflict" } });
    expect(await w.refused([...update, "--if-match", "4"])).toMatchObject({ code: 3 });
    expect(await w.refused([...update, "--title", "x"])).toMatchObject({ code: 2 });
    expect(await w.refused(["recurrence", "delete", uid])).toMatchObject({ code: 2 });
    expect(await w.ok(["recurrence", "delete", uid, "--if-match", "4"])).toBe(`${uid} ended\n`);
    expect(await w.refused(["recurrence", "show", uid])).toMatchObject({ code: 4 });
    expect(await w.ok(["recurrence", "list"])).toBe("no series\n");
  });

  test("is named in the JSON answer when it is ended", async () => {
    const { w, uid } = await begun();
    const words = ["recurrence", "delete", uid.toLowerCase(), "--if-match", "1", "--json"];
    expect(JSON.parse(await w.ok(words))).toMatchObject({ uid, deleted: true });
  });

  test("does not let its issues move to another project", async () => {
    const { w, first } = await begun();
    await w.ok(["projects", "create", "shop"]);
    const move = await w.refused(["move", first, "shop"]);
    expect(move).toMatchObject({ code: 5, err: expect.stringContaining("belongs to a series") });
  });
});
