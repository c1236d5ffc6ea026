import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dirname, "disk-faults.c");

/**
 * What fails: a sync, a write, a write of which half is written, a sync that is carried out all the same, or a write for
 * which the disk has no room.
 */
export const FAULTS = ["sync", "write", "torn", "late", "full"] as const;

/** With `held` nothing fails, but a sync waits until the disk is disarmed. */
export type Fault = (typeof FAULTS)[number] | "held";

const HELD = 1 + FAULTS.length;

/** A failing disk for the database files of a program that is started with `env`. */
export interface DiskFaults {
  readonly env: Readonly<Record<string, string>>;
  /** Makes one sync or write fail, after `before` others. */
  arm(fault: Fault, before: number): void;
  disarm(): void;
  /** Whether the armed fault has come. */
  hasFailed(): boolean;
  /** How many syncs, or how many writes, there were since the last arming. */
  counted(): number;
}

/** False where the library of faults cannot be compiled: it needs Linux and `cc`. */
export const hasDiskFaults: boolean =
  process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;

export function diskFaults(folder: string): DiskFaults {
  const control = join(folder, "disk-faults.bin");
  writeFileSync(control, Buffer.alloc(16));
  const set = (what: number, before: number): void => {
    const bytes = Buffer.alloc(16);
    // The first number arms the fault, so it is written last.
    bytes.writeInt32LE(before, 4);
    const file = openSync(control, "r+");
    writeSync(file, bytes, 4, 12, 4);
    bytes.writeInt32LE(what, 0);
    writeSync(file, bytes, 0, 4, 0);
    closeSync(file);
  };
  const number = (at: number): number => readFileSync(control).readInt32LE(4 * at);
  return {
    env: { LD_PRELOAD: library(), DISK_FAULTS: control },
    arm: (fault, before) => set(fault === "held" ? HELD : 1 + FAULTS.indexOf(fault), before),
    disarm: () => set(0, 0),
    hasFailed: () => number(2) > 0,
    counted: () => number(3),
  };
}

let compiled: string | undefined;

function library(): string {
  if (compiled !== undefined) return compiled;
  const folder = mkdtempSync(join(tmpdir(), "svc-faults-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  compiled = join(folder, "disk-faults.so");
  const { status, stderr } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", compiled, SOURCE]);
  if (status !== 0) throw new Error(`cc: ${String(stderr)}`);
  return compiled;
}
