import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../base/log.ts";
import type { HostPort } from "../../config/addresses.ts";
import { localSessionRequirement } from "../../domain/access/browser.ts";
import { type Mode } from "../../domain/access/modes.ts";
import type { WebOrigin } from "../access/browser.ts";
import { isLocalPlace, type ListenerRules, placeText } from "../listener.ts";
import { StartError } from "../start-error.ts";
import type { Listeners } from "./all-listeners.ts";
import type { Certificate } from "./certificate.ts";
import type { Listener } from "./listeners.ts";

/** The listener for pages that the daemon has in addition to its socket. */
export interface PagesPlace {
  /** Port 0 allows any port. The port of the last start is tried first, so that open pages and links stay valid. */
  readonly place: HostPort;
  /** True if the settings name the address. The daemon then does not start without this listener. */
  readonly required: boolean;
}

export interface PagesOptions {
  readonly pages: PagesPlace;
  readonly listeners: Listeners;
  readonly certificate: Certificate | undefined;
  readonly rules: ListenerRules | undefined;
  readonly runtimeDir: string;
}

const PAGES_ID = "pages";

async function openPages({
  pages: { place },
  listeners,
  certificate,
  rules,
  runtimeDir,
}: PagesOptions): Promise<Listener> {
  const options = {
    id: PAGES_ID,
    pages: true,
    rules,
    // No HTTPS on a loopback address: nothing travels over a network there, and browsers warn of a certificate that
    // does not name that address.
    certificate: isLocalPlace(place) ? undefined : certificate,
  };
  const file = join(runtimeDir, "web-port");
  const last = place.port === 0 ? lastPort(file) : undefined;
  const listener =
    last === undefined
      ? await listeners.add(place, options)
      : await listeners.add(place, { ...options, port: last }).catch(async (error: unknown) => {
          if (error instanceof StartError) return await listeners.add(place, options);
          throw error;
        });
  const port = Number(listener.endpoint.address.replace(/^.*:/, ""));
  if (place.port === 0 && port !== last) writeFileSync(file, `${port}\n`, { mode: 0o600 });
  return listener;
}

function lastPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens the listener for pages before the daemon is announced. If that fails, closes all listeners and throws, so that
 * the daemon does not start.
 */
export async function openRequiredPages(options: PagesOptions): Promise<void> {
  try {
    await openPages(options);
  } catch (error) {
    await options.listeners.close();
    throw error;
  }
}

/** Opens the listener for pages after the daemon was announced. If that fails, the daemon runs without pages. */
export async function openPagesLate(options: PagesOptions, log: Log): Promise<void> {
  try {
    await openPages(options);
  } catch (error) {
    log.warn("pages.unavailable", { address: placeText(options.pages.place), error });
  }
}

/**
 * Returns the one origin of the daemon's pages: the origin of the listener for pages, otherwise of the first listener
 * that serves pages.
 */
export function webOrigin(listeners: readonly Listener[]): WebOrigin | undefined {
  const serving = listeners.filter(({ web }) => web !== undefined);
  return (serving.find(({ recorded }) => recorded.kind === "browser") ?? serving[0])?.web;
}

/** Returns the origin at which a page of this machine can open a session without a token. */
export function localOrigin(listeners: readonly Listener[], mode: Mode): string | undefined {
  const local = listeners.filter(
    ({ described }) => localSessionRequirement({ ...described, mode }) !== "never",
  );
  return webOrigin(local)?.origin;
}
