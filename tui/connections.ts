import type { Clock } from "../src/base/clock.ts";
import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import { transportOf } from "../src/client/transport.ts";
import { instance } from "../src/contract/health.ts";
import { type Connection, connectionTo } from "../src/screen/effects/connection.ts";
import type { DaemonEffect } from "../src/screen/effects/effects.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { WORK } from "../src/screen/effects/work.ts";
import { streamOf } from "./event-stream.ts";
import { onTerminal, type Surface } from "./terminal-effects.ts";

export interface ConnectionsOptions {
  readonly client: Client;
  open(name: string): Client;
  readonly surface: Surface;
  readonly clock: Clock;
  readonly actor: string;
  /** Returns the actor from the user's settings. It is used if the daemon does not determine the caller's actor. */
  ownActor(): Promise<string>;
}

export class Connections {
  readonly #options: ConnectionsOptions;
  #current: Connected;
  #asked = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#current = connect(options.client, options, options.actor);
  }

  run(effect: DaemonEffect): void {
    this.#current.effects.run(effect);
  }

  async follow(): Promise<void> {
    await this.#current.follow();
  }

  async settled(): Promise<void> {
    await this.#current.effects.settled();
  }

  /** Connects the screen to another daemon. The current connection stays until the other daemon has answered. */
  async change(name: string): Promise<void> {
    const { open, ownActor, surface } = this.#options;
    const mine = ++this.#asked;
    let client: Client | undefined;
    try {
      client = open(name);
      const { auth } = await call(client, instance, {});
      const actor = auth.actor ?? (await ownActor());
      // A later request replaced this one, or the screen was closed.
      if (mine !== this.#asked || surface.signal.aborted) return await client.close();
      this.#current.leave();
      this.#current = connect(client, this.#options, actor);
      surface.dispatch({ type: "connected", daemon: name, actor });
      await this.#current.follow();
    } catch (error) {
      const isShown = client === this.#current.client;
      if (!isShown) await client?.close();
      if (surface.signal.aborted || (!isShown && mine !== this.#asked)) return;
      surface.dispatch({ type: "failed", text: `${name}: ${textOf(error)}` });
    }
  }
}

interface Connected extends Connection {
  readonly client: Client;
}

function connect(
  client: Client,
  { surface, clock }: Pick<ConnectionsOptions, "surface" | "clock">,
  actor: string,
): Connected {
  const { signal, dispatch, seen } = surface;
  const connection = connectionTo({
    ...{ actor, clock, signal, dispatch, seen },
    daemon: transportOf(client),
    stream: streamOf(client, clock),
    load: async () => WORK,
    here: async (effect, own) => await onTerminal(effect, { ...surface, ...own }),
    onStarted: () => client.startNoMore(),
  });
  return {
    ...connection,
    client,
    leave: () => {
      connection.leave();
      void client.close();
    },
  };
}
