import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JSON_BUDGET_BYTES, TEXT_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import { plantQuarantine } from "../support/quarantine.ts";
import { commandFiles, projectWorld } from "./harness.ts";

const BYTES = ["--max-bytes", "0"];
const ROWS = ["--limit", "5000"];
const ISSUES = 260;
const LONG_NAME = "project-of-a-long-name-".repeat(10);
const WHY = "Nobody reads the old format any more, so its reader goes away with the next version.";

/** Commands that print a sentence, one issue, a fixed number of rows, or something that is never cut. */
const SMALL: readonly RegExp[] = [
  // Changes: they print one issue, or one line for each named issue.
  /^(assign|block|claim|close|create|deadline|delete|done|edit|link|move|notify|plan:apply|purge|reopen|restore|schedule|unassign|unblock|wait)$/,
  /^(comment|dep|label|lease|meta)(:|$)/,
  // Definitions and recorded runs, which programs read as a whole.
  /^(cron|recurrence)(:|$)/,
  /^(autocomplete|backup|completion|daemon|mcp|storage)(:|$)/,
  /^(projects|tokens):(?!list$)/,
  // One project, one enrollment, or one batch.
  /^federation:(enable|enroll|enrollments:rotate|identity|join|leave|rebind|resync|revoke|verify|quarantine:retry|quarantine:skip)$/,
  // As many rows as config.toml has entries, or twelve behaviours of a program.
  /^(bridge|connector):/,
  // One binding, and the counts of one run.
  /^sync:github:/,
  // Counts, and at most 100 ids.
  /^search:(reindex|status)$/,
  // Answers that make sense only as a whole: exports, the API, the page for beginners.
  /^(demo|doctor|events:compare|export|health|import|import:undo|init|openapi|quickstart|tui|ui|version|whoami)$/,
];

/** For each command that reads, the lines with the largest answers. */
const READS: Readonly<Record<string, (w: Large) => readonly (readonly string[])[]>> = {
  list: ({ moment }) => [
    ["list"],
    ["list", "--all"],
    ["list", "--status", "all"],
    ["list", "--full"],
    ["list", "--at", moment],
  ],
  ready: ({ moment }) => [["ready"], ["ready", "--all"], ["ready", "--at", moment]],
  next: () => [["next"]],
  search: () => [
    ["search", "word"],
    ["search", "word", "--full"],
  ],
  show: ({ epic, told }) => [
    ["show", epic],
    ["show", told],
    ["show", epic, told],
  ],
  log: ({ told }) => [["log", told]],
  events: () => [["events"], ["events", "--all-projects"]],
  why: ({ late, epic }) => [
    ["why", late],
    ["why", epic],
  ],
  graph: ({ late, epic }) => [
    ["graph", late],
    ["graph", epic],
    ["graph", "--critical-path"],
  ],
  inbox: () => [
    ["inbox", "--for", "bea"],
    ["inbox", "--for", "bea", "--all"],
  ],
  holders: () => [["holders"], ["holders", "--all"]],
  labels: () => [["labels"]],
  digest: () => [
    ["digest", "--since", "2020-01-01T00:00:00Z"],
    ["digest", "--since", "2020-01-01T00:00:00Z", "--all-projects"],
  ],
  "audit:closes": () => [["audit", "closes", "--until", "2030-01-01T00:00:00Z"]],
  "projects:list": () => [["projects", "list"]],
  "import:list": () => [["import", "list"]],
  "tokens:list": () => [["tokens", "list"]],
  "federation:status": () => [["federation", "status"]],
  "federation:enrollments:list": () => [["federation", "enrollments", "list"]],
  "federation:quarantine:list": () => [["federation", "quarantine", "list"]],
  "federation:quarantine:show": () => [["federation", "quarantine", "show", "1"]],
  undo: () => [["undo", "--actor", "ann", "--since", "2020-01-01T00:00:00Z", "--dry-run"]],
};

