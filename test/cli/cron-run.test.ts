import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runReportView } from "../../src/cli/render/runs.ts";
import { runTeammate } from "../../src/cli/session/teammate.ts";
import { X } from "../domain/cron/bases.ts";
import { projectWorld } from "./harness.ts";

const JOB = "01K4M0000000000000000000E1";
const RUN = "01K4M0000000000000000000R1";
const OTHER = "01K4M0000000000000000000R2";

async function runWorld() {
  const w = await projectWorld();
  const { issue } = JSON.parse(await w.ok(["create", "Issue", "--json"]));
  const write = (value: object | string): void =>
    writeFileSync(
      join(w.work, "f.json"),
      typeof value === "string" ? value : JSON.stringify(value),
    );
  write({ name: "nightly", definition: { ...X, issue: { kind: "existing", uid: issue.uid } } });
  const { out } = await w.run(["cron", "job", "create", "--file", "f.json", "--uid", JOB]);
  const { definition_event_uid } = JSON.parse(out).job;
  const base = {
    job_uid: JOB,
    definition_event_uid,
    issue_uid: issue.uid,
    status: "succeeded",
    summary: { version: 1, input_tokens: 1200, output_tokens: 34 },
    started_at: "2026-01-01T00:00:00Z",
    ended_at: "2026-01-01T01:02:03Z",
    expected_revision: 0,
  };
  const observe = (uid = RUN) => ["cron", "run", "observe", uid, "--json-input", "f.json"];
  return { ...w, issue, write, base, observe };
}

describe("runs that never end", () => {
  test("are listed oldest first with their worker, until somebody records how they ended", async () => {
    const w = await runWorld();
    expect(await w.ok(["cron", "run", "running"])).toBe("No run says that it is running.\n");
    const { ended_at: _, ...running } = { ...w.base, status: "running" };
    w.write({ ...running, teammate: "t-1", executor_label: "box-1" });
    await w.ok(w.observe());
    w.clock.advance(7_200_000);
    const { started_at: __, ...later } = running;
    w.write({ ...later, started_at: "2026-01-01T01:59:00Z" });
    await w.ok(w.observe(OTHER));
    w.write({ ...w.base, status: "failed" });
    await w.ok(w.observe("01K4M0000000000000000000R3"));

    const lines = (await w.ok(["cron", "run", "running"])).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      `since  silent  job      worker     executor  issue     run${" ".repeat(23)}`,
      `   2h      2h  nightly  ann / t-1  box-1     web#${w.issue.short_id}  ${RUN}`,
      `   1m      0s  nightly  ann        -         web#${w.issue.short_id}  ${OTHER}`,
    ]);
    expect(lines[3]).toContain("svc cron run running --help");
    expect(await w.ok(["cron", "run", "running", "-q"])).toBe(`${RUN}\n${OTHER}\n`);
    expect(await w.cut(["cron", "run", "running", "--agent", "-n", "1"])).toMatch(
      /^OK running count=1 truncated=true now=\S+\n- run=01K4M0000000000000000000R1 since=2026-01-01T00:00:00Z updated_at=\S+ job=nightly actor=ann teammate=t-1 executor=box-1 issue=web#\w+ revision=1\n$/,
    );
    const { runs, truncated } = JSON.parse(await w.ok(["cron", "run", "running", "--json"]));
    expect([runs.length, runs[0].job_name, truncated]).toEqual([2, "nightly", false]);

    // Does what the example of the help does with jq.
    const { run } = JSON.parse(await w.ok(["cron", "run", "show", RUN]));
    for (const name of ["id", "uid", "project_id", "created_at", "updated_at"]) delete run[name];
    const { revision: expected_revision, ...rest } = run;
    w.write({ ...rest, status: "cancelled", expected_revision });
    await w.ok(w.observe());
    expect(await w.ok(["cron", "run", "running", "-q"])).toBe(`${OTHER}\n`);
  });

  test("a report groups runs by workflow, teammate or executor", async () => {
    const w = await runWorld();
    w.write({ ...w.base, teammate: "t-1", executor_label: "box-1" });
    await w.ok(w.observe());
    w.write(w.base);
    await w.ok(w.observe(OTHER));
    const keys = async (by: string) =>
      JSON.parse(await w.ok(["cron", "run", "report", "--by", by, "--json"])).groups.map(
        ({ key, runs }: { readonly key?: string; readonly runs: number }) => [key, runs],
      );
    expect(await keys("teammate")).toEqual([
      ["t-1", 1],
      [undefined, 1],
    ]);
    expect(await keys("executor")).toEqual([
      ["box-1", 1],
      [undefined, 1],
    ]);
    expect(await keys("workflow")).toEqual([[undefined, 2]]);
    expect(await w.ok(["cron", "run", "report", "--by", "teammate"])).toContain("(none)");
  });
});

