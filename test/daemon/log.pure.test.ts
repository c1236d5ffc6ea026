import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { createLog, fileSink, type Sink } from "../../src/base/log.ts";

const clock: Pick<Clock, "now"> = { now: () => "2026-01-01T00:00:00.000Z" };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function memory(): Sink & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    write: (line) => void lines.push(line),
    reopen: () => undefined,
    close: () => undefined,
  };
}

function parsed(line: string | undefined): unknown {
  return JSON.parse(line ?? "");
}

test("a log entry is one JSON line with time, level, event and fields", () => {
  const sink = memory();
  createLog(sink, clock as Clock).info("sweep.delivered", { jobs: 3 });
  expect(sink.lines).toHaveLength(1);
  expect(sink.lines[0]?.endsWith("\n")).toBe(true);
  expect(parsed(sink.lines[0])).toEqual({
    time: clock.now(),
    level: "info",
    event: "sweep.delivered",
    jobs: 3,
  });
});

test("a child logger adds its fields to every line, and a line break in a value stays in one line", () => {
  const sink = memory();
  createLog(sink, clock as Clock)
    .child({ pid: 7 })
    .child({ project_uid: "P" })
    .warn("x", { text: "a\nb" });
  expect(sink.lines[0]?.trimEnd()).not.toContain("\n");
  expect(parsed(sink.lines[0])).toMatchObject({ pid: 7, project_uid: "P", text: "a\nb" });
});

test("log entries of a lower level than the configured one are left out", () => {
  const sink = memory();
  const log = createLog(sink, clock as Clock, "warn");
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  expect(sink.lines.map((line) => (parsed(line) as { event: string }).event)).toEqual(["c", "d"]);
});

test("an error is logged in full, with its cause", () => {
  const sink = memory();
  const cause = Object.assign(new Error("disk"), { code: "EIO" });
  createLog(sink, clock as Clock).error("request.failed", { error: new Error("write", { cause }) });
  expect(parsed(sink.lines[0])).toMatchObject({
    error: {
      name: "Error",
      message: "write",
      stack: expect.any(String),
      cause: { code: "EIO", message: "disk" },
    },
  });
});

test.each([
  "token",
  "auth_token",
  "Authorization",
  "content_hash",
  "headers",
  "body",
  "request_body",
  "password",
])("the value of a field called %s never reaches the log", (name) => {
  const sink = memory();
  createLog(sink, clock as Clock).info("x", { [name]: "s3cret", nested: { [name]: "s3cret" } });
  expect(sink.lines[0]).not.toContain("s3cret");
});

test("fields that JSON cannot hold are dropped from the entry, and the daemon continues", () => {
  const sink = memory();
  const ring: Record<string, unknown> = {};
  ring["self"] = ring;
  createLog(sink, clock as Clock).info("x", { ring });
  expect(parsed(sink.lines[0])).toMatchObject({ event: "x", unwritable: expect.any(String) });
});

test("log files rotate by size, the oldest is removed, and all are readable by their owner alone", () => {
  const path = join(folder, "daemon.log");
  const sink = fileSink(path, { maxBytes: 100, keep: 2 });
  for (let number = 1; number <= 9; number++) sink.write(`${String(number).padEnd(39, ".")}\n`);
  sink.close();
  expect(readdirSync(folder).sort()).toEqual(["daemon.log", "daemon.log.1", "daemon.log.2"]);
  const firsts = ["daemon.log.2", "daemon.log.1", "daemon.log"].map((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => line[0])
      .join(""),
  );
  expect(firsts).toEqual(["56", "78", "9"]);
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("a lazy log file is created with its first line, readable by its owner alone", () => {
  const path = join(folder, "refusals.log");
  const sink = fileSink(path, { maxBytes: 100, keep: 2, late: true });
  sink.reopen();
  expect(readdirSync(folder)).toEqual([]);
  sink.write("a\n");
  sink.close();
  expect(readFileSync(path, "utf8")).toBe("a\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a line that fills the log file to its limit fits, and one byte more begins a new file", () => {
  const path = join(folder, "daemon.log");
  const sink = fileSink(path, { maxBytes: 10, keep: 1 });
  sink.write("1234\n");
  sink.write("6789\n");
  expect(readdirSync(folder)).toEqual(["daemon.log"]);
  sink.write("x\n");
  sink.close();
  expect(readFileSync(`${path}.1`, "utf8")).toBe("1234\n6789\n");
  expect(readFileSync(path, "utf8")).toBe("x\n");
});

test("a log continues the file of an earlier daemon, whose bytes count for the size limit", () => {
  const path = join(folder, "daemon.log");
  const first = fileSink(path, { maxBytes: 10, keep: 1 });
  first.write("12345678\n");
  first.close();
  const second = fileSink(path, { maxBytes: 10, keep: 1 });
  second.write("ab\n");
  second.close();
  expect(readFileSync(`${path}.1`, "utf8")).toBe("12345678\n");
});

test("after the log is reopened, lines go to a new file if the old file was moved away", () => {
  const path = join(folder, "daemon.log");
  const sink = fileSink(path, { maxBytes: 1000, keep: 1 });
  sink.write("old\n");
  renameSync(path, join(folder, "moved"));
  sink.reopen();
  sink.write("new\n");
  sink.close();
  expect(readFileSync(join(folder, "moved"), "utf8")).toBe("old\n");
  expect(readFileSync(path, "utf8")).toBe("new\n");
});

test("a log file that cannot be written does not stop the program that logs", () => {
  const path = join(folder, "gone", "daemon.log");
  expect(() => fileSink(path, { maxBytes: 1, keep: 1 })).toThrow("ENOENT");
  const sink = fileSink(join(folder, "daemon.log"), { maxBytes: 1, keep: 1 });
  rmSync(folder, { recursive: true });
  expect(() => {
    sink.write("a\n");
    sink.write("b\n");
  }).not.toThrow();
});
