import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const RUN = join(import.meta.dirname, "..", "..", "bin", "run.js");
const WORDS = [RUN, "daemon", "start", "--foreground", "--qr"];

function environment(): NodeJS.ProcessEnv {
  const home = mkdtempSync(join(tmpdir(), "svc-code-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { PATH: process.env["PATH"], HOME: home, SVC_HOME: home, XDG_RUNTIME_DIR: home };
}

test("svc daemon start --qr shows the address of a TCP listener as a QR code", async () => {
  const words = [...WORDS, "--listen", "127.0.0.1:0"];
  const daemon = spawn(process.execPath, words, { env: environment() });
  const ended = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  let text = "";
  for await (const piece of daemon.stdout.setEncoding("utf8")) {
    text += String(piece);
    if (/\[QR code\]/.test(text)) break;
  }
  daemon.kill("SIGTERM");
  await ended;
  expect(text).toMatch(/[▀▄█]{6}/);
  expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\//);
});

test("svc daemon start --qr is refused for a daemon on a socket, and the refusal says what to add", () => {
  const { status, stderr } = spawnSync(process.execPath, WORDS, {
    env: environment(),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([7, expect.stringContaining("--listen 127.0.0.1:7777")]);
});
