import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CERTIFICATE, KEY } from "../client/certificate.ts";
import { freePort } from "../support/free-port.ts";
import { type Box, box } from "./box.ts";

const ADMIN = "hub-admin-0123456789-0123456789";
const SOON = 90_000;

interface Enrolled {
  readonly id: number;
  readonly token: string;
  readonly project_id: number;
}

/** A hub with the project web that speaks HTTPS on a port, which `moveTo` changes, and a machine with a copy of it. */
async function machines() {
  const hub = box();
  const spoke = box({
    SVC_FEDERATION_PULL_INTERVAL_MS: "300",
    NODE_EXTRA_CA_CERTS: join(hub.folder, "cert.pem"),
    HUB_ADMIN: ADMIN,
  });
  for (const { home } of [hub, spoke]) mkdirSync(home, { mode: 0o700 });
  for (const folder of [hub.folder, hub.home]) writeFileSync(join(folder, "cert.pem"), CERTIFICATE);
  writeFileSync(join(hub.home, "key.pem"), KEY, { mode: 0o600 });
  const moveTo = async (port: number): Promise<string> => {
    const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]`;
    const config = `${listen}\n[auth]\ntoken = "${ADMIN}"\n[tls]\ncert = "cert.pem"\nkey = "key.pem"\n`;
    writeFileSync(join(hub.home, "config.toml"), config, { mode: 0o600 });
    await hub.json("daemon", "restart");
    return `https://127.0.0.1:${port}`;
  };
  const url = await moveTo(await freePort());
  await hub.json("projects", "create", "web");
  await hub.json("create", "from the hub", "--project", "web");
  const { instance_uid } = await spoke.json<{ instance_uid: string }>("federation", "identity");
  const enrolled = await hub.json<Enrolled>(
    ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
  );
  const file = join(spoke.folder, "token");
  const join_ = async (token: string, at: string) => {
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    return await spoke.json(
      ...["federation", "join", "--hub-url", at, "--push", "--token-file", file],
      ...["--hub-project-id", String(enrolled.project_id)],
    );
  };
  await join_(enrolled.token, url);
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(["from the hub"]), SOON);
  return { hub, spoke, url, enrolled, moveTo, join: join_ };
}

async function titlesOf(of: Box): Promise<readonly string[]> {
  const { issues } = await of.json<{ issues: { title: string }[] }>("list", "--project", "web");
  return issues.map(({ title }) => title).toSorted();
}

async function statusOf(of: Box): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await of.json<{ statuses: Readonly<Record<string, unknown>>[] }>(
    ...["federation", "status"],
  );
  return found.statuses[0];
}

async function activeAt(hub: Box): Promise<readonly number[]> {
  const { enrollments } = await hub.json<{ enrollments: { id: number; revoked_at?: string }[] }>(
    ...["federation", "enrollments", "list"],
  );
  return enrollments.filter((one) => one.revoked_at === undefined).map(({ id }) => id);
}

/** Kills the daemon of the machine as a failing machine does. */
async function kill(of: Box): Promise<void> {
  const { pid } = await of.json<{ pid: number }>("daemon", "start");
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), SOON);
}

/** Asks the daemon of the machine for one phase of a leave, over its socket. */
async function leavePhase(of: Box, projectId: unknown, body: object) {
  const { address } = await of.json<{ address: string }>("daemon", "start");
  const path = `/api/v1/federation/replicas/${String(projectId)}/actions/leave`;
  const headers = { "content-type": "application/json", host: "localhost" };
  const socketPath = address.replace(/^unix:\/\//, "");
  return await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    const asked = request({ socketPath, path, method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve(JSON.parse(text)));
    });
    asked.on("error", reject).end(JSON.stringify(body));
  });
}

test("leaving a hub can be finished after the daemon was killed in any of its phases", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke, enrolled } = await machines();
  const before = await statusOf(spoke);
  const id = before?.["project_id"];
  const pending = { hub_project_id: enrolled.project_id };

  expect(await leavePhase(spoke, id, { preflight: true })).toMatchObject({
    detached: false,
    pending_enrollment: pending,
  });
  await kill(spoke);
  expect(await statusOf(spoke)).not.toHaveProperty("leaving");
  await hub.json("create", "read after a preflight", "--project", "web");
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toHaveLength(2), SOON);

  expect(await leavePhase(spoke, id, { prepare: true })).toMatchObject({
    pending_enrollment: pending,
  });
  await kill(spoke);
  expect(await statusOf(spoke)).toMatchObject({ leaving: true, credential_status: "present" });
  await hub.json("create", "not read after a prepare", "--project", "web");
  await hub.json("federation", "revoke", String(enrolled.id));
  await kill(spoke);
  expect(await statusOf(spoke)).toMatchObject({ leaving: true, role: "spoke" });
  expect(await titlesOf(spoke)).toHaveLength(2);

  expect(await leavePhase(spoke, id, {})).toMatchObject({ detached: true });
  await kill(spoke);
  expect(await statusOf(spoke)).toBeUndefined();
  const credentials = () => readFileSync(join(spoke.home, "credentials.toml"), "utf8");
  expect(credentials()).not.toContain(enrolled.token);
  expect(await leavePhase(spoke, id, {})).toMatchObject({ detached: false });
  await spoke.json("create", "mine", "--project", "web");
  expect(await titlesOf(spoke)).toHaveLength(3);
  expect(await activeAt(hub)).toEqual([]);
});

