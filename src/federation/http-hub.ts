import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import { gunzip } from "../base/gunzip.ts";
import { parseExact } from "../base/json.ts";
import { EVENT_FEATURES, FEATURES_HEADER, featuresOf } from "../contract/capabilities.ts";
import { ERRORS } from "../contract/error-codes.ts";
import {
  getFederationProjectMetadata,
  INSTANCE_HEADER,
  ingestFederationProjectEvents,
  REPLICA_STAMP_HEADER,
} from "../contract/federation-transport.ts";
import {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../contract/federation-verify.ts";
import { acquireIssueLease, getIssueLeaseStatus } from "../contract/leases.ts";
import { MAX_FEDERATION_PAGE_BYTES } from "../contract/limits.ts";
import { LOG_HEADER, logMarkText } from "../contract/log-mark.ts";
import type { Output, Route } from "../contract/route.ts";
import { BASE_PATH } from "../contract/version.ts";
import {
  type HubRowHashes,
  type HubSums,
  type RowHashRange,
  rowHashesPath,
  type SumRange,
} from "../ops/federation/hub-questions.ts";
import type { SentPage } from "../ops/federation/sent-page.ts";
import type { HubLeaseRequest } from "../ops/leases/hub-leases.ts";
import { isGzip } from "../outgoing/body.ts";
import type { OutgoingAnswer } from "../outgoing/exchange.ts";
import { FarSide, type OutgoingRequest } from "../outgoing/far-side.ts";
import { OutgoingFault } from "../outgoing/fault.ts";
import { retryAfterMs } from "../outgoing/waits.ts";
import {
  type Hub,
  type HubCursor,
  HubFault,
  type HubLeaseReply,
  type HubMetadata,
  type HubReceipt,
  type SentBatch,
} from "./hub.ts";
import { wordsOf } from "./hub-words.ts";
import { LASTING_FAULTS } from "./lasting-faults.ts";

export interface HubPlace {
  readonly hub_url: string;
  readonly hub_project_id: number;
  readonly token: string;
  readonly allow_insecure: boolean;
  /** The instance uid of this database, for which the enrollment was made. */
  readonly spoke_instance_uid: string;
}

export interface HttpHubOptions {
  readonly clock: Clock;
  readonly trustsPrivateNetwork: boolean;
  /** The time limit of one request, from the first name lookup to the last byte. */
  readonly maxMs: number;
}

/** The default time limit of one request. */
export const HUB_REQUEST_MS = 60_000; // docs/contract/federation.md#12-limits
const MAX_METADATA_BYTES = 1024 * 1024;
const MAX_RECEIPT_BYTES = 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Reads a hub over HTTP. The token is sent to the origin of the hub only; redirects to other origins are refused. */
export class HttpHub implements Hub {
  readonly #farSide: FarSide;
  readonly #project: string;
  readonly #path: string;
  readonly #instance: string;
  readonly #options: HttpHubOptions;

  /** Throws `validation` if no request may be sent to the address of the hub. */
  constructor(
    options: HttpHubOptions,
    { hub_url, hub_project_id, token, allow_insecure, spoke_instance_uid }: HubPlace,
  ) {
    const { clock, trustsPrivateNetwork } = options;
    this.#options = options;
    this.#instance = spoke_instance_uid;
    this.#project = `${BASE_PATH.slice(1)}/projects/${hub_project_id}`;
    this.#path = `${this.#project}/federation`;
    this.#farSide = new FarSide(
      { clock },
      {
        url: hub_url,
        from: "hub_url",
        bearer: token,
        trustsPrivateNetwork,
        allowsInsecure: allow_insecure,
        pinned: true,
      },
    );
  }

  async metadata(signal: AbortSignal): Promise<HubMetadata> {
    const answer = await this.#send("metadata", { maxBytes: MAX_METADATA_BYTES }, signal);
    const body = jsonOf(answer.body);
    this.#requireOk(answer, body);
    const parsed = getFederationProjectMetadata.response().safeParse(body);
    if (!parsed.success) throw new HubFault("hub_validation");
    const header = answer.headers[FEATURES_HEADER.toLowerCase()];
    const supported_event_features = featuresOf(typeof header === "string" ? header : undefined);
    return { ...parsed.data, supported_event_features };
  }

  async eventsAfter(
    { after, limit, log, stamp }: HubCursor,
    signal: AbortSignal,
  ): Promise<SentPage> {
    const headers = {
      ...(log === undefined ? {} : { [LOG_HEADER]: logMarkText(log) }),
      ...stampOf({ stamp }),
    };
    const path = `events?after_id=${after}&limit=${limit}`;
    const limits = { maxBytes: MAX_FEDERATION_PAGE_BYTES, compressed: true };
    const answer = await this.#send(path, { ...limits, headers }, signal);
    const page = { bytes: answer.body, isGzip: isGzip(answer.headers) };
    if (answer.status !== 200) this.#requireOk(answer, jsonOf(await refusalText(page)));
    return page;
  }

  async submit(batch: SentBatch, signal: AbortSignal): Promise<HubReceipt> {
    const body = requestOf(batch);
    const headers = { "content-type": "application/json", ...stampOf(batch) };
    const request = { method: "POST", body, headers, maxBytes: MAX_RECEIPT_BYTES } as const;
    const answer = await this.#send("events:ingest", request, signal);
    const found = jsonOf(answer.body);
    this.#requireOk(answer, found);
    const parsed = ingestFederationProjectEvents.response().safeParse(found);
    if (!parsed.success) throw new HubFault("hub_validation");
    return parsed.data;
  }

  async lease(
    { action, issue_uid, body }: HubLeaseRequest,
    signal: AbortSignal,
  ): Promise<HubLeaseReply> {
    const lease = `${this.#project}/issues/${issue_uid}/lease`;
    const isRead = action === "status";
    const headers = { accept: "application/json", [INSTANCE_HEADER]: this.#instance };
    const how = isRead
      ? ({ method: "GET", url: lease, headers } as const)
      : ({
          method: "POST",
          url: `${lease}/actions/${action}`,
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        } as const);
    const limits = { maxMs: this.#options.maxMs, maxBytes: MAX_METADATA_BYTES };
    const answer = await this.#farSide
      .send({ ...how, ...limits, redirects: "same-origin", signal })
      .catch((error: unknown) => {
        throw error instanceof OutgoingFault ? faultOf(error) : error;
      });
    return leaseReplyOf(answer, isRead, issue_uid);
  }

  async sums({ after, through }: SumRange, signal: AbortSignal): Promise<HubSums> {
    const path = `sums?after_id=${after}&through_id=${through}`;
    return await this.#read(path, sumFederationProjectEvents, signal);
  }

  async rowHashes(range: RowHashRange, signal: AbortSignal): Promise<HubRowHashes> {
    return await this.#read(rowHashesPath(range), hashFederationProjectIssues, signal);
  }

  /** Requests a route below the project's federation, and parses the answer. */
  async #read<T extends Route>(path: string, route: T, signal: AbortSignal): Promise<Output<T>> {
    const answer = await this.#send(path, { maxBytes: MAX_METADATA_BYTES }, signal);
    const body = jsonOf(answer.body);
    this.#requireOk(answer, body);
    const parsed = route.response().safeParse(body);
    if (!parsed.success) throw new HubFault("hub_validation");
    return parsed.data as Output<T>;
  }

  close(): void {
    this.#farSide.close();
  }

  async #send(
    path: string,
    { headers: own = {}, ...sent }: Sent,
    signal: AbortSignal,
  ): Promise<OutgoingAnswer> {
    const headers = {
      accept: "application/json",
      [FEATURES_HEADER]: EVENT_FEATURES.join(", "),
      [INSTANCE_HEADER]: this.#instance,
      ...own,
    };
    const request = {
      method: "GET",
      url: `${this.#path}/${path}`,
      headers,
      maxMs: this.#options.maxMs,
      ...sent,
      redirects: "same-origin",
      signal,
    } as const;
    return await this.#farSide.send(request).catch((error: unknown) => {
      throw error instanceof OutgoingFault ? faultOf(error) : error;
    });
  }

  /** Throws `HubFault` if the hub refused the request. */
  #requireOk({ status, headers }: OutgoingAnswer, body: unknown): void {
    if (status === 200) return;
    throw new HubFault(knownCode(body) ?? codeOfStatus(status), {
      status,
      retryAfterMs: retryAfterMs(headers["retry-after"], this.#options.clock.nowMs()),
      words: wordsOf(body, (text) => this.#farSide.redact(text)),
    });
  }
}

