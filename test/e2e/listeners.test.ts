import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

interface Started {
  readonly action: string;
  readonly pid: number;
  readonly address: string;
}

interface Status {
  readonly daemons: readonly { readonly mode?: string; readonly listeners?: readonly object[] }[];
}

test("a daemon on several addresses shows them all, and commands use the first of this machine", async () => {
  const { json, svc, folder } = box();
  const path = join(folder, "second.sock");
  const listen = ["--listen", `localhost:0,unix://${path}`] as const;
  const { pid, address } = await json<Started>("daemon", "start", ...listen);
  expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  expect((await svc("daemon", "locate")).stdout).toBe(`${address}\n`);
  const second = { address: `unix://${path}` };
  expect((await json<Status>("daemon", "status")).daemons).toMatchObject([{ listeners: [second] }]);
  expect((await svc("daemon", "status")).stdout).toContain(`\n    also address=unix://${path}\n`);
  expect((await svc("daemon", "status", "--agent")).stdout).toContain(` listeners=unix://${path} `);

  const again = await json<Started>("daemon", "start", "--listen", `unix://${path},127.0.0.1:0`);
  expect(again).toMatchObject({ action: "already_running", pid });
  const other = await svc("daemon", "start", "--listen", "127.0.0.1:0,[::1]:0");
  expect(other).toMatchObject({ code: 5, stdout: "" });
  expect(other.stderr).toContain("svc daemon restart --listen 127.0.0.1:0,[::1]:0");
}, 60_000);

test("with --insecure-readonly everybody can read and nobody can write, not even the owner", async () => {
  const { json, svc } = box();
  await json("projects", "create", "tools");
  const running = await svc("daemon", "start");
  expect(running).toMatchObject({ code: 0 });
  const refused = await svc("daemon", "start", "--insecure-readonly");
  expect(refused).toMatchObject({ code: 5, stdout: "" });
  expect(refused.stderr).toContain("svc daemon restart --insecure-readonly");

  await json<Started>("daemon", "restart", "--insecure-readonly");
  expect((await json<Status>("daemon", "status")).daemons).toMatchObject([{ mode: "readonly" }]);
  expect((await svc("daemon", "status")).stdout).toContain(" mode=readonly ");
  const started = await json<Started>("daemon", "start", "--insecure-readonly");
  expect(started.action).toBe("already_running");
  expect((await svc("list", "--project", "tools")).code).toBe(0);
  const write = await svc("projects", "create", "other");
  expect(write).toMatchObject({ code: 1, stdout: "" });
  expect(write.stderr).toContain("read-only");
  await json<Started>("daemon", "restart");
  expect((await svc("projects", "create", "other")).code).toBe(0);
}, 60_000);

test("a start that the table refuses says why and names the remedy, in the background too", async () => {
  const { svc } = box();
  const refused = await svc("daemon", "start", "--listen", "10.0.0.5:7777");
  expect(refused).toMatchObject({ code: 7, stdout: "" });
  expect(refused.stderr).toContain("everybody who reaches it could write without a token");
  expect(refused.stderr).toContain("set [auth] token and trust_private_network");
}, 60_000);