/** For commands without `--limit`, or where it has another meaning, the flags that print all there is. */
const ALL: Readonly<Record<string, readonly string[]>> = {
  next: [],
  show: BYTES,
  why: BYTES,
  graph: BYTES,
  inbox: BYTES,
  labels: BYTES,
  digest: BYTES,
  "projects:list": BYTES,
  "import:list": ["--limit", "50"],
  "tokens:list": BYTES,
  "federation:status": BYTES,
  "federation:enrollments:list": BYTES,
  "federation:quarantine:list": BYTES,
  "federation:quarantine:show": BYTES,
  undo: BYTES,
};

/** Makes a project with many rows of every kind. Most are imported, because that is fastest. */
async function large() {
  const given = await projectWorld();
  // Some of these take longer on a machine under load.
  const env = { SVC_HTTP_TIMEOUT: "2m" };
  const w: typeof given = {
    ...given,
    run: async (words, options) => await given.run(words, { env, ...options }),
    ok: async (words, options) => await given.ok(words, { env, ...options }),
  };
  const at = "2025-01-01T00:00:00Z";
  const id = (n: number) => `old-${n}`;
  const issue = (n: number) => ({
    id: id(n),
    title: `Issue ${n} ${"of a long title ".repeat(10)}`,
    description: `word ${"in a long body ".repeat(1000)}`,
    status: "open",
    priority: n % 5,
    issue_type: "task",
    assignee: n % 2 === 0 ? `worker-${n}` : undefined,
    labels: [1, 2, 3, 4].map((k) => `label-${n}-${k}-${"x".repeat(40)}`),
    created_at: at,
    updated_at: at,
    dependencies: [{ issue_id: id(n), depends_on_id: "old-epic", type: "parent-child" }],
  });
  const waiting = (n: number) => ({ issue_id: "old-late", depends_on_id: id(n), type: "blocks" });
  const numbers = Array.from({ length: ISSUES }, (_, n) => n);
  const more = { status: "open", priority: 1, issue_type: "epic", created_at: at, updated_at: at };
  const lines = [
    { id: "old-epic", title: "Epic", ...more },
    ...numbers.map(issue),
    { id: "old-late", title: "Late", ...more, dependencies: numbers.map(waiting) },
    {
      id: "old-told",
      title: "Told",
      ...more,
      comments: numbers.map((n) => ({
        id: n,
        issue_id: "old-told",
        author: `worker-${n}`,
        text: `comment ${n} ${"said at length ".repeat(60)}`,
        created_at: at,
      })),
    },
  ];
  writeFileSync(join(w.work, "b.jsonl"), lines.map((one) => JSON.stringify(one)).join("\n"));
  await w.run(["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"]);
  const refs = (await w.ok(["list", "-q", "--limit", "1000"])).trimEnd().split("\n");
  expect(refs.length).toBe(ISSUES + 3);
  const named = async (ref: string) => (await w.ok(["show", ref, "-q"])).trim();
  const [epic, late, told] = [
    await named("old-epic"),
    await named("old-late"),
    await named("old-told"),
  ];
  const { as_of } = JSON.parse(await w.cut(["list", "--json", "--after", "", "--limit", "1"]));
  const moment = String(as_of.event_id);
  const plain = refs.filter((ref) => ![epic, late, told].includes(ref));
  for (const [n, ref] of plain.slice(0, 90).entries()) {
    const actor = `${"actor-of-a-long-name-".repeat(10)}${n}`;
    await w.ok(["notify", ref, "--to", "bea", "--message", "look ".repeat(180), "--as", actor]);
  }
  const stdin = plain.slice(90, 190).join("\n");
  const closed = ["close", "-", "--wontfix", "-m", WHY.repeat(8), "--as", "a-closer"];
  await w.ok(closed, { stdin, env });
  for (let n = 0; n < 160; n++) await w.ok(["projects", "create", `${LONG_NAME}${n}`, "--json"]);
  for (let n = 0; n < 160; n++)
    await w.ok(["tokens", "create", "--actor", "a-person", "--name", `${LONG_NAME}${n}`, "--json"]);
  await w.daemon.stop();
  await plantQuarantine(join(w.home, "svc.db"), "web", "Epic");
  await w.restart({});
  return { ...w, epic, late, told, moment };
}

type Large = Awaited<ReturnType<typeof large>>;

