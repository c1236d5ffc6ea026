import { constants } from "node:os";

/** Why the screen is left, where nobody pressed a key for it. */
export type Exit =
  | { readonly exit: "signal"; readonly code: number }
  /** The terminal is gone: nothing can be said to it any more. */
  | { readonly exit: "gone" }
  | { readonly exit: "error"; readonly error: unknown };

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/**
 * Tells of every way out that no key takes: signals, a terminal that hangs up, an error nobody caught. Gives what stops
 * telling; what goes wrong on a terminal that is gone is not told then either, but forgotten.
 */
export function watchExits(
  { stdin, stdout }: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  tell: (exit: Exit) => void,
): () => void {
  const handlers = SIGNALS.map((name) => {
    // 128 and the signal's number is what a shell says of a program that it ended.
    const handler = (): void => tell({ exit: "signal", code: 128 + constants.signals[name] });
    return [name, handler] as const;
  });
  const onError = (error: unknown): void => tell({ exit: "error", error });
  const onGone = (): void => tell({ exit: "gone" });
  for (const [name, handler] of handlers) process.on(name, handler);
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  stdin.on("end", onGone);
  // These two stay: a write that fails after the end must not end the program in another way.
  stdin.on("error", onGone);
  stdout.on("error", onGone);
  return () => {
    for (const [name, handler] of handlers) process.off(name, handler);
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
    stdin.off("end", onGone);
  };
}
