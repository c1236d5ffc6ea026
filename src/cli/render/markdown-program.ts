import { systemClock } from "../../base/clock.ts";
import { programEnv } from "../../config/env.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { ProcessContext } from "../process-context.ts";
import type { Prose } from "./markdown.ts";

/** Time limit for all texts of one command together (docs/contract/command-line.md#31-configtoml). */
const LIMIT_MS = 10_000;
const LONGEST_OUTPUT = 16 * 1024 * 1024;

export interface MarkdownProgram {
  /** Program and arguments, run without a shell. */
  readonly argv: readonly string[];
  readonly context: Pick<ProcessContext, "cwd" | "env" | "stderr">;
  readonly fallback: Prose;
  readonly limitMs?: number;
}

/**
 * Renders texts with the user's own program. After a failure the program is not run again, and one warning is printed.
 */
export async function programProse(options: MarkdownProgram): Promise<Prose> {
  const { argv, context, fallback, limitMs = LIMIT_MS } = options;
  const { spawnSync } = await import("node:child_process");
  const [program = "", ...args] = argv;
  const ends = systemClock.nowMs() + limitMs;
  let failed = false;

  function ask(text: string, columns: number | undefined): string | Error {
    const left = ends - systemClock.nowMs();
    if (left <= 0) return tooLong(limitMs);
    const width = columns === undefined ? {} : { COLUMNS: String(columns) };
    const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
      cwd: context.cwd,
      env: { ...programEnv(context.env), ...width },
      input: text,
      encoding: "utf8",
      timeout: left,
      killSignal: "SIGKILL",
      maxBuffer: LONGEST_OUTPUT,
    });
    // Look only at the status, not at `error`: a program may exit with success before it has read all of its input, and
    // then `error` is set too.
    if (status === 0) return stdout.trim() === "" ? new Error("it printed nothing") : stdout;
    const code = error !== undefined && "code" in error ? error.code : undefined;
    if (code === "ETIMEDOUT") return tooLong(limitMs);
    if (code === "ENOENT") return new Error("it was not found");
    if (code === "ENOBUFS") return new Error("it printed too much");
    if (status === null) return new Error(signal === null ? String(code) : `it got ${signal}`);
    const firstLine = oneLine(stderr.trim().split("\n", 1)[0] ?? "");
    return new Error(`it ended with ${status}${firstLine === "" ? "" : `: ${firstLine}`}`);
  }

  return (text, columns) => {
    if (failed) return fallback(text, columns);
    const output = ask(`${manyLines(text).trimEnd()}\n`, columns);
    if (typeof output === "string") return output.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    failed = true;
    context.stderr.write(
      `svc: warning: markdown_renderer ${JSON.stringify(program)}: ${output.message}; svc renders the text itself\n`,
    );
    return fallback(text, columns);
  };
}

function tooLong(limitMs: number): Error {
  return new Error(`it took longer than ${limitMs / 1000}s`);
}
