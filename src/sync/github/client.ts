import type { Clock } from "../../base/clock.ts";
import { isPlainObject, type JsonObject, type JsonValue, parseExact } from "../../base/json.ts";
import type { OutgoingAnswer } from "../../outgoing/exchange.ts";
import { FarSide, type OutgoingRequest } from "../../outgoing/far-side.ts";
import { OutgoingFault } from "../../outgoing/fault.ts";
import { type Pause, sendPatiently } from "../../outgoing/patience.ts";
import { Waits } from "../../outgoing/waits.ts";
import { faultOfAnswer, faultOfOutgoing, undecodable } from "./faults.ts";
import { type GuardedPlace, guardedUrl, guardGraphql } from "./guard.ts";
import { linkTo } from "./page-link.ts";
import { githubPause } from "./pause.ts";
import type { Progress } from "./progress.ts";

/** The time limit of one request, from the name lookup to the last byte. */
const MAX_MS = 30_000;
/** A page of 100 issues whose texts are as long as the host allows has about 20 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The limits of docs/contract/issue-sync.md#9-repeats-and-waits: for one wait, and for all waits of a list with all its
 * pages.
 */
export const WAIT_LIMITS = { oneMs: 30_000, allMs: 60_000 };

const HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
};

/** Moved, not found, deleted. */
const GONE = new Set([301, 404, 410]);

export interface Page {
  readonly rows: readonly JsonObject[];
  /** The guarded address of the next page. */
  readonly next: string | undefined;
  readonly link: string | undefined;
}

export interface ClientOptions {
  readonly clock: Clock;
  readonly place: GuardedPlace;
  readonly bearer: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Sends requests about one repository, with one credential. Refuses addresses of anything else. */
export class GithubClient {
  readonly #options: ClientOptions;
  readonly #farSide: FarSide;
  #place: GuardedPlace;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#place = options.place;
    this.#farSide = farSideOf(options, options.place.endpoints.rest, options.bearer);
  }

  /** Sets the present name of the repository, which may have been renamed. Later requests use it. */
  rename(name: Pick<GuardedPlace, "owner" | "repo" | "repo_id">): void {
    this.#place = { ...this.#place, ...name };
  }

  get place(): GuardedPlace {
    return this.#place;
  }

  close(): void {
    this.#farSide.close();
  }

  /** The waits of one list, which its pages share. */
  waits(): Waits {
    return new Waits(this.#options, WAIT_LIMITS);
  }

  /** The repository by its name. The answer is a redirect if it was renamed. */
  async repository(waits: Waits): Promise<OutgoingAnswer> {
    return await this.#send({ url: this.#url(""), redirects: "answer" }, waits);
  }

  /** The repository by its number, which it keeps. */
  async repositoryByNumber(repo_id: string, waits: Waits): Promise<OutgoingAnswer> {
    const url = `${this.#place.endpoints.rest}/repositories/${encodeURIComponent(repo_id)}`;
    return await this.#send({ url }, waits);
  }

  /**
   * A page of a list below the repository. `address` is a path below the repository, or the address of a page that the
   * host named.
   */
  async page(address: string, waits: Waits): Promise<Page> {
    return this.#pageIn(await this.#send({ url: this.#guarded(address) }, waits));
  }

  /** A page of a list that belongs to an issue; `undefined` if the issue was deleted or moved to another repository. */
  async pageOfIssue(address: string, waits: Waits): Promise<Page | undefined> {
    const request = { url: this.#guarded(address), redirects: "answer" } as const;
    const answer = await this.#send(request, waits);
    return GONE.has(answer.status) ? undefined : this.#pageIn(answer);
  }

  #guarded(address: string): string {
    return guardedUrl(this.#place, address.startsWith("https:") ? address : this.#url(address));
  }

  #pageIn(answer: OutgoingAnswer): Page {
    if (answer.status !== 200) throw this.fault(answer, "page");
    const rows = this.decode(answer);
    if (!Array.isArray(rows) || !rows.every(isPlainObject))
      throw undecodable("no list where a page of a list was asked");
    const { link: links } = answer.headers;
    const link = Array.isArray(links) ? links.join(", ") : links;
    const next = linkTo("next", link);
    return { rows, link, next: next === undefined ? undefined : guardedUrl(this.#place, next) };
  }

  async graphql(query: string, after: string | undefined, waits: Waits): Promise<JsonObject> {
    const { owner, repo, endpoints } = this.#place;
    const body = JSON.stringify({ query, variables: { owner, repo, after: after ?? null } });
    guardGraphql(this.#place, body);
    const request = { method: "POST", url: endpoints.graphql, body, repeatable: true } as const;
    const answer = await this.#send(request, waits);
    if (answer.status !== 200) throw this.fault(answer, "page");
    const value = this.decode(answer);
    if (!isPlainObject(value)) throw undecodable("no object where a query was asked");
    return value;
  }

  decode({ body }: OutgoingAnswer): JsonValue {
    try {
      return parseExact(body.toString("utf8"));
    } catch {
      throw undecodable("an answer that is no JSON");
    }
  }

  fault(answer: OutgoingAnswer, what: "repository" | "page"): Error {
    return faultOfAnswer(answer, what, this.#farSide.redact);
  }

  #url(path: string): string {
    const { endpoints, owner, repo } = this.#place;
    const name = [owner, repo].map(encodeURIComponent).join("/");
    return `${endpoints.rest}/repos/${name}${path === "" ? "" : `/${path}`}`;
  }

  async #send(
    request: Partial<OutgoingRequest> & { readonly url: string },
    waits: Waits,
  ): Promise<OutgoingAnswer> {
    const { progress, signal } = this.#options;
    return await ask(this.#farSide, request, { waits, progress, signal });
  }
}

export function farSideOf({ clock }: { readonly clock: Clock }, url: string, bearer: string) {
  const from = "the host of the issue sync";
  return new FarSide(
    { clock },
    { url, from, bearer, trustsPrivateNetwork: false, allowsInsecure: false },
  );
}

interface Asking {
  readonly waits: Waits;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Sends a request, and repeats it if the host or the network failed. Returns the answer, whatever its status. */
export async function ask(
  farSide: FarSide,
  request: Partial<OutgoingRequest> & { readonly url: string },
  { waits, progress, signal }: Asking,
): Promise<OutgoingAnswer> {
  const limits = { maxMs: MAX_MS, maxBytes: MAX_BYTES };
  const headers = {
    ...HEADERS,
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const pause: Pause = (outcome, attempt, nowMs) => {
    const ms = githubPause(outcome, attempt, nowMs);
    if (ms === undefined) return undefined;
    progress.add({ requests: 1 });
    progress.waiting(ms, whyOf(outcome));
    return ms;
  };
  try {
    const sent = { method: "GET", ...limits, headers, signal, ...request } as const;
    return await sendPatiently(farSide, sent, { waits, pause });
  } catch (error) {
    if (error instanceof OutgoingFault) throw faultOfOutgoing(error);
    throw error;
  } finally {
    progress.add({ requests: 1 });
  }
}

function whyOf(outcome: OutgoingAnswer | OutgoingFault): string {
  return outcome instanceof OutgoingFault ? outcome.message : `the host answered ${outcome.status}`;
}