test("every command has a budget, or is listed as needing none", () => {
  const unknown = [...commandFiles().keys()].filter(
    (id) => !Object.hasOwn(READS, id) && !SMALL.some((names) => names.test(id)),
  );
  expect(unknown).toEqual([]);
});

test("no default answer exceeds its budget, and a command says on stderr that it was cut exactly if it was", async () => {
  const w = await large();
  const over: string[] = [];
  const wrong: object[] = [];
  for (const [id, lines] of Object.entries(READS)) {
    for (const words of lines(w)) {
      const line = words.join(" ").replaceAll(/\b[0-9a-z]{4}\b(?= |$)/g, "<ref>");
      for (const mode of ["", "-q", "--agent", "--json"]) {
        const run = async (...more: readonly string[]) => {
          const { out, err, code } = await w.run([...words, ...more, ...(mode ? [mode] : [])]);
          expect({ line, mode, code, err: code === 0 ? "" : err }).toMatchObject({ code: 0 });
          return {
            out,
            notes: err.split("\n").filter((note) => !/^(as it was at .*)?$/.test(note)),
          };
        };
        const usual = await run();
        const all = await run(...(ALL[id] ?? ROWS));
        const bytes = Buffer.byteLength(usual.out);
        const most = mode === "--json" ? JSON_BUDGET_BYTES : TEXT_BUDGET_BYTES;
        // In text for people, an issue is shown as a whole.
        if (bytes > most && mode !== "-q" && !(id === "show" && mode === ""))
          over.push(`${line} ${mode}: ${bytes}`);
        // What says of the whole answer that it is cut is the most that a daemon gives in one answer.
        const isCut = usual.out !== all.out || all.notes.length > 0;
        const isSaid =
          usual.notes.length > 0 && usual.notes.every((note) => /^\.\.\. .*\(.+\)$/.test(note));
        if (isCut !== isSaid || (!isCut && usual.notes.length > 0))
          wrong.push({ line, mode, isCut, notes: usual.notes });
      }
    }
  }
  expect(over).toEqual([]);
  expect(wrong).toEqual([]);
}, 600_000);

/** Takes longer on a machine under load. */
const PATIENT = { env: { SVC_HTTP_TIMEOUT: "2m" } };

/** Makes two issues with links to 900 others; one of the two is ready. */
async function linked() {
  const w = await projectWorld();
  const at = "2025-01-01T00:00:00Z";
  const issue = (id: string) => ({ id, title: id, created_at: at, updated_at: at });
  const ends = Array.from({ length: 900 }, (_, n) => `old-${n}`);
  const waiting = (issue_id: string, depends_on_id: string) => ({
    issue_id,
    depends_on_id,
    type: "blocks",
  });
  const lines = [
    { ...issue("old-hub"), status: "open", priority: 0, labels: ["large"] },
    ...ends.map((id) => ({
      ...issue(id),
      status: "open",
      priority: 1,
      dependencies: [waiting(id, "old-hub")],
    })),
    {
      ...issue("old-late"),
      status: "open",
      priority: 1,
      labels: ["large"],
      dependencies: ends.map((id) => waiting("old-late", id)),
    },
  ];
  writeFileSync(join(w.work, "b.jsonl"), lines.map((one) => JSON.stringify(one)).join("\n"));
  await w.ok(["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"], PATIENT);
  const { as_of } = JSON.parse(await w.cut(["list", "--json", "--after", "", "--limit", "1"]));
  return { ...w, moment: String(as_of.event_id) };
}

