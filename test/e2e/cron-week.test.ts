import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { loadConfig } from "../../src/config/load.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { countingIds } from "../support/ids.ts";
import { type Box, box, ended } from "./box.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "cron-week.md"), "utf8");
const SATURDAY = "2026-11-21T15:00:00.000Z";

interface Block {
  /** `json job.json` is a file to write, `console` holds typed lines and their answers. */
  readonly kind: string;
  readonly text: string;
  /** The times that pass, one after the other, while the last command of the block runs. */
  readonly times: readonly string[];
}

function blocks(): readonly Block[] {
  const found = PAGE.matchAll(/(?:<!-- ([^\n]*) -->\n\n)?```([^\n]+)\n(.*?)```/gs);
  return [...found].map(([, times, kind = "", text = ""]) => ({
    kind,
    text,
    times: times?.split(" ") ?? [],
  }));
}

/** Returns the typed lines of a block, each with its answer. */
function typed(text: string): readonly { readonly line: string; readonly answer: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((piece) => {
      const [line = "", ...answer] = piece.split("\n");
      return { line, answer: answer.join("\n") };
    });
}

/** In the page, a line that is too long ends in ` …`. */
function expectAnswer(said: string, answer: string): void {
  const cut = answer.split("\n").map((line) => (line.endsWith(" …") ? line.length - 2 : undefined));
  const shown = said
    .split("\n")
    .map((line, at) => (cut[at] === undefined ? line : `${line.slice(0, cut[at])} …`));
  expect(shown.join("\n")).toBe(answer);
}

/** The built svc in a shell, and a daemon in this process on its home. The test moves the daemon's clock. */
async function weekWorld() {
  const own = box();
  const clock = new FakeClock(SATURDAY);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const config = await loadConfig({ env: own.env, cwd: own.work });
  const daemon = await startDaemon({ ...settingsFrom(config, version), clock, ids: countingIds() });
  onTestFinished(async () => await daemon.stop());
  const env = { ...own.env, PATH: pathOf(own) };
  const shell = (line: string): ChildProcess => {
    const child = spawn("sh", ["-c", `exec 2>&1; ${line}`], {
      cwd: own.work,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    onTestFinished(() => end(child));
    return child;
  };
  return { ...own, clock, shell };
}

/** Ends the process and the processes that it started. */
function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

function pathOf({ temp, launcher, env }: Box): string {
  const bin = join(temp, "bin");
  mkdirSync(bin);
  for (const [name, words] of [
    ["svc", `"${process.execPath}" "${launcher}"`],
    ["node", `"${process.execPath}"`],
  ] as const) {
    const noted = name === "svc" ? `echo "$@" >> "${join(temp, "calls")}"\n` : "";
    writeFileSync(join(bin, name), `#!/bin/sh\n${noted}exec ${words} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const sleeping = `#!/bin/sh\n: > "${join(temp, "sleeping")}"\nexec /bin/sleep "$@"\n`;
  writeFileSync(join(bin, "sleep"), sleeping, { mode: 0o755 });
  return [bin, env["PATH"]].join(delimiter);
}

/** Returns the output of a loop while the times pass, one line for each time. Ends the loop after the last. */
async function saidWhile(
  loop: ChildProcess,
  times: readonly string[],
  clock: FakeClock,
): Promise<string> {
  let said = "";
  loop.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  for (const [at, time] of times.entries()) {
    clock.advance(instantToMs(time) - clock.nowMs());
    await expect
      .poll(
        () => {
          // Ends sleeps of zero milliseconds.
          clock.advance(0);
          return said.split("\n").length - 1;
        },
        { timeout: 60_000 },
      )
      .toBe(at + 1);
  }
  end(loop);
  return said;
}

test("docs/cron-week.md shows what svc prints, line by line", async () => {
  const w = await weekWorld();
  let lines = 0;
  for (const { kind, text, times } of blocks()) {
    const [, file] = kind.split(" ");
    if (file !== undefined) writeFileSync(join(w.work, file), text);
    for (const { line, answer } of typed(kind === "console" ? text : "")) {
      const child = w.shell(line);
      const said =
        times.length > 0 ? await saidWhile(child, times, w.clock) : (await ended(child)).stdout;
      expectAnswer(said, answer);
      lines += 1;
    }
  }
  expect(lines).toBe(11);

  // The definition has changed since these runs. The loop records the old run again unchanged, with the version of the
  // definition that created its issue.
  const say = async (line: string) => (await ended(w.shell(line))).stdout;
  const job = "01M80000000000000000000J01";
  await say(`svc cron job disable ${job}; svc cron job enable ${job}`);
  await say("svc notify a00a --to ann --message again; svc notify a005 --to ann --message look");
  const looks = () =>
    readFileSync(join(w.temp, "calls"), "utf8").match(/^inbox --for ann --wait/gm)?.length ?? 0;
  const before = looks();
  const loop = w.shell("sh handle.sh");
  let said = "";
  loop.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 30_000 }).toBe("cleared a00a for ann\n");
  // An issue that is no child of the job stays, and the loop pauses instead of asking again at once.
  await expect.poll(() => existsSync(join(w.temp, "sleeping")), { timeout: 30_000 }).toBe(true);
  expect(looks() - before).toBeLessThanOrEqual(2);
  expect(await say("svc inbox --for ann -q")).toBe("a005\n");
  expect(await say("svc cron run report --by job | tail -1")).toContain("total             3");
}, 120_000);
