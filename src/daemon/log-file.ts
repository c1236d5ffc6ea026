import { systemClock } from "../base/clock.ts";
import { createLog, fileSink, type Log, type Sink } from "../base/log.ts";
import { daemonLogPath } from "../config/paths.ts";
import { privateFolder, requireWritable } from "./folders.ts";

const LIMITS = { maxBytes: 5 * 1024 * 1024, keep: 3 };

export function openLog(runtimeDir: string): { readonly log: Log; readonly sink: Sink } {
  privateFolder(runtimeDir);
  requireWritable(runtimeDir);
  const sink = fileSink(daemonLogPath(runtimeDir), LIMITS);
  return { sink, log: createLog(sink, systemClock).child({ pid: process.pid }) };
}
