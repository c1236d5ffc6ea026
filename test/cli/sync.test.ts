import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ProviderFault } from "../../src/sync/provider.ts";
import { comment, Host } from "../ops/issue-sync/host.ts";
import { projectWorld } from "./harness.ts";

async function syncWorld() {
  const host = new Host();
  const w = await projectWorld();
  await w.restart({ issueSync: { repositories: [], provider: async () => host } });
  return { w, host };
}

const NOW = "2026-01-01T00:00:00.000Z";

/** Waits until the daemon has made the run that enabling a binding begins. */
async function firstRun(w: Awaited<ReturnType<typeof syncWorld>>["w"]): Promise<void> {
  await vi.waitFor(async () => {
    const { status } = JSON.parse(await w.ok([...STATUS, "--json"]));
    expect(status.last_attempt_at).toBeDefined();
    expect(status.state).toBe("enabled");
  }, 20_000);
}

const ENABLE = ["sync", "github", "enable"];
const ONCE = ["sync", "github", "once"];
const STATUS = ["sync", "github", "status"];
const REPO = ["--repo", "ann/web"];

const OWNED =
  "GitHub owns title, body, state, labels, owner, comments and parent of these issues: a newer value there replaces a local edit.";

test("svc sync github enable and once read the issues of a repository, and status says how it went", async () => {
  const { w, host } = await syncWorld();
  expect(await w.ok(STATUS)).toBe(
    "The project reads issues from no repository: svc sync github enable\n",
  );
  expect(await w.ok([...ENABLE, ...REPO, "--interval", "10m"])).toBe(
    `reads ann/web every 10m0s\n${OWNED}\nnext run 2026-01-01 00:00Z\n`,
  );
  await firstRun(w);
  host.put(1, { title: "crash", comments: [comment(1)], updated_at: NOW });
  host.put(2, { updated_at: NOW });
  const once = await w.ok(ONCE);
  expect(once).toMatch(
    /^read ann\/web: 2 created, 0 updated, 0 unchanged, 1 comment and 0 links added\n2 requests\nsvc import undo \w{26} takes this back\n$/,
  );
  expect(await w.ok(["show", "#1", "--json"])).toContain("[GitHub #1] crash");
  expect(await w.ok(STATUS)).toBe(
    [
      "ann/web  enabled, every 10m0s",
      "last attempt 2026-01-01 00:00Z",
      "last success 2026-01-01 00:00Z: 2 created, 0 updated, 0 unchanged, 1 comment added",
      "next run 2026-01-01 00:10Z",
      "",
    ].join("\n"),
  );
  expect(await w.ok([...STATUS, "--agent"])).toBe(
    "OK sync_status repository=ann/web interval_seconds=600 enabled=true state=enabled last_success=2026-01-01T00:00:00.000Z last_created=2 last_updated=0 last_unchanged=0 last_comments=1 next=2026-01-01T00:10:00.000Z\n",
  );
  expect(JSON.parse(await w.ok([...STATUS, "--json"]))).toMatchObject({
    binding: { display_name: "ann/web" },
    status: { state: "enabled" },
  });
  expect(await w.ok(["sync", "github", "disable"])).toBe(
    "reads ann/web no more; its issues stay\n",
  );
  expect(await w.ok([...STATUS, "-q"])).toBe("disabled\n");
});

test("svc sync github once says why it failed and what to do, and status says why too", async () => {
  const { w, host } = await syncWorld();
  await w.ok([...ENABLE, ...REPO, "-q"]);
  await firstRun(w);
  host.fault = new ProviderFault("credentials", "no credential opens ann/web", "gh auth login");
  const { err, code } = await w.refused(ONCE);
  expect(code).not.toBe(0);
  expect(err).toContain("credentials: no credential opens ann/web");
  expect(err).toContain("gh auth login");
  expect(await w.ok(STATUS)).toContain(
    "last error 2026-01-01 00:00Z: credentials: no credential opens ann/web\n",
  );
});

test("svc sync github enable finds the repository by the project's git remote, if there is one at the host", async () => {
  const { w, host } = await syncWorld();
  const none = await w.refused(ENABLE);
  expect(none.err).toContain("names a repository at github.com: give --repo and --host");
  mkdirSync(join(w.work, ".git"));
  writeFileSync(join(w.work, ".git", "HEAD"), "ref: refs/heads/main\n");
  const origin = '[remote "origin"]\n\turl = git@github.com:ann/web.git\n';
  writeFileSync(join(w.work, ".git", "config"), `[core]\n\tbare = false\n${origin}`);
  expect((await w.run(["init", "-q", "--project", "web"])).code).toBe(0);
  const { err, code } = await w.run(ENABLE);
  expect(code).toBe(0);
  expect(err).toBe("the repository is ann/web, as a git remote of the project says\n");
  expect(host.validated).toEqual([{ host: "github.com", owner: "ann", repo: "web" }]);
  const elsewhere = await w.refused([...ENABLE, "--host", "git.example.com"]);
  expect(elsewhere.err).toContain("give --repo and --host");
});

