import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Box, ended } from "./box.ts";
import { hubAndSpokes, type Spoke } from "./hub-and-spokes.ts";

const SOON = { timeout: 120_000, interval: 250 };
const ISSUES = 1200;

const pidOf = async (of: Box): Promise<number> =>
  (await of.json<{ pid: number }>("daemon", "start")).pid;

async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), SOON);
}

/** The titles, authors and labels of all issues of the project, sorted. */
async function issuesOf(of: Box): Promise<readonly string[]> {
  const { issues } = await of.json<{
    issues: { title: string; author: string; labels: string[] }[];
  }>("list", "--project", "own", "--limit", "5000", "--max-bytes", "0", "--status", "all");
  return issues
    .map(({ title, author, labels }) => `${title} ${author} ${labels.join()}`)
    .toSorted();
}

test("a project of 1,200 issues is handed over although its daemon and its hub are killed with kill -9 meanwhile", {
  timeout: 600_000,
}, async () => {
  const { hub, spokes } = await hubAndSpokes({ spokes: 1 });
  const [{ box, network }] = spokes as [Spoke];
  await box.json("projects", "create", "own");
  const lines = Array.from({ length: ISSUES }, (_, n) =>
    JSON.stringify({
      ...{ id: `x-${n}`, title: `issue ${n}`, status: "open", priority: 2, issue_type: "task" },
      ...{ created_by: `author ${n % 7}`, labels: [`label-${n % 5}`] },
      ...{ created_at: "2025-06-01T10:00:00Z", updated_at: "2025-06-01T10:00:00Z" },
    }),
  );
  const file = join(box.folder, "issues.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const words = ["--merge", "--source-format", "beads", "--input", file, "--project", "own"];
  await box.json("import", ...words);
  const before = await issuesOf(box);
  expect(before).toHaveLength(ISSUES);

  const { instance_uid } = await box.json<{ instance_uid: string }>("federation", "identity");
  const { token, project_id } = await hub.box.json<{ token: string; project_id: number }>(
    ...["federation", "enroll", "own", "--spoke-instance", instance_uid, "--actor", "sam"],
    "--adopt-existing",
  );
  const tokenFile = join(box.folder, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const joining = [
    ...["federation", "join", "--hub-url", `http://127.0.0.1:${network.port}`, "--push"],
    ...["--hub-project-id", String(project_id), "--adopt-existing", "--token-file", tokenFile],
  ];
  // While the issues are made snapshots of, before anything is sent.
  const killed = await pidOf(box);
  const first = ended(box.start(...joining, "--json"));
  await vi.waitFor(
    async () => {
      const { statuses } = await box.json<{ statuses: { disabled_reason?: string }[] }>(
        ...["federation", "status"],
      );
      expect(statuses.map(({ disabled_reason: why }) => why)).toContain("adoption_unfinished");
    },
    { timeout: 60_000, interval: 20 },
  );
  await kill(killed);
  expect((await first).code).not.toBe(0);
  // While the first part is sent. The next daemon has the token, so the join need not be repeated.
  let sending = 0;
  const started = Promise.withResolvers<void>();
  const sent = network.after("toServer", "adoption_baseline", () => {
    void started.promise.then(() => process.kill(sending, "SIGKILL"));
  });
  sending = await pidOf(box);
  started.resolve();
  await sent;
  await vi.waitFor(() => expect(() => process.kill(sending, 0)).toThrow("ESRCH"), SOON);
  // While the hub answers.
  const answering = await pidOf(hub.box);
  const answered = network.after("toClient", "push_cursor_event_id", () =>
    process.kill(answering, "SIGKILL"),
  );
  await pidOf(box);
  await answered;
  await vi.waitFor(() => expect(() => process.kill(answering, 0)).toThrow("ESRCH"), SOON);
  await pidOf(hub.box);
  await vi.waitFor(async () => expect(await issuesOf(hub.box)).toEqual(before), SOON);
  await vi.waitFor(async () => expect(await issuesOf(box)).toEqual(before), SOON);
  await vi.waitFor(async () => {
    const verified = await box.svc("federation", "verify", "own", "--rows");
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  }, SOON);
  await box.json("create", "written after", "--project", "own");
  await vi.waitFor(async () => expect(await issuesOf(hub.box)).toHaveLength(ISSUES + 1), SOON);
  for (const one of [box, hub.box]) expect((await one.svc("doctor")).code).toBe(0);
});
