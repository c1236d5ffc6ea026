import type { Clock } from "../src/base/clock.ts";
import type { Client } from "../src/client/client.ts";
import type { Effect } from "../src/screen/effect.ts";
import type { ReplayState } from "../src/screen/session/state.ts";
import { Connections } from "./connections.ts";
import type { Recording, RecordingHeader } from "./recording/format.ts";
import { Player } from "./recording/player.ts";
import { Recorder } from "./recording/recorder.ts";
import type { Store } from "./store.ts";
import type { Surface } from "./terminal-effects.ts";

export type Source =
  | {
      readonly from: "daemon";
      readonly client: Client;
      /** Returns a client for another daemon by its configured name. The client connects with its first request. */
      open(name: string): Client;
      /** Returns the actor from the user's settings. It is used if the daemon does not determine the caller's actor. */
      ownActor(): Promise<string>;
      /** The file descriptor of an empty file to record into. If `undefined`, nothing is recorded. */
      readonly record: number | undefined;
      readonly maxBytes: number;
    }
  | { readonly from: "recording"; readonly recording: Recording; readonly speed: number };

/** Connects the store to the source of its data, which is a daemon or a recording. Each source has its own clock. */
export interface Feed {
  readonly clock: Clock;
  readonly replay: ReplayState | undefined;
  /** Returns the store that the screen uses. If a recording is made, this store also records its messages. */
  listening(store: Store): Store;
  run(effect: Effect): void;
  /** Sends messages to the store until the data ends. A recording can end before the screen is closed. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly source: Source;
  readonly surface: Surface;
  readonly clock: Clock;
  readonly actor: string;
  readonly opening: RecordingHeader;
}

export function feedOf(options: FeedOptions): Feed {
  const { source } = options;
  return source.from === "daemon" ? daemon(options, source) : recording(options, source);
}

function daemon(
  { surface, clock, actor, opening }: FeedOptions,
  { client, open, ownActor, record, maxBytes }: Extract<Source, { from: "daemon" }>,
): Feed {
  const { dispatch } = surface;
  const recorder =
    record === undefined ? undefined : new Recorder({ fd: record, opening, clock, maxBytes });
  if (recorder !== undefined) recorder.onOver = (text) => dispatch({ type: "failed", text });
  const connections = new Connections({ client, open, ownActor, surface, clock, actor });
  return {
    clock,
    replay: undefined,
    listening: (store) => recorder?.record(store) ?? store,
    run: (effect) => {
      if (effect.effect !== "connect") return connections.run(effect);
      if (recorder === undefined) return void connections.change(effect.name);
      dispatch({ type: "failed", text: "a recording is of one daemon: end it first" });
    },
    follow: async () => await connections.follow(),
    close: async () => {
      await connections.settled();
      await recorder?.close();
    },
  };
}

function recording(
  { surface, clock }: FeedOptions,
  { recording: played, speed }: Extract<Source, { from: "recording" }>,
): Feed {
  const player = new Player(played, speed, clock);
  return {
    clock: player.clock,
    replay: { speed, ended: false },
    listening: (store) => store,
    run: (effect) => player.run(effect, surface),
    follow: async () => await player.play(surface.dispatch, surface.signal),
    close: async () => undefined,
  };
}
