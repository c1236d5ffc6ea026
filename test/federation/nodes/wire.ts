import { z } from "zod";
import { EVENT_FEATURES, FEATURES_HEADER } from "../../../src/contract/capabilities.ts";
import {
  getFederationProjectMetadata,
  INSTANCE_HEADER,
  ingestFederationProjectEvents,
} from "../../../src/contract/federation-transport.ts";
import {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../../../src/contract/federation-verify.ts";
import { LOG_HEADER, logMarkText } from "../../../src/contract/log-mark.ts";
import { BASE_PATH } from "../../../src/contract/version.ts";
import { requestOf, stampOf } from "../../../src/federation/http-hub.ts";
import {
  type Hub,
  type HubCursor,
  HubFault,
  type HubMetadata,
  type HubReceipt,
  type SentBatch,
} from "../../../src/federation/hub.ts";
import {
  type HubRowHashes,
  type HubSums,
  type RowHashRange,
  rowHashesPath,
  type SumRange,
} from "../../../src/ops/federation/hub-questions.ts";
import type { SentPage } from "../../../src/ops/federation/sent-page.ts";
import type { World } from "../../support/world.ts";

export const WEATHER = ["whole", "lost", "unanswered", "cut", "repeated", "again"] as const;

/**
 * What becomes of one request.
 * - `lost`: it does not reach the hub.
 * - `unanswered`: the hub carries it out, but its answer is lost.
 * - `cut`: only the first half of the answer arrives.
 * - `repeated`: it reaches the hub twice, and the second answer arrives.
 * - `again`: the answer to an earlier request arrives.
 * - `refused`: the hub refuses for good what it is sent.
 */
export type Weather = (typeof WEATHER)[number] | "refused";

/** The network between a spoke and its hub, as a function. */
export class Wire implements Hub {
  readonly #hub: Pick<World, "app">;
  readonly #projectId: number;
  readonly #token: string;
  readonly #instance: string;
  /** The weather of the next request; then it is fine. */
  readonly #next: () => Weather;
  readonly #last: Map<number, string>;

  constructor({ hub, token, instance, next, last }: WireOptions, projectId: number) {
    this.#hub = hub;
    this.#projectId = projectId;
    this.#token = token;
    this.#instance = instance;
    this.#next = next;
    this.#last = last;
  }

  async metadata(): Promise<HubMetadata> {
    const text = await this.#send("metadata", {});
    const parsed = getFederationProjectMetadata.response().safeParse(jsonOf(text));
    if (!parsed.success) throw new HubFault("hub_validation");
    return { ...parsed.data, supported_event_features: EVENT_FEATURES };
  }

  async eventsAfter({ after, limit, log, stamp }: HubCursor): Promise<SentPage> {
    const text = await this.#send(`events?after_id=${after}&limit=${limit}`, {
      ...(log === undefined ? {} : { [LOG_HEADER]: logMarkText(log) }),
      ...stampOf({ stamp }),
    });
    return { bytes: Buffer.from(text), isGzip: false };
  }

  async submit(batch: SentBatch): Promise<HubReceipt> {
    const body = requestOf(batch);
    const headers = { "content-type": "application/json", ...stampOf(batch) };
    const text = await this.#send("events:ingest", headers, body);
    const parsed = ingestFederationProjectEvents.response().safeParse(jsonOf(text));
    if (!parsed.success) throw new HubFault("hub_validation");
    return parsed.data;
  }

  async sums({ after, through }: SumRange): Promise<HubSums> {
    const text = await this.#send(`sums?after_id=${after}&through_id=${through}`, {});
    return sumFederationProjectEvents.response().parse(jsonOf(text));
  }

  async rowHashes(range: RowHashRange): Promise<HubRowHashes> {
    const text = await this.#send(rowHashesPath(range), {});
    return hashFederationProjectIssues.response().parse(jsonOf(text));
  }

  /** The stories take no leases. */
  async lease(): Promise<never> {
    return await Promise.reject(new HubFault("hub_unavailable"));
  }

  close(): void {
    // There is no connection to close.
  }

  async #send(
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<string> {
    const weather = this.#next();
    if (weather === "lost") throw new HubFault("hub_unavailable");
    const before = this.#last.get(this.#projectId);
    if (weather === "again" && before !== undefined && path.startsWith("events?")) return before;
    if (weather === "refused" && body !== undefined)
      throw new HubFault("validation", { status: 400, words: "not today" });
    let text = await this.#answer(path, headers, body);
    if (weather === "repeated") text = await this.#answer(path, headers, body);
    if (weather === "unanswered") throw new HubFault("hub_unavailable");
    if (weather === "cut") return text.slice(0, text.length / 2);
    if (path.startsWith("events?")) this.#last.set(this.#projectId, text);
    return text;
  }

  async #answer(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<string> {
    const url = `http://localhost${BASE_PATH}/projects/${this.#projectId}/federation/${path}`;
    const authorization = `Bearer ${this.#token}`;
    const sent = {
      authorization,
      [FEATURES_HEADER]: EVENT_FEATURES.join(", "),
      [INSTANCE_HEADER]: this.#instance,
      ...headers,
    };
    const response = await this.#hub.app.fetch(
      new Request(url, {
        headers: sent,
        ...(body === undefined ? {} : { method: "POST", body }),
      }),
    );
    const text = await response.text();
    if (response.status === 200) return text;
    const refusal = z.object({ error: z.object({ code: z.string() }) }).parse(jsonOf(text));
    throw new HubFault(refusal.error.code, { status: response.status });
  }
}

export interface WireOptions {
  readonly hub: Pick<World, "app">;
  readonly token: string;
  /** The instance uid of the spoke. */
  readonly instance: string;
  readonly next: () => Weather;
  /** The last answer with events that arrived, by the id of the project. */
  readonly last: Map<number, string>;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
