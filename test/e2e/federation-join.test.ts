import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { freePort } from "../support/free-port.ts";
import { HAS_NGINX, nginxBefore } from "../support/nginx.ts";
import { type Box, box } from "./box.ts";

const ADMIN = "hub-admin-0123456789-0123456789";
const SOON = 60_000;

interface Enrolled {
  readonly id: number;
  readonly token: string;
  readonly project_id: number;
}

/** A hub that listens on a port, and another machine. Each has a home and a daemon of its own. */
async function machines() {
  const hub = box();
  const spoke = box({ SVC_FEDERATION_PULL_INTERVAL_MS: "300", HUB_ADMIN: ADMIN });
  mkdirSync(hub.home, { mode: 0o700 });
  const port = await freePort();
  const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]`;
  const config = `${listen}\n[auth]\ntoken = "${ADMIN}"\n`;
  writeFileSync(join(hub.home, "config.toml"), config, { mode: 0o600 });
  await hub.json("projects", "create", "web");
  await hub.json("create", "from the hub", "--project", "web");
  return { hub, spoke, address: `127.0.0.1:${port}` };
}

/** Enrolls the machine by the command line; returns the line that joins, and the token. */
async function enroll(by: Box, spoke: Box, ...more: readonly string[]) {
  const { instance_uid } = await spoke.json<{ instance_uid: string }>("federation", "identity");
  const made = await by.svc(
    ...["federation", "enroll", "web", "--spoke-instance", instance_uid, "--actor", "sam"],
    ...["--capabilities", "pull", ...more],
  );
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const token = /^token=(\S+)$/m.exec(made.stdout)?.[1] ?? "";
  const line = /^ {2}svc (federation join .*)$/m.exec(made.stdout)?.[1] ?? "";
  const file = join(spoke.folder, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return { token, file, words: line.split(" ") };
}

const titlesOf = async (of: Box): Promise<readonly string[]> =>
  (await of.json<{ issues: { title: string }[] }>("list", "--project", "web")).issues.map(
    ({ title }) => title,
  );

/** The command lines of all processes of this machine (Linux only; elsewhere none). */
function commandLines(): string {
  if (!existsSync("/proc/self/cmdline")) return "";
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
}

/** Runs a command, and returns the command lines that others saw meanwhile too. */
async function watched(of: Box, ...words: readonly string[]) {
  const running = { is: true };
  const command = of.svc(...words).finally(() => (running.is = false));
  let seen = "";
  while (running.is) {
    seen += commandLines();
    await systemClock.sleep(20);
  }
  return { ...(await command), seen };
}

/** The files below the folder whose bytes have the text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))
    .toSorted();
}

test("a second machine joins the board, follows it and leaves it by commands, and its token stands in only one file", {
  timeout: 300_000,
}, async () => {
  const { hub, spoke, address } = await machines();
  const { token, file, words } = await enroll(hub, spoke);
  const joining = words
    .join(" ")
    .replace(/["']<url of this hub>["']/, `http://${address}`)
    .split(" ");
  const mistyped = await spoke.svc(...joining, token);
  expect(mistyped.code).toBe(2);
  expect(mistyped.stderr).not.toContain(token);
  const joined = await watched(spoke, ...joining, "--token-file", file);
  expect([joined.code, joined.stderr]).toEqual([0, ""]);
  expect(joined.stdout).toContain("web is a copy of the project");
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(["from the hub"]), SOON);
  const [issue] = (await hub.json<{ issues: { short_id: string }[] }>("list", "--project", "web"))
    .issues;
  await hub.json("edit", `web#${issue?.short_id}`, "--title", "edited on the hub");
  await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(["edited on the hub"]), SOON);
  const refused = await spoke.svc("create", "mine", "--project", "web");
  expect(refused.stderr).toContain("only reads it");

  const exported = join(spoke.folder, "export.jsonl");
  const said = [
    await spoke.svc("federation", "status", "--json"),
    await spoke.svc("federation", "status"),
    await spoke.svc("doctor", "--json"),
    await spoke.svc("daemon", "logs"),
    await spoke.svc("export", "--output", exported),
    await hub.svc("federation", "enrollments", "list", "--json"),
    await hub.svc("federation", "status", "--json"),
    await hub.svc("daemon", "logs"),
  ];
  for (const { stdout, stderr } of said) expect(`${stdout}${stderr}`).not.toContain(token);
  expect(`${joined.stdout}${joined.stderr}${joined.seen}`).not.toContain(token);
  expect(filesWith(spoke.folder, token)).toEqual([join(spoke.home, "credentials.toml"), file]);
  expect(filesWith(hub.folder, token)).toEqual([]);

  const left = await watched(spoke, "federation", "leave", "web", "--hub-token-env", "HUB_ADMIN");
  expect([left.code, left.stderr]).toEqual([0, ""]);
  expect(left.seen).not.toContain(ADMIN);
  expect(filesWith(spoke.folder, token)).toEqual([file]);
  const { enrollments } = await hub.json<{ enrollments: { revoked_at?: string }[] }>(
    ...["federation", "enrollments", "list"],
  );
  expect(enrollments.map((one) => "revoked_at" in one)).toEqual([true]);
  await spoke.json("create", "mine", "--project", "web");
});

test.skipIf(!HAS_NGINX)(
  "a machine can enroll at a hub behind a proxy with a path, join the hub, read it and leave it",
  {
    timeout: 300_000,
  },
  async () => {
    const { hub, spoke, address } = await machines();
    await hub.json("daemon", "start");
    const server = `server {
    listen 443 ssl;
    location / { return 404; }
    location /svc/ {
      rewrite ^/svc/(.*)$ /$1 break;
      proxy_pass http://daemon;
      proxy_http_version 1.1;
      proxy_set_header Host ${address};
    }
  }`;
    const url = `${await nginxBefore(address, server, process.getuid?.() ?? 0)}/svc/`;
    const { file, words } = await enroll(
      spoke,
      spoke,
      ...["--hub-url", url, "--hub-token-env", "HUB_ADMIN"],
    );
    expect(words).toContain(url);
    const joined = await spoke.svc(...words, "--token-file", file);
    expect([joined.code, joined.stderr]).toEqual([0, ""]);
    await vi.waitFor(async () => expect(await titlesOf(spoke)).toEqual(["from the hub"]), SOON);
    const left = await spoke.svc("federation", "leave", "web", "--hub-token-env", "HUB_ADMIN");
    expect([left.code, left.stderr]).toEqual([0, ""]);
    const listed = await hub.json<{ enrollments: (Enrolled & { revoked_at?: string })[] }>(
      ...["federation", "enrollments", "list"],
    );
    expect(listed.enrollments.map((one) => "revoked_at" in one)).toEqual([true]);
  },
);
