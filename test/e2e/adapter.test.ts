import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Box, box } from "./box.ts";

const ADAPTER = join(import.meta.dirname, "..", "..", "examples", "adapter", "adapter.sh");
const LONG_AGO = "2026-01-01T00:00:00Z";

interface Run {
  readonly job_uid: string;
  readonly issue_uid: string;
  readonly status: string;
  readonly revision: number;
  readonly occurrence_key: string;
  readonly summary: { readonly message?: string };
}

/** Makes a project with one issue, and the adapter of examples/ beside it. */
async function adapterBox() {
  const own = box();
  await own.svc("init");
  const { issue } = await own.json<{ issue: { uid: string } }>("create", "Watch it", "--json");
  const path = pathWithSvc(own);
  const state = join(own.work, ".svc-adapter");

  /** Runs the adapter once. Each prompt is appended to a file, with the issue that it is for. */
  async function pass(
    command = 'cat >> said; echo " for $SVC_ISSUE_UID" >> said',
  ): Promise<string> {
    const child = spawn("bash", [ADAPTER, "sh", "-c", command], {
      cwd: own.work,
      env: { ...own.env, PATH: path, ADAPTER_EVERY: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`the adapter ended with ${code}: ${said}`);
    return said;
  }

  async function create(kind: "job" | "workflow", name: string, definition: object) {
    const file = join(own.temp, `${name}.json`);
    writeFileSync(file, JSON.stringify({ name, definition }));
    const made = await own.json<Record<string, { uid: string }>>(
      ...["cron", kind, "create", "--file", file],
    );
    return made[kind]?.uid ?? "";
  }

  const job = async (name: string, more: object = {}) =>
    await create("job", name, {
      version: 1,
      kind: "job",
      enabled: true,
      trigger: { kind: "interval", interval_seconds: 3600 },
      action: { kind: "execute", prompt: `do ${name}` },
      issue: { kind: "existing", uid: issue.uid },
      overlap: "forbid",
      catchup: "latest",
      ...more,
    });

  return {
    ...own,
    issue,
    pass,
    create,
    job,
    /** Sets the time that the adapter remembers for the job, so that the job is due. */
    come: (uid: string): void => {
      const [event] = readFileSync(join(state, uid), "utf8").split(" ");
      writeFileSync(join(state, uid), `${event} ${LONG_AGO}\n`);
    },
    remembered: (uid: string): string => readFileSync(join(state, uid), "utf8").trim(),
    said: (): string => readFileSync(join(own.work, "said"), "utf8"),
    runs: async () => (await own.json<{ runs: readonly Run[] }>("cron", "run", "list")).runs,
  };
}

/** Makes a folder for PATH with the built `svc`. While a file `fail` exists, it refuses to record runs. */
function pathWithSvc({ temp, launcher, env }: Box): string {
  const bin = join(temp, "bin");
  mkdirSync(bin);
  const refusing = `[ -e "${join(bin, "fail")}" ] && [ "$3" = observe ] && exit 7`;
  const script = `#!/bin/sh\n${refusing}\nexec "${process.execPath}" "${launcher}" "$@"\n`;
  writeFileSync(join(bin, "svc"), script);
  chmodSync(join(bin, "svc"), 0o755);
  return [bin, env["PATH"]].join(delimiter);
}

test("the adapter runs a due job once, on its issue, and records the run from start to end", async () => {
  const w = await adapterBox();
  const uid = await w.job("nightly");
  expect(await w.pass()).toBe("");
  expect(await w.runs()).toEqual([]);
  w.come(uid);
  expect(await w.pass()).toBe(`nightly due ${LONG_AGO}: succeeded\n`);
  expect(w.said()).toBe(`do nightly\n for ${w.issue.uid}\n`);
  expect(await w.runs()).toMatchObject([
    {
      job_uid: uid,
      issue_uid: w.issue.uid,
      status: "succeeded",
      revision: 2,
      occurrence_key: `${uid}:${LONG_AGO}`,
    },
  ]);
  expect(w.remembered(uid)).toMatch(/^[0-9A-Z]{26} 20..-..-..T..:..:..Z$/);
  expect(w.remembered(uid)).not.toContain(LONG_AGO);
  expect(await w.pass()).toBe("");
  expect(await w.runs()).toHaveLength(1);
}, 60_000);

test("a failing step of a workflow is retried as often as configured, and the steps after it are skipped", async () => {
  const w = await adapterBox();
  const workflow = await w.create("workflow", "flow", {
    version: 1,
    steps: [
      { key: "build", kind: "command", command: "echo built >> said" },
      { key: "ask", kind: "prompt", prompt: "is it so?", retries: 2 },
      { key: "after", kind: "command", command: "echo after >> said" },
    ],
  });
  const uid = await w.job("flow", { action: { kind: "execute", workflow_uid: workflow } });
  await w.pass();
  w.come(uid);
  expect(await w.pass("cat >> said; echo it is not; exit 3")).toContain("failed");
  expect(w.said()).toBe("built\nis it so?\nis it so?\nis it so?\n");
  expect(await w.runs()).toMatchObject([
    { status: "failed", summary: { message: "it is not\nit is not\nit is not" } },
  ]);
}, 60_000);

test("a job for a new issue in each run creates one, a job on a parked issue waits, and the daemon itself sends notices", async () => {
  const w = await adapterBox();
  const perRun = await w.job("sweep", { issue: { kind: "per-run", title: "Sweep the yard" } });
  const parked = await w.job("parked");
  const off = await w.job("off", { enabled: false });
  const notice = await w.job("notice", {
    trigger: { kind: "issue-deadline", issue_uid: w.issue.uid },
    action: { kind: "notify", recipient: "current-owner-or-author" },
    issue: undefined,
  });
  await w.svc("meta", "set", w.issue.uid, "someday", "true", "--json-value");
  await w.pass();
  for (const uid of [off, notice]) expect(() => w.remembered(uid)).toThrow("ENOENT");
  for (const uid of [perRun, parked]) w.come(uid);
  expect(await w.pass()).toBe(`sweep due ${LONG_AGO}: succeeded\n`);
  const [run] = await w.runs();
  const { issue } = await w.json<{ issue: { title: string } }>(
    "show",
    run?.issue_uid ?? "",
    "--json",
  );
  expect(issue.title).toBe("Sweep the yard");
  await w.svc("meta", "unset", w.issue.uid, "someday");
  expect(await w.pass()).toBe(`parked due ${LONG_AGO}: succeeded\n`);
}, 60_000);

test("while a run cannot be recorded, the adapter creates only one issue, on which a later run works", async () => {
  const w = await adapterBox();
  const uid = await w.job("sweep", { issue: { kind: "per-run", title: "Sweep the yard" } });
  await w.pass();
  w.come(uid);
  const fail = join(w.temp, "bin", "fail");
  writeFileSync(fail, "");
  for (let round = 0; round < 3; round++) await w.pass();
  rmSync(fail);
  expect(await w.pass()).toBe(`sweep due ${LONG_AGO}: succeeded\n`);
  const { issues } = await w.json<{ issues: readonly { uid: string; title: string }[] }>(
    ...["list", "--json"],
  );
  const made = issues.filter(({ title }) => title === "Sweep the yard");
  expect(made).toHaveLength(1);
  expect(await w.runs()).toMatchObject([{ issue_uid: made[0]?.uid, revision: 2 }]);
}, 60_000);

test("the new issue of a job has the dates that the job sets, and an issue planned for later is not worked on yet", async () => {
  const w = await adapterBox();
  const dated = (name: string, scheduled_offset_seconds: number) =>
    w.job(name, {
      issue: {
        kind: "per-run",
        title: `Do ${name}`,
        scheduled_offset_seconds,
        deadline_offset_seconds: 86_400,
      },
    });
  const [now, later] = [await dated("now", 3600), await dated("later", 3_000_000_000)];
  await w.pass();
  for (const uid of [now, later]) w.come(uid);
  expect(await w.pass()).toBe(`now due ${LONG_AGO}: succeeded\n`);
  expect(await w.pass()).toBe("");
  const { issues } = await w.json<{
    issues: readonly { title: string; metadata: Readonly<Record<string, unknown>> }[];
  }>("list", "--json");
  const metadata = (title: string) =>
    issues.filter((issue) => issue.title === title).map((issue) => issue.metadata);
  expect(metadata("Do now")).toEqual([
    { scheduled_on: "2026-01-01T01:00:00Z", deadline_on: "2026-01-02T00:00:00Z" },
  ]);
  expect(metadata("Do later")).toHaveLength(1);
}, 60_000);

test("a job whose trigger occurs only once is run once if that time has passed", async () => {
  const w = await adapterBox();
  const once = { kind: "once", at: "2026-01-01T02:00:00+02:00" };
  const uid = await w.job("once", { trigger: once });
  await w.job("skipped", { trigger: once, catchup: "skip", grace_seconds: 60 });
  expect(await w.pass()).toBe("");
  expect(await w.pass()).toBe(`once due ${LONG_AGO}: succeeded\n`);
  expect(await w.pass()).toBe("");
  // A changed definition starts again, but this time was run already.
  await w.svc("cron", "job", "disable", uid);
  await w.svc("cron", "job", "enable", uid);
  await w.pass();
  expect(await w.pass()).toBe("");
  expect(await w.runs()).toHaveLength(1);
}, 60_000);
