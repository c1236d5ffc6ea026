import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import type { RemoteIssue, RemoteLink } from "../../../src/domain/issue-sync/remote-issue.ts";
import { type GithubOptions, GithubProvider } from "../../../src/sync/github/provider.ts";
import type {
  BoundRepository,
  ProviderFault,
  ProviderProgress,
  ProviderRun,
  RemoteBatch,
} from "../../../src/sync/provider.ts";
import { CERTIFICATE } from "../../client/certificate.ts";
import { serveHost, type Watching } from "../host/server.ts";
import { HostState } from "../host/state.ts";

export const TOKEN = "ghp_geheim0123456789";
export const REPO = "ann/tracker";

/** The time limit of a request, which the tests never reach. */
const REQUEST_MS = 30_000;

/** A clock on which a wait ends at once and is noted, and on which no request takes too long. */
export class HastyClock {
  readonly slept: number[] = [];
  #ms = instantToMs("2026-01-01T00:00:00.000Z");

  nowMs(): number {
    return this.#ms;
  }

  now(): string {
    return msToInstant(this.#ms);
  }

  advance(ms: number): void {
    this.#ms += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms >= REQUEST_MS) {
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      return;
    }
    this.slept.push(ms);
    this.advance(ms);
  }
}

interface Options extends Partial<Pick<GithubOptions, "env" | "home">> {
  readonly settings?: (host: string) => Partial<GithubOptions["settings"]>;
  readonly before?: (state: HostState) => NonNullable<Watching["before"]>;
  readonly onAnswer?: Watching["onAnswer"];
}

/** Lets all tests of a file trust the certificate of the host. */
export function trustHost(): void {
  const trusted = getCACertificates();
  beforeAll(() => setDefaultCACertificates([CERTIFICATE]));
  afterAll(() => setDefaultCACertificates(trusted));
}

/** A host with one repository, in the process of the test, and the provider that reads it with a token. */
export async function hosted({
  before,
  onAnswer,
  settings: settingsFor,
  ...options
}: Options = {}) {
  const state = new HostState();
  const watching = {
    ...(before === undefined ? {} : { before: before(state) }),
    ...(onAnswer === undefined ? {} : { onAnswer }),
  };
  const { host, close: end } = await serveHost(state, watching);
  let isOver = false;
  /** May be called before the end of the test. */
  const close = async (): Promise<void> => {
    if (!isOver) await end();
    isOver = true;
  };
  onTestFinished(close);
  state.addToken(TOKEN);
  const { id, node_id } = state.addRepository("ann", "tracker");
  const clock = new HastyClock();
  const settings = {
    ...{ apps: [], tokenEnv: "SVC_PROVIDER_TOKEN", tokenHost: host, allowedHosts: [host] },
    ...settingsFor?.(host),
  };
  const env = { SVC_PROVIDER_TOKEN: TOKEN, ...options.env };
  const provider = new GithubProvider({ home: "/nowhere", ...options, clock, settings, env });
  const place = { host, owner: "ann", repo: "tracker" };
  const bound: BoundRepository = { ...place, remote_id: node_id, repo_id: String(id) };
  return { state, host, clock, provider, place, bound, close };
}

export interface ReadRun {
  readonly batches: readonly RemoteBatch[];
  readonly issues: readonly RemoteIssue[];
  readonly links: readonly RemoteLink[];
  readonly scan: string | undefined;
  readonly progress: readonly ProviderProgress[];
}

/** Reads everything that a run gives. */
export async function readRun(
  provider: GithubProvider,
  bound: BoundRepository,
  run: Partial<ProviderRun> = {},
): Promise<ReadRun> {
  const progress: ProviderProgress[] = [];
  const batches: RemoteBatch[] = [];
  const whole: ProviderRun = {
    ...{ since: undefined, parents: "rows", signal: new AbortController().signal },
    onProgress: (now) => progress.push(now),
    ...run,
  };
  for await (const batch of provider.prepare(bound, whole)) batches.push(batch);
  const last = batches.at(-1);
  return {
    batches,
    issues: batches.flatMap((batch) => (batch.kind === "issues" ? batch.issues : [])),
    links: last?.kind === "links" ? last.links : [],
    scan: last?.kind === "links" ? last.scan : undefined,
    progress,
  };
}

/** Returns the fault of some work, and checks that nothing of it shows a credential. */
export async function faultOf(work: Promise<unknown>, secret = TOKEN): Promise<ProviderFault> {
  const fault = (await work.then(
    () => {
      throw new Error("there was no fault");
    },
    (error: unknown) => error,
  )) as ProviderFault;
  for (let error: unknown = fault; error instanceof Error; error = error.cause)
    if (`${error.message} ${error.stack} ${JSON.stringify(error)}`.includes(secret))
      throw new Error("the fault shows the credential");
  return fault;
}

/** The numbers of issues, in the order in which they came. */
export function numbersOf(issues: readonly RemoteIssue[]): readonly number[] {
  return issues.map(({ number }) => number);
}