test("svc federation leave finishes a leave whose daemon was killed after the preparation, and releases the hub's lease", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke } = await machines();
  const { issues } = await spoke.json<{ issues: { short_id: string }[] }>(
    ...["list", "--project", "web"],
  );
  const ref = `web#${issues[0]?.short_id}`;
  await spoke.json("lease", "acquire", ref);
  expect((await hub.json<{ held: boolean }>("lease", "status", ref)).held).toBe(true);
  await leavePhase(spoke, (await statusOf(spoke))?.["project_id"], { prepare: true });
  await kill(spoke);
  const left = await spoke.svc("federation", "leave", "web", "--hub-token-env", "HUB_ADMIN");
  expect([left.code, left.stderr]).toEqual([0, ""]);
  expect(await statusOf(spoke)).toBeUndefined();
  expect(await activeAt(hub)).toEqual([]);
  expect((await hub.json<{ held: boolean }>("lease", "status", ref)).held).toBe(false);
});

test("a copy whose hub has moved to another port keeps its token and what it has read", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke, url, enrolled, moveTo } = await machines();
  const next = await moveTo(await freePort());
  const config = `[[daemon]]\nname = "team"\nurl = "${next}"\ntoken = "not-for-rebinds-0123456789"\n`;
  writeFileSync(join(spoke.home, "config.toml"), config, { mode: 0o600 });
  const unread = await spoke.svc("federation", "rebind", "web", "--hub", "team");
  expect(unread.stderr).toContain("names no daemon");
  await spoke.json("daemon", "restart");
  await spoke.json("create", "written while the hub moved", "--project", "web");
  const moved = await spoke.json("federation", "rebind", "web", "--hub", "team");
  expect(moved).toMatchObject({ old_origin: url, new_origin: next, state: "rebound" });
  await vi.waitFor(
    async () =>
      expect(await titlesOf(hub)).toEqual(["from the hub", "written while the hub moved"]),
    SOON,
  );
  await vi.waitFor(async () => {
    expect(await statusOf(spoke)).toMatchObject({ hub_url: next, pending_push_count: 0 });
  }, SOON);
  const text = readFileSync(join(spoke.home, "credentials.toml"), "utf8");
  expect(text).toContain(enrolled.token);
  expect(text).toContain(next);
  const all = await spoke.svc("federation", "rebind", "--all", "--hub", "team");
  expect([all.code, all.stdout]).toEqual([0, `web is at ${next} already\n`]);

  // Nobody answers there.
  const gone = `https://127.0.0.1:${await freePort()}`;
  writeFileSync(join(spoke.home, "config.toml"), config.replace(next, gone), { mode: 0o600 });
  const edited = await spoke.svc("federation", "rebind", "web", "--hub", "team");
  expect(edited.stderr).toContain(`config.toml has ${gone} for team now, and the daemon ${next}`);
  await spoke.json("daemon", "restart");
  const refused = await spoke.svc("federation", "rebind", "web", "--hub", "team");
  expect(refused.stderr).toContain("the hub gives no answer at the new address");
  expect(refused.stderr).not.toContain(enrolled.token);
  expect(await statusOf(spoke)).toMatchObject({ hub_url: next });
  const logs = await spoke.svc("daemon", "logs");
  for (const secret of [enrolled.token, "not-for-rebinds"])
    expect(logs.stdout).not.toContain(secret);
});

test("after a token is rotated the old token is refused, and a join with the new one continues where the copy was", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke, url, enrolled, join: joinWith } = await machines();
  const rotated = await hub.json<Enrolled>(
    ...["federation", "enrollments", "rotate", String(enrolled.id)],
  );
  expect(await activeAt(hub)).toEqual([rotated.id]);
  await spoke.json("create", "written with the old token", "--project", "web");
  await hub.json("create", "after the rotation", "--project", "web");
  await vi.waitFor(
    async () => expect(await statusOf(spoke)).toMatchObject({ last_error: "auth_invalid" }),
    SOON,
  );
  expect(await titlesOf(hub)).not.toContain("written with the old token");
  await joinWith(rotated.token, url);
  const all = ["after the rotation", "from the hub", "written with the old token"];
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(all), SOON);
  await vi.waitFor(async () => expect(await titlesOf(hub)).toEqual(all), SOON);
  expect(await statusOf(spoke)).not.toHaveProperty("last_error");
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

test.skipIf(!hasOpenssl)(
  "a copy sends nothing to a hub with a new certificate until the copy's daemon trusts that certificate",
  {
    timeout: 300_000,
  },
  async () => {
    const { hub, spoke } = await machines();
    const [key, certificate] = [join(hub.home, "key.pem"), join(hub.home, "cert.pem")];
    const about = ["-days", "9", "-subj", "/CN=hub", "-addext", "subjectAltName=IP:127.0.0.1"];
    const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    const files = ["-keyout", key, "-out", certificate];
    expect(spawnSync("openssl", ["req", "-x509", ...made, ...about, ...files]).status).toBe(0);
    await hub.json("daemon", "restart");
    await spoke.json("create", "kept meanwhile", "--project", "web");
    await vi.waitFor(async () => {
      expect(await statusOf(spoke)).toMatchObject({
        enabled: true,
        last_error: "hub_unavailable",
        pending_push_count: 1,
      });
    }, SOON);
    expect((await spoke.svc("doctor")).stdout).toContain("NODE_EXTRA_CA_CERTS");
    copyFileSync(certificate, join(hub.folder, "cert.pem"));
    await spoke.json("daemon", "restart");
    const both = ["from the hub", "kept meanwhile"];
    await vi.waitFor(async () => expect(await titlesOf(hub)).toEqual(both), SOON);
    await vi.waitFor(
      async () => expect(await statusOf(spoke)).not.toHaveProperty("last_error"),
      SOON,
    );
  },
);
