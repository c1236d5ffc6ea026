import type { Clock } from "../../base/clock.ts";
import type { Transport } from "../../shared/transport.ts";
import type { Message } from "../message.ts";
import { ChangedIssues } from "./changed-issues.ts";
import { Effects, type LocalEffect } from "./effects.ts";
import { InterruptibleSleep } from "./interruptible-sleep.ts";
import { type EventStream, follow } from "./live.ts";
import type { Work } from "./work.ts";

export interface ConnectionOptions {
  readonly daemon: Transport;
  readonly stream: EventStream;
  readonly actor: string;
  readonly clock: Clock;
  /** Aborted when the screen is closed. */
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
  here(
    effect: LocalEffect,
    own: { readonly signal: AbortSignal; dispatch(message: Message): void },
  ): Promise<void>;
  /** The issues that are visible now; they are read first. */
  seen(): ReadonlySet<string>;
  /** Waits until somebody sees the screen, if it can be hidden. */
  readonly shown?: (signal: AbortSignal) => Promise<void>;
  load(): Promise<Work>;
  /** Called once the daemon has answered the first request. */
  onStarted?(): void;
}

export interface Connection {
  readonly effects: Effects;
  follow(): Promise<void>;
  /** Leaves the daemon. Answers that arrive afterwards are dropped. */
  leave(): void;
}

export function connectionTo(options: ConnectionOptions): Connection {
  const { daemon, stream, actor, clock, seen, shown } = options;
  const load = async (): Promise<Work> => await options.load();
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const dispatch = (message: Message): void => {
    if (!left.signal.aborted) options.dispatch(message);
  };
  const refresh = (uids: readonly string[]): void => changed.readAgain(uids);
  const pause = new InterruptibleSleep(clock);
  const here = async (effect: LocalEffect): Promise<void> =>
    await options.here(effect, { signal, dispatch });
  const on = { clock, signal, dispatch, daemon, pause };
  const effects = new Effects({ ...on, here, actor, refresh, load });
  const read = async (uids: readonly string[]) => await effects.read(uids);
  const changed = new ChangedIssues({ clock, pause, signal, dispatch, read, seen });
  const resync = (isOlder: boolean): void => {
    dispatch(isOlder ? { type: "reload", isOlder } : { type: "reload" });
    dispatch({ type: "said", text: "resynced" });
  };
  return {
    effects,
    follow: async () => {
      try {
        const after = await effects.start();
        options.onStarted?.();
        dispatch({ type: "reload" });
        await follow({ ...on, stream, shown, changed, after, reload: resync });
      } catch (error) {
        if (!left.signal.aborted) throw error;
      }
    },
    leave: () => left.abort(),
  };
}
