import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { EmbeddingsConfig } from "../config/embeddings.ts";
import type { FarSide } from "../outgoing/far-side.ts";
import { OutgoingFault } from "../outgoing/fault.ts";
import { retryAfterMs } from "../outgoing/waits.ts";
import { vectorsIn } from "./answer.ts";

/**
 * - `status`: any answer that is not 2xx, redirects included.
 * - `transport`: the connection failed, or the key cannot be read.
 * - `invalid`: a 2xx answer that cannot be used.
 * - `too_large`: a 2xx answer that is larger than the vectors can be.
 * - `stopped`: the caller aborted the call.
 */
export type Embedded =
  | { readonly vectors: readonly Float32Array[] }
  | { readonly status: number; readonly retryAfterMs?: number }
  | { readonly fault: "transport" | "timeout" | "invalid" | "too_large" | "stopped" };

interface Needs {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: EmbeddingsConfig;
}

/** A connection with one key. A key that was replaced serves the calls that began with it, and is closed after them. */
interface Connection {
  readonly farSide: FarSide;
  calls: number;
  isReplaced: boolean;
}

const MIB = 1024 * 1024;

/** The client of the server that turns texts into vectors. Nothing of its answers but numbers is kept or logged. */
export class Provider {
  readonly #deps: Needs;
  #connection: Promise<Connection> | undefined;

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Gives one vector of length 1 for each input. Throws for no fault of the provider. */
  async embed(
    inputs: readonly string[],
    options: { readonly maxMs: number; readonly signal: AbortSignal },
  ): Promise<Embedded> {
    const { clock, log } = this.#deps;
    const begun = clock.nowMs();
    const embedded = await this.#ask(inputs, options);
    if ("vectors" in embedded || ("fault" in embedded && embedded.fault === "stopped"))
      return embedded;
    const why = "status" in embedded ? { status: embedded.status } : { fault: embedded.fault };
    const ms = clock.nowMs() - begun;
    log.warn("embeddings.call_failed", { ...why, inputs: inputs.length, ms });
    return embedded;
  }

  /** Reads the key again, for the next call. If it cannot be read, the old key stays. */
  async keyChanged(): Promise<void> {
    const old = this.#connection;
    const opened = await this.#open().catch(() => undefined);
    if (opened === undefined) return;
    this.#connection = Promise.resolve(opened);
    const replaced = await old?.catch(() => undefined);
    if (replaced === undefined) return;
    replaced.isReplaced = true;
    closeUnused(replaced);
  }

  close(): void {
    void this.#connection?.then(
      ({ farSide }) => farSide.close(),
      () => undefined,
    );
    this.#connection = undefined;
  }

  async #ask(
    inputs: readonly string[],
    { maxMs, signal }: { readonly maxMs: number; readonly signal: AbortSignal },
  ): Promise<Embedded> {
    const { settings, clock } = this.#deps;
    const { model, dims } = settings;
    const connection = await this.#connected();
    if (connection === undefined) return { fault: "transport" };
    connection.calls++;
    try {
      const { status, headers, body } = await connection.farSide.send({
        method: "POST",
        url: "embeddings",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model, input: inputs }),
        maxMs,
        maxBytes: dims * inputs.length * 16 + MIB,
        redirects: "answer",
        signal,
      });
      if (status < 200 || status > 299) {
        const waitMs = retryAfterMs(headers["retry-after"], clock.nowMs());
        return { status, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) };
      }
      const vectors = await vectorsIn(body, { inputs: inputs.length, dims });
      return vectors === undefined ? { fault: "invalid" } : { vectors };
    } catch (error) {
      if (!(error instanceof OutgoingFault)) throw error;
      return { fault: FAULTS[error.kind] ?? "transport" };
    } finally {
      connection.calls--;
      closeUnused(connection);
    }
  }

  /** `undefined` if the key cannot be read. It is read again at the next call. */
  async #connected(): Promise<Connection | undefined> {
    this.#connection ??= this.#open();
    const opening = this.#connection;
    try {
      return await opening;
    } catch {
      if (this.#connection === opening) this.#connection = undefined;
      return undefined;
    }
  }

  async #open(): Promise<Connection> {
    const { clock, log, settings } = this.#deps;
    try {
      const bearer = await settings.key();
      const { FarSide } = await import("../outgoing/far-side.ts");
      const place = {
        url: settings.baseUrl,
        from: "[search.embeddings] base_url",
        ...(bearer === undefined ? {} : { bearer }),
        trustsPrivateNetwork: settings.trustsPrivateNetwork,
        allowsInsecure: false,
      };
      return { farSide: new FarSide({ clock }, place), calls: 0, isReplaced: false };
    } catch (error) {
      // The text of the error may repeat a part of the file with the key.
      log.warn("embeddings.key_not_read");
      throw error;
    }
  }
}

const FAULTS: Readonly<
  Partial<Record<OutgoingFault["kind"], "timeout" | "invalid" | "too_large" | "stopped">>
> = { timeout: "timeout", stopped: "stopped", too_large: "too_large", unreadable: "invalid" };

function closeUnused({ farSide, calls, isReplaced }: Connection): void {
  if (isReplaced && calls === 0) farSide.close();
}
