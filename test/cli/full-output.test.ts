import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Output, outputTo } from "../../src/cli/process-context.ts";
import { R, W } from "../domain/cron/bases.ts";
import { SPOKE } from "../support/federated.ts";
import { cliWorld, commandFiles, projectWorld } from "./harness.ts";
import { STEPS, stories } from "./steps.ts";

/** A stdout of which each write fails, as that of `svc create >/dev/full`. */
function fullOutput(): Output {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const output = outputTo(full, () => process.stdout);
  return { ...output, isTerminal: false, columns: undefined };
}

interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly exit_code: number;
    readonly hint: string;
    readonly data?: { readonly made: readonly string[] };
  };
}

/** Changes whose answers name no issue. */
const OTHERS: Readonly<Record<string, readonly [words: readonly string[], made: string]>> = {
  "projects:create": [["projects", "create", "shop-two"], "project shop-two"],
  "projects:rename": [["projects", "rename", "shop", "till"], "project till"],
  "daemon:trust": [["daemon", "trust", "https://tracker.example"], "https://tracker.example"],
  backup: [["backup", "--output", "copy.db"], "copy.db"],
  export: [["export", "--output", "copy.jsonl", "--allow-running-daemon"], "copy.jsonl"],
};

/** Commands that these tables do not have. Those that change do so by calls to the daemon, as the ones above do. */
const NOT_RUN = [
  /^autocomplete/,
  /^(bridge|connector|cron|federation|recurrence|sync|tokens|storage)\b/,
  /^daemon:(exposure|locate|logs|reload|restart|start|status|stop)$/,
  /^(backup:verify|events:compare|import(:list|:undo)?|mcp:\w+|plan:\w+|projects:[\w-]+|search:\w+)$/,
  /^(completion|demo|digest|doctor|health|init|labels|meta:get|openapi|quickstart|tui|ui|version|whoami)$/,
];

test("this test runs every command, or lists it as an exception", () => {
  const unknown = [...commandFiles().keys()].filter(
    (id) => !Object.hasOwn({ ...STEPS, ...OTHERS }, id) && !NOT_RUN.some((ids) => ids.test(id)),
  );
  expect(unknown).toEqual([]);
});

