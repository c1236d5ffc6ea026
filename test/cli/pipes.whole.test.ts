import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { outputTo } from "../../src/cli/process-context.ts";

const DEV = join(import.meta.dirname, "..", "..", "bin", "dev.js");

test.each([["quickstart"], ["--help"], ["--version"], ["whoami --jsn"]])(
  "svc %s prints no error when its reader stops reading",
  (words) => {
    // The reader has gone before anything is written.
    const script = `{ "$NODE" "${DEV}" ${words} 2>&3; echo "code $?" >&3; } 3>&2 | true`;
    const { stderr } = spawnSync("sh", ["-c", script], {
      encoding: "utf8",
      env: { ...process.env, NODE: process.execPath },
    });
    expect(stderr).toMatch(
      words === "whoami --jsn" ? /^svc: unknown flag --jsn\nhint: .*\ncode 2\n$/ : /^code 0\n$/,
    );
  },
);

/** Makes a pipe that does not wait for its reader: a write that does not fit fails with EAGAIN. */
function nonBlockingPipe(): number {
  const folder = mkdtempSync(join(tmpdir(), "svc-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

test("output that a full pipe cannot take waits in the stream, in order", async () => {
  const descriptor = nonBlockingPipe();
  const stream = new PassThrough();
  const output = outputTo(descriptor, () => stream as unknown as NodeJS.WriteStream);
  const text = "0123456789".repeat(20_000);
  output.write(text);
  output.write("the end");
  const taken = Buffer.alloc(text.length);
  const first = readSync(descriptor, taken);
  expect(first).toBeGreaterThan(0);
  stream.end();
  let rest = "";
  for await (const piece of stream) rest += String(piece);
  expect(taken.toString("utf8", 0, first) + rest).toBe(`${text}the end`);
});

test("a broken stream notifies each waiting caller once, and accepts no more output", () => {
  const descriptor = nonBlockingPipe();
  const stream = new PassThrough();
  const output = outputTo(descriptor, () => stream as unknown as NodeJS.WriteStream);
  let told = 0;
  output.onClosed(() => {
    told += 1;
  });
  output.write("x".repeat(1_000_000));
  const before = stream.readableLength;
  expect(before).toBeGreaterThan(0);
  stream.emit("error", Object.assign(new Error("gone"), { code: "EPIPE" }));
  stream.emit("error", Object.assign(new Error("gone"), { code: "EPIPE" }));
  output.write("more");
  expect(told).toBe(1);
  expect(stream.readableLength).toBe(before);
});