test("svc sync github enable needs no repository for a project that was bound before, whatever its host", async () => {
  const { w, host } = await syncWorld();
  const place = { host: "git.example.com", owner: "ann", repo: "web" };
  await w.ok([...ENABLE, ...REPO, "--host", place.host, "--title-prefix=false", "-q"]);
  await w.ok(["sync", "github", "disable"]);
  expect(await w.ok([...ENABLE, "--interval", "15m"])).toContain("ann/web every 15m0s\n");
  expect(await w.ok([...ENABLE, "--host", "Git.Example.com"])).toContain("ann/web every 5m0s\n");
  expect(host.validated).toEqual([place, place, place]);
  const elsewhere = await w.refused([...ENABLE, "--host", "github.com"]);
  expect(elsewhere.err).toContain("names a repository at github.com: give --repo and --host");
});

test.each([
  [["--repo", "web"], "--repo is owner/repo"],
  [["--repo", "a/b/c"], "--repo is owner/repo"],
  [[...REPO, "--title-prefix", "no"], "--title-prefix is true or false"],
  [[...REPO, "--interval", "0"], "interval: must be 1 to"],
])("svc sync github enable with %j is refused", async (flags, message) => {
  const { w } = await syncWorld();
  expect((await w.refused([...ENABLE, ...flags])).err).toContain(message);
});

test("issues have the same titles as at the host with --title-prefix=false", async () => {
  const { w, host } = await syncWorld();
  host.put(1, { title: "crash" });
  await w.ok([...ENABLE, ...REPO, "--title-prefix=false", "-q"]);
  await firstRun(w);
  expect(await w.ok(["list", "--json"])).toContain('"crash"');
});

test("svc doctor lets the daemon test the credentials and the host of each binding", async () => {
  const { w, host } = await syncWorld();
  await w.ok([...ENABLE, ...REPO]);
  await firstRun(w);
  const summary = "1 repository can be read with the daemon's credentials";
  expect(await issueSyncCheck(w)).toMatchObject({ status: "ok", summary });
  host.fault = new ProviderFault("credentials", "the host answered 401", "renew it");
  expect(await issueSyncCheck(w)).toMatchObject({
    status: "warning",
    summary: expect.stringMatching(
      / from ann\/web at github.com: credentials: the host answered 401$/,
    ),
    fix: "renew it",
  });
});

test("svc doctor without a daemon says that it did not test credentials and hosts", async () => {
  const w = await projectWorld();
  await w.daemon.stop();
  expect(await issueSyncCheck(w)).toMatchObject({
    status: "skipped",
    summary: "not tested: no daemon to ask",
  });
});

async function issueSyncCheck(w: Pick<Awaited<ReturnType<typeof projectWorld>>, "run">) {
  const { out } = await w.run(["doctor", "--json"]);
  const { checks } = JSON.parse(out) as { checks: readonly { id: string }[] };
  return checks.find(({ id }) => id === "daemon.issue_sync");
}

test("svc edit of a field that the host owns warns on stderr, and svc show names the page of the issue", async () => {
  const { w, host } = await syncWorld();
  host.put(1, { title: "crash" });
  host.put(2);
  await w.ok([...ENABLE, ...REPO]);
  await firstRun(w);
  const page = "https://github.com/ann/web/issues/1";
  expect(await w.ok(["show", "#1"])).toContain(`\nsynced from ${page}\n`);
  expect(await w.ok(["show", "#1", "--agent"])).toContain(`\nSynced: ${page}\n`);
  const { issue } = JSON.parse(await w.ok(["show", "#1", "--json"]));
  const warning = (fields: string) =>
    `warning: GitHub owns ${fields} of ${issue.short_id}: the edit is lost when the issue changes there, so make it there too (${page})\n`;
  const edited = await w.run(["edit", "#1", "--title", "mine", "--owner", "cleo"]);
  expect(edited).toMatchObject({ code: 0, err: warning("title and owner") });
  expect(edited.out).not.toContain("warning");
  const quiet = await w.run(["assign", "#1", "dora", "-q"]);
  expect(quiet).toMatchObject({ code: 0, err: warning("owner") });
  const why = "Nobody reads the old format any more, and the reader goes away with 2.0.";
  const both = await w.run(["close", "#1", "#2", "--wontfix", "-m", why, "--agent"]);
  expect(both).toMatchObject({ code: 0 });
  expect(both.err.match(/^warning: GitHub owns status of /gm)).toHaveLength(2);
  const asJson = await w.run(["edit", "#1", "--title", "ours", "--json"]);
  expect(asJson).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(asJson.out).warnings).toEqual([
    expect.objectContaining({ code: "host_owned", fields: ["title"] }),
  ]);
  expect((await w.run(["edit", "#1", "--priority", "1"])).err).toBe("");
});