describe.runIf(existsSync("/dev/full"))("a command whose stdout cannot be written to", () => {
  const log = async (w: Awaited<ReturnType<typeof projectWorld>>): Promise<string> =>
    await w.ok(["events", "--all-projects", "--limit", "1000", "--json"]);

  test.each(Object.keys(STEPS))(
    "svc %s reports what it changed, or that it changed nothing",
    async (id) => {
      const w = await stories();
      const [words] = (await STEPS[id]?.(w)) ?? [[]];
      const before = await log(w);
      const { err, code } = await w.run([...words, "--json"], { stdout: fullOutput() });
      const { error } = JSON.parse(err.trim().split("\n").at(-1) ?? "") as ErrorAnswer;
      expect([code, error.exit_code, error.code]).toEqual([1, 1, "output_failed"]);
      if ((await log(w)) === before) {
        expect(error).not.toHaveProperty("data");
        expect(error.hint).toContain("it has changed nothing");
      } else {
        expect(error.data?.made).not.toEqual([]);
        expect(error.message).toMatch(/^the change was made \(.*\), and only its result is lost: /);
        expect(error.hint).toContain("do not repeat the command");
      }
    },
  );

  test.each(Object.entries(OTHERS))(
    "svc %s reports what it changed, and names the result",
    async (_id, [words, made]) => {
      const w = await projectWorld();
      await w.ok(["projects", "create", "shop", "-q"]);
      const { err, code } = await w.run(words, { stdout: fullOutput() });
      expect(code).toBe(1);
      expect(err).toContain("the change was made (");
      expect(err).toContain(made);
      expect(err).toContain("do not repeat the command");
    },
  );

  test("the commands that create cron jobs, workflows, series and plans report and name what they created", async () => {
    const w = await projectWorld();
    const write = (name: string, body: object): void =>
      writeFileSync(join(w.work, name), JSON.stringify(body));
    const { issue } = JSON.parse(await w.ok(["create", "Parent", "--json"]));
    const text = JSON.stringify({ name: "nightly", definition: R });
    const onIssue = text.replaceAll(/01K4M0000000000000000000[AD]1/g, issue.uid);
    write("job.json", JSON.parse(onIssue));
    write("flow.json", { name: "release", definition: W });
    write("plan.json", { plan: "p", issues: [{ name: "a", title: "A step of the plan" }] });
    const [job, flow] = ["01K4M0000000000000000000E1", "01K4M0000000000000000000E2"];
    const one = { stdout: fullOutput() };
    for (const [words, made] of [
      [["cron", "job", "create", "--file", "job.json", "--uid", job], "job nightly"],
      [["cron", "job", "disable", job], "job nightly"],
      [["cron", "workflow", "create", "--file", "flow.json", "--uid", flow], "workflow release"],
      [["plan", "apply", "plan.json"], "web#"],
      [
        [
          "recurrence",
          "create",
          "--title",
          "Water",
          "--rrule",
          "FREQ=WEEKLY",
          "--dtstart",
          "2026-01-05",
        ],
        "recurrence",
      ],
    ] as const) {
      const { err, code } = await w.run([...words], one);
      expect([words.join(" "), code, err]).toEqual([
        words.join(" "),
        1,
        expect.stringContaining("the change was made ("),
      ]);
      expect(err).toContain(made);
    }
  });

  test("svc tokens create names the token by its number and never prints the secret", async () => {
    const w = await cliWorld({ bootstrap: "svc_bootstrap" });
    const words = ["tokens", "create", "--actor", "ann"];
    for (const form of ["--json", "--agent", "-q", "--format=human"]) {
      const { err, code } = await w.run([...words, form], { stdout: fullOutput() });
      expect([code, err]).toEqual([1, expect.stringContaining("the change was made (token ")]);
      expect(err).not.toMatch(/svc_[\w-]{20}/);
    }
    const { err } = await w.run(["tokens", "revoke", "1"], { stdout: fullOutput() });
    expect(err).toContain("the change was made (token 1");
  });

  test("svc federation enroll names the enrollment by its number and never prints the token", async () => {
    const w = await projectWorld();
    const words = ["federation", "enroll", "--spoke-instance", SPOKE, "--actor", "sam", "shop"];
    for (const more of [["--json"], ["-q"], ["--format=human"], ["--agent", "--allow-insecure"]]) {
      const { err, code } = await w.run([...words, ...more], { stdout: fullOutput() });
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("the change was made (project shop"),
      ]);
      expect(err).toMatch(/\bid \d/);
      expect(err).not.toMatch(/svc_fed_/);
    }
  });

  test("svc init creates the project and says so", async () => {
    const w = await cliWorld();
    const { err, code } = await w.run(["init"], { stdout: fullOutput() });
    expect([code, err]).toEqual([1, expect.stringContaining("the change was made (project web")]);
    expect(await w.ok(["projects", "list"])).toContain("web");
  });

  test("svc create names the issue for a person, for an agent and as JSON, and creates it once", async () => {
    const w = await projectWorld();
    for (const format of ["human", "agent", "json"]) {
      const words = ["create", `one for ${format}`, "--force-new", "--format", format];
      const { err, code } = await w.run(words, { stdout: fullOutput() });
      expect(code).toBe(1);
      const id = /the change was made \(web#([0-9a-z]{4,})\b/.exec(err)?.[1] ?? "";
      expect(await w.ok(["show", id])).toContain(`one for ${format}`);
      expect(err).toMatch(/no space|disk is full/);
      if (format === "agent") expect(err).toContain("Code: output_failed");
    }
  });

  test("svc export still writes its file", async () => {
    const w = await projectWorld();
    await w.run(["export", "--output", "copy.jsonl", "--allow-running-daemon"], {
      stdout: fullOutput(),
    });
    expect(existsSync(join(w.work, "copy.jsonl"))).toBe(true);
  });
});
