import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BenchDaemon, startBenchDaemon } from "./daemon.ts";

const HAND = path.join(import.meta.dirname, "hand.ts");

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Beside {
  readonly seconds: number;
  /** In milliseconds. */
  readonly ping: Times;
  /** The pings of a daemon that does nothing, at the same time: what the machine itself takes. */
  readonly idle: Times;
  readonly write: Times & { readonly busy: number };
  /** The largest memory of the daemon during the operation. */
  readonly peakMiB: number;
}

/**
 * Runs an operation while another process pings the daemon and writes comments.
 *
 * @param comments the path below which the comments are written
 */
export async function measureBeside(
  of: BenchDaemon,
  comments: string,
  run: () => Promise<unknown>,
): Promise<Beside> {
  const idle = await startBenchDaemon();
  // Writing 5 resets the peak memory of the process.
  writeFileSync(`/proc/${of.pid}/clear_refs`, "5");
  const hand = spawn(process.execPath, [HAND, of.socketPath, comments, idle.socketPath], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  hand.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  const ended = new Promise((resolve) => hand.once("close", resolve));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begun = performance.now();
  await run();
  const seconds = (performance.now() - begun) / 1000;
  // Include follow-up work of the operation, such as a checkpoint or garbage collection.
  await new Promise((resolve) => setTimeout(resolve, 500));
  hand.stdin.end();
  await ended;
  await idle.stop();
  const times = JSON.parse(text) as Pick<Beside, "ping" | "idle" | "write">;
  return { ...times, seconds, peakMiB: peakMiB(of.pid) };
}

/**
 * Measures an operation by `measureBeside`.
 *
 * @returns a row of the table: seconds of the operation, milliseconds of pings, of the pings of an idle daemon and of
 *   writes beside it, refused writes, and the daemon's largest memory in MiB
 */
export async function measureRow(
  of: BenchDaemon,
  comments: string,
  name: string,
  run: () => Promise<unknown>,
): Promise<string> {
  const { seconds, ping, idle, write, peakMiB: peak } = await measureBeside(of, comments, run);
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  const cells = [
    name,
    seconds.toFixed(1),
    ms(ping.p50),
    ms(ping.p99),
    ms(ping.max),
    ms(idle.p99),
    ms(write.p99),
    ms(write.max),
    write.busy,
    peak.toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

function peakMiB(pid: number): number {
  const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
