import type { Clock } from "../src/base/clock.ts";
import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import { transportOf } from "../src/client/transport.ts";
import { instance } from "../src/contract/health.ts";
import { type AskedOfOne, Effects, type HereEffect } from "../src/screen/effects/effects.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { InterruptibleSleep } from "../src/screen/effects/interruptible-sleep.ts";
import type { Message } from "../src/screen/message.ts";
import { ChangedIssues } from "./changed-issues.ts";
import { follow } from "./live.ts";
import { onTerminal, type Surface } from "./terminal-effects.ts";

export interface ConnectionsOptions {
  readonly client: Client;
  open(name: string): Client;
  readonly surface: Surface;
  readonly clock: Clock;
  readonly actor: string;
}

/** Connects the screen to a daemon, and to another one on request. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #current: Connection;
  #asked = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#current = connectionTo(options.client, options);
  }

  run(effect: AskedOfOne): void {
    this.#current.effects.run(effect);
  }

  async follow(): Promise<void> {
    await this.#current.follow();
  }

  async settled(): Promise<void> {
    await this.#current.effects.settled();
  }

  /** Switches only after the other daemon has answered; otherwise the current one stays. */
  async change(name: string): Promise<void> {
    const { open, surface } = this.#options;
    const mine = ++this.#asked;
    let client: Client | undefined;
    try {
      client = open(name);
      await call(client, instance, {});
      // A later request replaced this one, or the screen was closed.
      if (mine !== this.#asked || surface.signal.aborted) return await client.close();
      this.#current.leave();
      this.#current = connectionTo(client, this.#options);
      surface.dispatch({ type: "connected", daemon: name });
      await this.#current.follow();
    } catch (error) {
      const isShown = client === this.#current.client;
      if (!isShown) await client?.close();
      if (surface.signal.aborted || (!isShown && mine !== this.#asked)) return;
      surface.dispatch({ type: "failed", text: `${name}: ${textOf(error)}` });
    }
  }
}

interface Connection {
  readonly client: Client;
  readonly effects: Effects;
  follow(): Promise<void>;
  leave(): void;
}

/** A daemon with its effects and its event stream. Answers that arrive after `leave` are dropped. */
function connectionTo(client: Client, { surface, clock, actor }: ConnectionsOptions): Connection {
  const left = new AbortController();
  const signal = AbortSignal.any([surface.signal, left.signal]);
  const dispatch = (message: Message): void => {
    if (!left.signal.aborted) surface.dispatch(message);
  };
  const refresh = (uids: readonly string[]): void => changed.readAgain(uids);
  const pause = new InterruptibleSleep(clock);
  const daemon = transportOf(client);
  const here = async (effect: HereEffect): Promise<void> =>
    await onTerminal(effect, { ...surface, signal, dispatch });
  const effects = new Effects({ clock, signal, dispatch, here, daemon, actor, refresh, pause });
  const read = async (uids: readonly string[]) => await effects.read(uids);
  const { seen } = surface;
  const changed = new ChangedIssues({ clock, pause, signal, dispatch, read, seen });
  const reload = (): void => dispatch({ type: "reload" });
  const resync = (): void => {
    reload();
    dispatch({ type: "said", text: "resynced" });
  };
  return {
    client,
    effects,
    follow: async () => {
      try {
        const after = await effects.start();
        client.startNoMore();
        reload();
        await follow({ client, clock, pause, signal, after, dispatch, changed, reload: resync });
      } catch (error) {
        if (!left.signal.aborted) throw error;
      }
    },
    leave: () => {
      left.abort();
      void client.close();
    },
  };
}