test("a row with links to 900 issues is cut to the budget, and says how many links there are", async () => {
  const w = await linked();
  const json = async (...words: string[]) => {
    const { out, err } = await w.run([...words, "--json"], PATIENT);
    const flag = words[0] === "next" ? "--full" : "--max-bytes 0";
    expect({ words, err }).toMatchObject({
      err: expect.stringContaining(`an issue is cut (${flag}`),
    });
    const bytes = Buffer.byteLength(out);
    expect({ words, bytes, fits: bytes <= JSON_BUDGET_BYTES }).toMatchObject({ fits: true });
    return JSON.parse(out);
  };
  const large = ["--label", "large"];
  for (const words of [
    ["list", ...large],
    ["list", ...large, "--all"],
    ["list", ...large, "--at", w.moment],
    ["list", ...large, "--full"],
    ["list", ...large, "--fields", "title,blocks,blocked_by"],
    ["ready"],
    ["ready", "--all"],
    ["ready", "--at", w.moment],
    ["next"],
    ["next", "--all"],
    ["next", "--limit", "5"],
    ["next", "--fields", "title,blocks"],
    ["search", "hub"],
  ]) {
    const { issues, results, issue, next_after } = await json(...words);
    const row = issue ?? issues?.[0] ?? results[0].issue;
    const [name, other] =
      row.title === "old-hub" ? ["blocks", "blocked_by"] : ["blocked_by", "blocks"];
    expect({ words, row }).toMatchObject({ row: { truncated: true, counts: { [name]: 900 } } });
    expect(row.counts).not.toHaveProperty(other);
    expect(row[name].length).toBeGreaterThan(400);
    if (next_after !== undefined && words.length === 3)
      expect((await json(...words, "--after", next_after)).issues[0].title).not.toBe(row.title);
  }
  const whole = JSON.parse(await w.ok(["ready", "--json", "--max-bytes", "0"]));
  expect(whole.issues[0].blocks).toHaveLength(900);
  expect(whole.issues[0]).not.toHaveProperty("truncated");
}, 120_000);

test("everything that was left out of an answer can be requested", async () => {
  const w = await projectWorld();
  for (let n = 0; n < 12; n++) await w.issue(`n ${n}`, "--label", `label-${n}`);
  const json = async (...words: string[]) => JSON.parse(await w.ok([...words, "--json"]));
  const cutJson = async (...words: string[]) => JSON.parse(await w.cut([...words, "--json"]));
  const cut = await cutJson("labels", "--max-bytes", "400");
  expect(cut).toMatchObject({ truncated: true, count: cut.labels.length });
  expect(cut.labels.length).toBeLessThan(12);
  expect((await json("labels", "--max-bytes", "0")).labels).toHaveLength(12);
  const agent = await w.cut(["labels", "--agent", "--max-bytes", "200"]);
  expect(agent).toMatch(/^OK labels count=12 truncated=true\n/);
  const people = await w.run(["labels", "--max-bytes", "200"]);
  expect(people.err).toMatch(/showing the first \d+ lines \(--max-bytes 0 shows all\)/);
  expect((await cutJson("search", "n", "--limit", "3")).truncated).toBe(true);
  expect((await json("search", "n", "--limit", "12")).truncated).toBeUndefined();
  expect(await w.cut(["search", "n", "--limit", "3", "--agent"])).toMatch(
    /^OK search count=3 query=n mode=lexical truncated=true\n/,
  );
  expect((await w.run(["search", "n", "--limit", "3"])).err).toBe(
    "... showing 3 (raise --limit to see more)\n",
  );
  const { events } = await json("events");
  const at = ["--at", String(events.at(-1).event_id)];
  expect((await cutJson("list", "--limit", "5", ...at)).truncated).toBe(true);
  expect((await json("list", "--limit", "12", ...at)).truncated).toBeUndefined();
});

test("svc next includes the body only on request", async () => {
  const w = await projectWorld();
  await w.issue("a", "--body", "the body");
  const issue = async (...words: string[]) => {
    return JSON.parse(await w.ok(["next", "--json", ...words])).issue;
  };
  expect(await issue()).not.toHaveProperty("body");
  expect(await issue("--full")).toMatchObject({ body: "the body" });
  expect(await issue("--fields", "title,body")).toEqual({ title: "a", body: "the body" });
  expect((await w.refused(["next", "--fields", "name", "--json"])).code).toBe(3);
});

test.each([
  [["ready", "--claim", "--max-bytes", "100"]],
  [["ready", "--lease", "5m", "--fields", "id"]],
  [["next", "--claim", "--fields", "id"]],
  [["events", "--tail", "--max-bytes", "100"]],
])("the command line %j is refused, since there is nothing to limit", async (words) => {
  const w = await projectWorld();
  const id = await w.issue("a");
  expect((await w.refused(words)).code).toBe(2);
  expect(await w.ok(["show", id, "--agent"])).not.toContain("Owner:");
});
