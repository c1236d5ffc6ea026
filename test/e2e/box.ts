import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { withCompiledCode } from "../support/compiled-code.ts";

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "run.js");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home and a workspace of their own for the built svc. Their daemon ends with the test. */
export interface Box {
  readonly folder: string;
  readonly home: string;
  readonly work: string;
  /** The folder for temporary files. */
  readonly temp: string;
  /** The environment and the script of `svc`, for tests that start it in another way. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly launcher: string;
  svc(...words: string[]): Promise<Ended>;
  /** Runs a command and returns its JSON; the command must succeed. */
  json<T>(...words: string[]): Promise<T>;
  start(...words: string[]): ChildProcess;
}

/** @param within words before `node` that run it elsewhere, such as in a private network */
export function box(
  more: Readonly<Record<string, string>> = {},
  within: readonly string[] = [],
): Box {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "svc-box-"));
  const [home, work, run, temp] = ["home", "work", "run", "tmp"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [work, run, temp]) mkdirSync(path);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    SVC_HOME: home,
    SVC_AUTHOR: "ann",
    XDG_RUNTIME_DIR: run,
    TMPDIR: temp,
    ...withCompiledCode(),
    ...more,
  };
  const [program, ...before] = [...within, process.execPath, LAUNCHER];
  const start = (...words: string[]): ChildProcess =>
    spawn(program, [...before, ...words], { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
  const svc = async (...words: string[]): Promise<Ended> => await ended(start(...words));
  onTestFinished(async () => {
    await svc("daemon", "stop");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 30_000);
  return {
    folder,
    home,
    work,
    temp,
    env,
    launcher: LAUNCHER,
    svc,
    start,
    json: async (...words) => {
      const { code, stdout, stderr } = await svc(...words, "--json");
      if (code !== 0) throw new Error(`svc ${words.join(" ")} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => err.push(text));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: out.join(""), stderr: err.join("") }));
  });
}

/** Returns the processes whose environment names the folder (Linux only; elsewhere none). */
export function processesOf(folder: string): readonly number[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environOf(pid).includes(folder))
    .map(Number);
}

function environOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
