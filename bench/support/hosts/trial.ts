import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startBenchDaemon } from "../daemon.ts";
import { installed } from "./installed.ts";
import type { Model } from "./model.ts";
import { player } from "./offered.ts";
import { type HostBehaviour, probePlan } from "./probe.ts";
import type { Program } from "./programs.ts";
import { COMMENT, FOLLOW_UP, type Played, TITLE, workPlan } from "./steps.ts";

const SVC = path.resolve(import.meta.dirname, "../../../bin/svc");
const PROBE = path.join(import.meta.dirname, "probe-server.ts");
const LONGEST_MS = 120_000;

/** The result of the work that one program was given. */
export interface Trial extends Played {
  /** Absent if the program did not complete the probe. */
  readonly seen: HostBehaviour | undefined;
  /** The changes of the model that are not in the daemon afterwards; empty if all of them are there. */
  readonly missing: readonly string[];
  /** The last part of what the program printed, for a person who looks for the cause of a failure. */
  readonly printed: string;
}

/** Gives a program its task in an empty home, with a tool server as `svc mcp install` configures it. */
export async function tryProgram(program: Program, model: Model): Promise<Trial> {
  const daemon = await startBenchDaemon();
  try {
    const folder = path.join(daemon.home, "work");
    mkdirSync(folder);
    const svc = (...words: readonly string[]): string =>
      execFileSync(SVC, words, { cwd: folder, env: daemon.env, encoding: "utf8" });
    svc("init", "--project", "web");
    const ref = svc("create", TITLE, "--quiet").trim();
    let seen: HostBehaviour | undefined;
    model.play(player(probePlan((found) => (seen = found))));
    const probed = await inEmptyHome({ program, model, folder, env: daemon.env, command: PROBE });
    const played: Played = { done: [] };
    model.play(player(workPlan(played)));
    const worked = await inEmptyHome({ program, model, folder, env: daemon.env, command: SVC });
    const shown = svc("show", ref, "--json");
    const missing = [
      ...(shown.includes('"closed_reason":"done"') ? [] : ["the close"]),
      ...(shown.includes('"owner":"agent-1"') ? [] : ["the owner"]),
      ...(shown.includes(COMMENT) ? [] : ["the comment"]),
      ...(svc("list", "--json").includes(FOLLOW_UP) ? [] : ["the follow-up"]),
    ];
    return { ...played, seen, missing, printed: `${probed}\n---\n${worked}` };
  } finally {
    await daemon.stop();
  }
}

interface Setting {
  readonly program: Program;
  readonly model: Model;
  readonly folder: string;
  /** The environment of `svc mcp install`. The program itself does not get it. */
  readonly env: NodeJS.ProcessEnv;
  /** The tool server's program. */
  readonly command: string;
}

async function inEmptyHome({ program, model, folder, env, command }: Setting): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), "svc-host-"));
  try {
    const person = { ...env, HOME: home };
    const asked = ["--as", "agent-1", "--command", command];
    const entry = path.join(home, "entry.json");
    const { client } = program;
    const words =
      client === undefined ? ["config"] : ["install", "--client", client, "--scope", "user"];
    const out = execFileSync(SVC, ["mcp", ...words, ...asked], {
      cwd: folder,
      env: person,
      encoding: "utf8",
    });
    if (client === undefined) writeFileSync(entry, out);
    const place = {
      model: `http://127.0.0.1:${model.port}`,
      packages: installed(program.packages),
      home,
      entry,
    };
    const [file = "", ...args] = program.run(place);
    const child = spawn(file, args, {
      cwd: folder,
      env: { PATH: env["PATH"], HOME: home, ...program.env(place) },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST_MS,
      detached: true,
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    await once(child, "exit");
    stopGroup(child.pid);
    return (await printed).join("\n").slice(-3000);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Kills the process group of a host, because some hosts leave servers that they started running. */
function stopGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All processes of the group have ended.
  }
}
