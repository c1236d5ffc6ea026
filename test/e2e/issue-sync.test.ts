import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Box, type Ended, processesOf } from "./box.ts";
import { hostedBox, REPO, TOKEN } from "./hosted-box.ts";

interface Listed {
  readonly issues: readonly { readonly title: string; readonly uid: string }[];
}

interface Once {
  readonly import: Readonly<
    Record<"created" | "updated" | "unchanged" | "comments" | "links", number>
  > & { readonly sync_uid: string };
}

interface Status {
  readonly status: {
    readonly state: string;
    readonly last_error?: string;
    readonly last_success_at?: string;
  };
}

/** Binds the project to the repository, and waits for the run that begins at once. */
async function enabled(b: Box, host: string): Promise<Ended> {
  const done = await b.svc("sync", "github", "enable", "--host", host);
  await vi.waitFor(async () => {
    const { status } = await b.json<Status>("sync", "github", "status");
    expect(status).toMatchObject({ state: "enabled", last_success_at: expect.any(String) });
  }, 20_000);
  return done;
}

async function titles(b: Box): Promise<readonly string[]> {
  const { issues } = await b.json<Listed>("list", "--status", "all");
  return issues.map(({ title }) => title).toSorted();
}

/** The lines of the event log. */
async function events(b: Box): Promise<number> {
  const { stdout } = await b.svc("export", "--allow-running-daemon", "--output", "-");
  return stdout.split("\n").filter((line) => line.includes('"kind":"event"')).length;
}

test("three commands bring a repository's issues to the list and keep them as they are on the host", async () => {
  const { b, host, state } = await hostedBox();
  await state.addIssue(REPO, { title: "Crash at start", labels: ["Bug"] });
  await state.addIssue(REPO, { title: "Dark mode", body: "please" });
  await state.addComment(REPO, 1, { body: "Here too." });

  const done = await enabled(b, host);
  expect(done).toMatchObject({ code: 0 });
  expect(done.stderr).toContain(REPO);
  expect(await titles(b)).toEqual(["[GitHub #1] Crash at start", "[GitHub #2] Dark mode"]);

  const before = await events(b);
  const second = await b.json<Once>("sync", "github", "once");
  expect(second.import).toMatchObject({ created: 0, updated: 0, comments: 0, links: 0 });
  expect(await events(b)).toBe(before);

  await state.editIssue(REPO, 2, { title: "Dark mode at night" });
  const third = await b.json<Once>("sync", "github", "once");
  expect(third.import).toMatchObject({ created: 0, updated: 1 });
  expect(await titles(b)).toEqual(["[GitHub #1] Crash at start", "[GitHub #2] Dark mode at night"]);

  expect(await b.svc("sync", "github", "disable")).toMatchObject({ code: 0 });
  expect(await b.svc("import", "undo", third.import.sync_uid)).toMatchObject({ code: 0 });
  expect(await titles(b)).toContain("[GitHub #2] Dark mode");
});

test("a sync that the host tells to wait too long fails and says why, and the next sync continues", async () => {
  const { b, host, state } = await hostedBox();
  await state.addIssue(REPO, { title: "First" });
  await enabled(b, host);
  await state.addIssue(REPO, { title: "Second" });
  await state.script({ match: "/issues?", status: 429, headers: { "retry-after": "120" } });
  const failed = await b.svc("sync", "github", "once");
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toContain("rate_limited");
  const { status } = await b.json<Status>("sync", "github", "status");
  expect(status.last_error).toContain("rate_limited");
  expect(await titles(b)).toEqual(["[GitHub #1] First"]);
  expect(await b.svc("sync", "github", "once")).toMatchObject({ code: 0 });
  expect(await titles(b)).toEqual(["[GitHub #1] First", "[GitHub #2] Second"]);
});

test("no file, command or list of processes shows the token for the host", async () => {
  const { b, host, state } = await hostedBox();
  await state.addIssue(REPO, { title: "First" });
  await enabled(b, host);
  await state.script({ match: "/issues?", status: 500, body: `the token ${TOKEN}`, times: 3 });
  const shown = [
    await b.svc("sync", "github", "once"),
    await b.svc("sync", "github", "status"),
    await b.svc("health", "--json"),
    await b.svc("doctor"),
    await b.svc("export", "--allow-running-daemon", "--output", "-"),
    await b.svc("events", "--json"),
    await b.svc("daemon", "logs"),
  ];
  expect(shown.map(({ stdout, stderr }) => stdout + stderr).join("")).not.toContain(TOKEN);
  const files = readdirSync(b.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile()))
    expect(
      readFileSync(join(file.parentPath, file.name), "latin1").includes(TOKEN),
      file.name,
    ).toBe(false);
  for (const pid of processesOf(b.folder))
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(TOKEN);
});
