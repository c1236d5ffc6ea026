import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Box, box } from "./box.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "inbox.md"), "utf8");
const hasTools = ["bash", "jq"].every((name) => spawnSync(name, ["--version"]).status === 0);

/** Returns the loop exactly as it is in the page. */
function loopText(): string {
  const found = PAGE.match(/```sh\n(pause=1\nwhile .*?)```/s)?.[1];
  if (found === undefined) throw new Error("docs/inbox.md has the loop");
  return found;
}

/**
 * Makes the programs of the loop. `handle` records its input and fails while the file `fail` exists; `sleep` ends when
 * the test says so.
 */
function programs({ temp, work, launcher }: Box): string {
  const bin = join(temp, "bin");
  mkdirSync(bin);
  const write = (path: string, text: string): void =>
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  write(join(bin, "svc"), `exec "${process.execPath}" "${launcher}" "$@"`);
  const waiting = `while [ ! -e "${temp}/wake" ]; do /bin/sleep 0.02; done; rm "${temp}/wake"`;
  write(join(bin, "sleep"), `echo "$1" >> "${temp}/sleeps"\n${waiting}`);
  write(
    join(work, "handle"),
    `echo "$1 $(grep -c Parser)" >> "${temp}/calls"
if [ -e "${temp}/again" ]; then rm "${temp}/again"; svc notify "$1" --to worker --message "And now?"; fi
[ ! -e "${temp}/fail" ]`,
  );
  return bin;
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

test.runIf(hasTools)(
  "the loop in docs/inbox.md handles each request once, and waits longer each time one fails",
  async () => {
    const own = box();
    const { svc, temp, work, env } = own;
    await svc("init", "--project", "web");
    const { issue } = await own.json<{ issue: { short_id: string } }>("create", "Parser fails");
    const ref = issue.short_id;
    const ask = async (): Promise<unknown> =>
      await svc("notify", ref, "--to", "worker", "--message", "look");
    const noted = (name: string): readonly string[] =>
      existsSync(join(temp, name))
        ? readFileSync(join(temp, name), "utf8").trimEnd().split("\n")
        : [];
    const touch = (name: string): void => writeFileSync(join(temp, name), "");
    const waiting = async (): Promise<string> =>
      (await svc("inbox", "--for", "worker", "-q")).stdout.trim();
    const reached = async (calls: number, sleeps: readonly string[]): Promise<void> => {
      await expect.poll(() => noted("sleeps"), { timeout: 30_000 }).toEqual(sleeps);
      expect(noted("calls")).toEqual(Array.from({ length: calls }, () => `${ref} 1`));
    };

    touch("fail");
    await ask();
    const path = [programs(own), env["PATH"]].join(delimiter);
    const loop = spawn("bash", ["-c", loopText()], {
      cwd: work,
      env: { ...env, PATH: path },
      stdio: "ignore",
      detached: true,
    });
    onTestFinished(() => endGroup(loop));

    // After a failure the handler runs again only when the pause is over, and each pause is longer.
    await reached(1, ["1"]);
    touch("wake");
    await reached(2, ["1", "2"]);
    touch("wake");
    await reached(3, ["1", "2", "4"]);
    expect(await waiting()).toBe(ref);

    // After a success the request is cleared, and the next request is handled as soon as it comes.
    rmSync(join(temp, "fail"));
    touch("wake");
    await expect.poll(waiting, { timeout: 30_000 }).toBe("");
    touch("again");
    await ask();
    // A new request came while the handler ran: the clear is refused, and the new request is handled after a short
    // pause.
    await reached(5, ["1", "2", "4", "1"]);
    expect(await waiting()).toBe(ref);
    touch("wake");
    await expect.poll(waiting, { timeout: 30_000 }).toBe("");
    expect(noted("calls")).toHaveLength(6);
    expect(noted("sleeps")).toHaveLength(4);
  },
  120_000,
);
