import type { Clock } from "../../base/clock.ts";
import type { App } from "../app.ts";
import { LOCAL_ID, type Place, placeText } from "../listener.ts";
import { type Listener, type ListenOptions, listen } from "./listeners.ts";
import type { OpenRequests } from "./open-requests.ts";

/** The open listeners of the daemon. Commands on this machine use the first listener of `all`. */
export interface Listeners {
  readonly all: readonly Listener[];
  add(place: Place, options: ListenOptions): Promise<Listener>;
  /** The number of requests that are not answered yet, streams included. */
  pending(): number;
  quiet(): Promise<void>;
  closeIdle(): void;
  close(): Promise<void>;
}

/** Opens a listener at each place. If one of them cannot be opened, closes the others and throws. */
export async function listenAt(
  app: App,
  places: readonly Place[],
  clock: Clock,
  options: Omit<ListenOptions, "id">,
): Promise<Listeners> {
  const all: Listener[] = [];
  const close = async (): Promise<void> =>
    void (await Promise.all(all.map(async (listener) => await listener.close())));
  try {
    for (const place of places) {
      const id = all.length === 0 ? LOCAL_ID : placeText(place);
      all.push(await listen(app, place, clock, { ...options, id }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    all,
    add: async (place, added) => {
      const listener = await listen(app, place, clock, added);
      all.push(listener);
      return listener;
    },
    pending: () => all.reduce((sum, listener) => sum + listener.pending(), 0),
    quiet: async () => void (await Promise.all(all.map(async (one) => await one.quiet()))),
    closeIdle: () => {
      for (const listener of all) listener.closeIdle();
    },
    close,
  };
}

/**
 * Returns the `Listeners` of a daemon that listens nowhere. The program that contains the daemon passes requests to its
 * `fetch` or h3 app.
 */
export function noListeners(requests: OpenRequests): Listeners {
  return {
    all: [],
    add: async () => {
      throw new Error("an app without listeners opens none");
    },
    pending: () => requests.count,
    quiet: async () => await requests.none(),
    closeIdle: () => undefined,
    close: async () => undefined,
  };
}
