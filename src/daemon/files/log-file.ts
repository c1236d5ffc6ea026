import { systemClock } from "../../base/clock.ts";
import { createLog, fileSink, type Log, type Sink } from "../../base/log.ts";
import { daemonLogPath, refusalLogPath } from "../../config/paths.ts";
import { makePrivateFolder, requireWritable } from "./folders.ts";

const LIMITS = { maxBytes: 5 * 1024 * 1024, keep: 3 };

export interface LogFiles extends Pick<Sink, "reopen" | "close"> {
  readonly log: Log;
  /**
   * The log of mistakes of clients. It has its own files, because anybody who can reach the daemon can fill them. When
   * they are full, the oldest one is deleted.
   */
  readonly refusals: Log;
}

export function openLogs(runtimeDir: string): LogFiles {
  makePrivateFolder(runtimeDir);
  requireWritable(runtimeDir);
  const main = fileSink(daemonLogPath(runtimeDir), LIMITS);
  // The file is created by its first line, because most daemons never refuse a request.
  const other = fileSink(refusalLogPath(runtimeDir), { ...LIMITS, late: true });
  const logTo = (sink: Sink): Log => createLog(sink, systemClock).child({ pid: process.pid });
  return {
    log: logTo(main),
    refusals: logTo(other),
    reopen: () => [main, other].forEach((sink) => sink.reopen()),
    close: () => [main, other].forEach((sink) => sink.close()),
  };
}