describe("cron run", () => {
  test("a run is recorded, repeated, listed and shown, as JSON in every mode", async () => {
    const w = await runWorld();
    w.write(w.base);
    const { run, replayed } = JSON.parse(await w.ok([...w.observe(RUN.toLowerCase()), "--agent"]));
    expect([run.uid, run.actor, replayed]).toEqual([RUN, "ann", false]);
    expect(JSON.parse(await w.ok(w.observe())).replayed).toBe(true);
    expect(JSON.parse(await w.ok(["cron", "run", "show", RUN])).run).toEqual(run);
    const second = JSON.parse(await w.ok(w.observe(OTHER))).run;
    expect(JSON.parse(await w.ok(["cron", "run", "list", "-q"])).runs).toEqual([second, run]);
    const page = JSON.parse(await w.cut(["cron", "run", "list", "--limit", "1"]));
    expect([page.runs, page.next_before_uid]).toEqual([[second], OTHER]);
    const rest = ["--before-uid", OTHER, "--job-uid", JOB.toLowerCase()];
    expect(JSON.parse(await w.ok(["cron", "run", "list", ...rest])).runs).toEqual([run]);
    for (const limit of ["0", "101"])
      expect((await w.refused(["cron", "run", "list", "--limit", limit])).code).toBe(2);
    w.write({ ...w.base, status: "failed" });
    expect((await w.refused(w.observe())).code).toBe(5);
  });

  test("the teammate of a run comes from the JSON, the flag or the environment", async () => {
    const w = await runWorld();
    w.write(w.base);
    const env = { SVC_TEAMMATE: "t1" };
    const credited = async (uid: string, words: readonly string[] = []) =>
      JSON.parse(await w.ok([...w.observe(uid), ...words], { env })).run.teammate;
    expect(await credited("01K4M0000000000000000000R3")).toBe("t1");
    expect(await credited("01K4M0000000000000000000R4", ["--teammate", "t2"])).toBe("t2");
    expect(await credited("01K4M0000000000000000000R5", ["--teammate", ""])).toBeUndefined();
    w.write({ ...w.base, teammate: null });
    expect(await credited("01K4M0000000000000000000R6")).toBeUndefined();
    w.write({ ...w.base, teammate: "a" });
    const refused = await w.refused([...w.observe(), "--teammate", "b"]);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("--teammate says b")]);
  });

  test.each<[string, object | string, readonly string[], number, RegExp]>([
    ["no JSON", "{", [], 3, /not JSON/],
    ["a member twice", '{"status":"running","status":"failed"}', [], 3, /status stands twice/],
    ["another actor", { actor: "bea" }, ["--as", "cy"], 3, /--as says cy/],
    ["an actor that is no text", { actor: 5 }, [], 3, /actor must be text/],
    ["a field that the daemon does not know", { note: 1 }, [], 3, /note/],
  ])("the record of a run with %s is refused", async (_name, value, words, code, message) => {
    const w = await runWorld();
    w.write(value);
    const refused = await w.refused([...w.observe(), ...words]);
    expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(message)]);
  });

  test("the report adds up the runs, in every form of output", async () => {
    const w = await runWorld();
    expect(await w.ok(["cron", "run", "report"])).toBe("No runs.\n");
    w.write(w.base);
    await w.ok(w.observe());
    const { issue_uid: _issue, ...rest } = w.base;
    w.write({ ...rest, status: "failed", ended_at: undefined });
    await w.ok(w.observe(OTHER));
    const id = `web#${w.issue.short_id}`;
    expect(await w.ok(["cron", "run", "report"])).toBe(
      [
        "issue           runs  failed    in  out    time",
        `${id} Issue     1       0  1200   34  1h 02m`,
        "(none)             1       1  1200   34      0s",
        "total              2       1  2400   68  1h 02m",
        "",
      ].join("\n"),
    );
    expect(await w.ok(["cron", "run", "report", "--by", "job", "-q"])).toBe(
      "nightly\t2\t1\t2400\t68\t1h 02m\n",
    );
    expect(await w.ok(["cron", "run", "report", "--by", "day", "--agent"])).toBe(
      [
        "OK report by=day count=1 truncated=false runs=2 succeeded=1 failed=1 input_tokens=2400 output_tokens=68 seconds=3723",
        "- key=2026-01-01 runs=2 succeeded=1 failed=1 input_tokens=2400 output_tokens=68 seconds=3723",
        "",
      ].join("\n"),
    );
    const json = await w.ok([
      "cron",
      "run",
      "report",
      "--by",
      "actor",
      "--since",
      "2026-01-02",
      "--json",
    ]);
    expect(JSON.parse(json)).toMatchObject({ by: "actor", groups: [], total: { runs: 0 } });
    for (const mode of [[], ["--agent"], ["--json"], ["-q"]]) {
      const report = ["cron", "run", "report", ...mode];
      expect((await w.run([...report, "-n", "1"])).err).toBe(
        "... showing 1 (raise --limit to see more)\n",
      );
      expect((await w.run([...report, "-n", "2"])).err).toBe("");
    }
    expect((await w.refused(["cron", "run", "report", "--by", "week"])).code).toBe(2);
    expect((await w.refused(["cron", "run", "report", "--until", "soon"])).code).toBe(3);
  });

  test("the report shows durations in hours, minutes and seconds", () => {
    const sums = { runs: 1, succeeded: 1, failed: 0, input_tokens: 0, output_tokens: 0 };
    const groups = [0, 59.4, 60, 3599, 3600].map((seconds) => ({ ...sums, seconds }));
    const report = {
      by: "issue" as const,
      total: { ...sums, seconds: 0 },
      groups,
      truncated: false,
    };
    const style = { paint: (_tone: string, text: string) => text, columns: undefined, quiet: true };
    const times = runReportView
      .human(report, style)
      .split("\n")
      .map((line) => line.split("\t").at(-1));
    expect(times).toEqual(["0s", "59s", "1m 00s", "59m 59s", "1h 00m"]);
  });
});

describe("the teammate credited with a run (docs/contract/cron-and-inbox.md#7-commands)", () => {
  test.each<[unknown, string | undefined, string | undefined, string | null | undefined]>([
    [undefined, undefined, undefined, undefined],
    [undefined, undefined, "t1", "t1"],
    [undefined, "t2", "t1", "t2"],
    [undefined, "", "t1", undefined],
    ["a", undefined, "t1", "a"],
    ["a", "a", "t1", "a"],
    [null, undefined, "t1", null],
    [null, "", "t1", null],
  ])("for JSON %j, flag %j and environment %j is %j", (json, flag, environment, expected) => {
    expect(runTeammate({ json, flag, environment })).toBe(expected);
  });

  test.each<[unknown, string | undefined]>([
    ["a", "b"],
    ["a", ""],
    [null, "a"],
    ["", undefined],
    ["", ""],
    [5, undefined],
  ])("JSON %j with flag %j is refused with an error about the teammate", (json, flag) => {
    expect(() => runTeammate({ json, flag, environment: "t1" })).toThrow(/teammate/);
  });
});
