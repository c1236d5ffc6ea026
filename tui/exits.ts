import { constants } from "node:os";

export type Exit =
  | { readonly exit: "signal"; readonly code: number }
  /** The terminal is gone, so nothing can be written to it. */
  | { readonly exit: "gone" }
  | { readonly exit: "error"; readonly error: unknown };

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/**
 * Reports each reason to exit other than a key: signals, a terminal that hangs up, uncaught errors. Returns a function
 * that stops the reports. After it is called, errors of the terminal are ignored.
 */
export function watchExits(
  { stdin, stdout }: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  report: (exit: Exit) => void,
): () => void {
  const handlers = SIGNALS.map((name) => {
    // The exit code is 128 plus the number of the signal, as in a shell.
    const handler = (): void => report({ exit: "signal", code: 128 + constants.signals[name] });
    return [name, handler] as const;
  });
  const onError = (error: unknown): void => report({ exit: "error", error });
  const onGone = (): void => report({ exit: "gone" });
  for (const [name, handler] of handlers) process.on(name, handler);
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  stdin.on("end", onGone);
  // The returned function does not remove these listeners, so that a write that fails later does not crash the program.
  stdin.on("error", onGone);
  stdout.on("error", onGone);
  return () => {
    for (const [name, handler] of handlers) process.off(name, handler);
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
    stdin.off("end", onGone);
  };
}