/**
 * Returns the header with the stamp of the replica. If the replica's database is copied, the stamps show the hub that
 * there are two replicas.
 */
export function stampOf({ stamp }: Pick<HubCursor, "stamp"> | Pick<SentBatch, "stamp">) {
  return stamp === undefined ? {} : { [REPLICA_STAMP_HEADER]: stamp };
}

/** Throws `HubFault` for an answer that no hub gives, or that is about another issue. */
function leaseReplyOf(
  { status, body }: OutgoingAnswer,
  isRead: boolean,
  issueUid: string,
): HubLeaseReply {
  const said = jsonOf(body);
  if (status !== 200) return { outcome: "refused", status, code: knownCode(said) };
  const schema = isRead ? getIssueLeaseStatus.response() : acquireIssueLease.response();
  const { data } = schema.safeParse(said);
  const isOurs = data !== undefined && (data.lease?.issue_uid ?? issueUid) === issueUid;
  if (!isOurs) throw new HubFault("hub_validation");
  return { outcome: "answered", answer: data };
}

type Sent = Pick<OutgoingRequest, "headers" | "maxBytes" | "compressed" | "body"> &
  Partial<Pick<OutgoingRequest, "method">>;

/** Returns the body of a refusal, at most `MAX_REFUSAL_BYTES`; empty if it cannot be decompressed. */
async function refusalText({ bytes, isGzip: isCompressed }: SentPage): Promise<Uint8Array> {
  if (!isCompressed) return bytes.subarray(0, MAX_REFUSAL_BYTES);
  const found = await gunzip(bytes, MAX_REFUSAL_BYTES).catch(() => undefined);
  return found ?? new Uint8Array();
}

function faultOf(fault: OutgoingFault): HubFault {
  return new HubFault(LASTING_FAULTS.has(fault.kind) ? "hub_validation" : "hub_unavailable", {
    cause: fault,
  });
}

function codeOfStatus(status: number): string {
  if (status === 401 || status === 403) return "hub_authentication";
  return status === 408 || status === 429 || status >= 500 ? "hub_unavailable" : "hub_validation";
}

/** Returns the code of the hub's error, if this daemon has an error with the same code. */
function knownCode(body: unknown): string | undefined {
  const parsed = z.object({ error: z.object({ code: z.string() }) }).safeParse(body);
  const code = parsed.data?.error.code;
  return code !== undefined && Object.hasOwn(ERRORS, code) ? code : undefined;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The body of a request that sends events, which are JSON texts already. */
export function requestOf({ schema_version, events, adoption }: SentBatch): string {
  const head = JSON.stringify({ schema_version, ...adoption });
  return `${head.slice(0, -1)},"events":[${events.join(",")}]}`;
}
