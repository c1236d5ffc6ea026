import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Box, box } from "./box.ts";

function importing(b: Box): ChildProcess {
  const words = [b.launcher, "import", "--input", "-"];
  const child = spawn(process.execPath, words, { cwd: b.work, env: b.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function copies(b: Box): readonly string[] {
  return readdirSync(b.temp).filter((name) => name.startsWith("svc-input-"));
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "an import from a pipe leaves no copy of the data behind when %s ends it",
  async (name) => {
    const b = box();
    const child = importing(b);
    child.stdin?.write('{"kind":"meta"');
    await vi.waitFor(() => expect(copies(b)).toHaveLength(1), { timeout: 20_000 });
    const ended = once(child, "exit");
    child.kill(name);
    expect(await ended).toEqual([null, name]);
    expect(copies(b)).toEqual([]);
  },
);
