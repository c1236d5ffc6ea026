import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./postgres-server.ts";

/** Debian keeps the program where only root's PATH finds it. */
const PROGRAM = ["pgbouncer", "/usr/sbin/pgbouncer"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

/** Tests that need PgBouncer are skipped without one. */
export const hasPgBouncer = PROGRAM !== undefined;

/** Starts a real PgBouncer in front of a database for one test, and returns the DSN that leads through it. */
export async function pgBouncer(
  dsn: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-pgbouncer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = new URL(dsn);
  const name = server.pathname.slice(1);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const lines = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    auth_type: "any",
    ...settings,
  };
  writeFileSync(
    file,
    `[databases]\n${name} = host=${server.hostname} port=${server.port} dbname=${name} user=${server.username}\n` +
      `[pgbouncer]\n${Object.entries(lines)
        .map(([key, value]) => `${key} = ${value}`)
        .join("\n")}\n`,
    { mode: 0o644 },
  );
  const child = spawn(PROGRAM ?? "pgbouncer", [...asAnother(), file], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: "/",
  });
  onTestFinished(async () => await ended(child));
  await listening(child);
  return `postgres://${server.username}@127.0.0.1:${port}/${name}`;
}

/** PgBouncer does not run as root. */
function asAnother(): readonly string[] {
  return process.getuid?.() === 0 ? ["--user", "nobody"] : [];
}

async function listening(child: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((ready, failed) => {
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`pgbouncer exited with ${code}: ${log}`)));
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk;
      if (log.includes("process up")) ready();
    });
  });
}

/** SIGTERM ends it at once, with all its sessions. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((done) => {
    child.once("exit", () => done());
    child.kill("SIGTERM");
  });
}
