import type { Clock, Instant } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { SvcError } from "../contract/errors.ts";
import type { ProviderName } from "../domain/issue-sync/providers.ts";
import { type BindingRow, configOf, scansParents, sinceOf } from "../domain/issue-sync/run.ts";
import type { OpStore } from "../ops/deps.ts";
import type { RunClaim } from "../ops/issue-sync/binding.ts";
import { endRun, failRun, followRename } from "../ops/issue-sync/claim.ts";
import type { RunOptions, RunResult } from "../ops/issue-sync/far-side.ts";
import type { Chunk, WrittenItems } from "../ops/issue-sync/write-issues.ts";
import { importSourceName } from "../sources/github/read.ts";
import { ChunkSizes } from "./chunks.ts";
import {
  type BindingIdentity,
  type BoundRepository,
  type Provider,
  ProviderFault,
} from "./provider.ts";
import { readAhead } from "./read-ahead.ts";
import { Tally } from "./tally.ts";

export interface RunnerDeps {
  readonly store: OpStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  provider(name: ProviderName): Promise<Provider>;
  /** Writes a part in one transaction, in the write worker if it is large. */
  write(chunk: Chunk): Promise<WrittenItems>;
}

/**
 * Reads the repository of a claimed binding and writes what it reads, part by part
 * (docs/contract/issue-sync.md#4-runs). A run that fails leaves counts and cursor as they were and says why in the
 * status of the binding; what it has written stays, and the next run finds it unchanged. Throws an `SvcError`.
 */
export async function runSync(
  deps: RunnerDeps,
  claim: RunClaim,
  { parents, signal }: RunOptions & { readonly signal: AbortSignal },
): Promise<RunResult> {
  const { log } = deps;
  const { project_uid } = claim;
  const elapsed = deps.clock.nowMs();
  try {
    const result = await readAll(deps, claim, { parents, signal });
    const { created, updated, unchanged, comments, links, requests, waited_ms } = result;
    const ms = deps.clock.nowMs() - elapsed;
    const counts = { created, updated, unchanged, comments, links, requests, waited_ms };
    log.info("issue_sync.done", { project_uid, ms, ...counts });
    return result;
  } catch (error) {
    const fault = faultOf(error, signal);
    if (fault === undefined) {
      log.info("issue_sync.given_up", { project_uid, error });
      throw error;
    }
    const { category, message } = fault;
    log.warn("issue_sync.failed", { project_uid, category, error });
    await noteFailure(deps, claim, `${category}: ${message}`);
    const hint = fault.hint === undefined ? {} : { hint: fault.hint };
    const options = { message: `${category}: ${message}`, ...hint, cause: error };
    throw new SvcError("issue_sync_failed", { category }, options);
  }
}

async function readAll(
  deps: RunnerDeps,
  claim: RunClaim,
  { parents, signal }: RunOptions & { readonly signal: AbortSignal },
): Promise<RunResult> {
  const { store, clock, ids } = deps;
  const binding = await bindingOf(store, claim);
  const provider = await deps.provider(binding.provider as ProviderName);
  const bound = repositoryOf(binding);
  const since = sinceOf(binding);
  const tally = new Tally();
  const sync_uid = ids.ulid();
  const sizes = new ChunkSizes();
  const asksAll = scansParents(binding, clock.nowMs(), parents);
  let cursor: Instant = claim.started_at;
  let [scanned, fileSource] = [false, importSourceName(`${bound.owner}/${bound.repo}`)];
  const write = async (part: Pick<Chunk, "issues" | "links">): Promise<void> => {
    const same = { claim, sync_uid, file_source: fileSource, is_full: since === undefined };
    const written = await writtenPart(deps, { ...same, ...part }, signal);
    sizes.took(written.ms);
    tally.add(written);
    for (const { external_id, why } of written.kept)
      deps.log.info("issue_sync.kept", { project_uid: claim.project_uid, external_id, why });
    if (written.held_since !== null) cursor = earlier(cursor, written.held_since);
  };
  const run = {
    since,
    parents: asksAll ? ("scan" as const) : ("rows" as const),
    onProgress: tally.progress,
  };
  // The next batch is read from the host while the database writes. Otherwise each would wait for the other.
  const batches = readAhead((stop) => provider.prepare(bound, { ...run, signal: stop }), signal);
  for await (const batch of batches) {
    if (batch.kind === "repository") {
      const { identity, host_time } = batch;
      if (isRenamed(binding, identity)) await followRename(store, claim, identity);
      fileSource = importSourceName(identity.display_name);
      if (host_time !== undefined) cursor = earlier(cursor, host_time);
    } else if (batch.kind === "issues") {
      for (const issues of sizes.parts(batch.issues)) await write({ issues, links: [] });
    } else {
      for (const links of sizes.slices(batch.links)) await write({ issues: [], links });
      scanned = batch.scan !== "rows";
    }
  }
  const result = tally.result(binding.source_key, sync_uid);
  await endRun(store, claim, { counts: result, cursor, scanned });
  return result;
}

async function bindingOf(store: OpStore, { project_uid }: RunClaim): Promise<BindingRow> {
  const binding = await store.read(
    async (reader) => await reader.unfolded.find("issue_sync_binding", { project_uid }),
  );
  if (binding === undefined) throw new SvcError("issue_sync_binding_changed", { project_uid });
  return binding;
}

/** The repository of a binding, as its provider takes it. */
export function repositoryOf(binding: BindingRow): BoundRepository {
  const { host, owner, repo, repo_id } = configOf(binding);
  return { host, owner, repo, repo_id, remote_id: binding.remote_id };
}

function isRenamed(binding: BindingRow, { display_name, config }: BindingIdentity): boolean {
  const { owner, repo } = configOf(binding);
  return binding.display_name !== display_name || owner !== config.owner || repo !== config.repo;
}

/** How many times the write of a part is attempted while the database is busy, and the pause between two attempts. */
const BUSY_TRIES = 10;
const BUSY_MS = 1000;

async function writtenPart(
  { write, clock }: RunnerDeps,
  chunk: Chunk,
  signal: AbortSignal,
): Promise<WrittenItems> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write(chunk);
    } catch (error) {
      const isBusy = error instanceof SvcError && error.code === "busy";
      if (!isBusy || tries === BUSY_TRIES || signal.aborted) throw error;
      await clock.sleep(BUSY_MS, signal);
    }
  }
}

interface Fault {
  readonly category: string;
  readonly message: string;
  readonly hint?: string;
}

/** Why a run failed; `undefined` if the run has lost its claim, so that it has nothing to report. */
function faultOf(error: unknown, signal: AbortSignal): Fault | undefined {
  if (error instanceof ProviderFault)
    return { category: error.kind, message: error.message, hint: error.hint };
  if (error instanceof SvcError && LOST.has(error.code)) return undefined;
  if (signal.aborted)
    return { category: "interrupted", message: "the daemon stopped", hint: "the next run goes on" };
  if (error instanceof SvcError) {
    const { message, hint } = error;
    return { category: "import", message, ...(hint === undefined ? {} : { hint: hint }) };
  }
  const message = "an internal error; the daemon's log has the details";
  return { category: "import", message, hint: "svc daemon logs" };
}

const LOST: ReadonlySet<string> = new Set([
  "issue_sync_already_running",
  "issue_sync_binding_changed",
]);

/** How long a run tries to write why it failed, even when the daemon is about to stop. */
const NOTE_MS = 10_000; // docs/contract/issue-sync.md#4-runs
const NOTE_AGAIN_MS = 500;

async function noteFailure(
  { store, clock, log }: RunnerDeps,
  claim: RunClaim,
  message: string,
): Promise<void> {
  const until = clock.nowMs() + NOTE_MS;
  for (;;) {
    try {
      return await failRun(store, claim, message);
    } catch (error) {
      if (clock.nowMs() + NOTE_AGAIN_MS > until) {
        log.warn("issue_sync.status_unwritten", { project_uid: claim.project_uid, error });
        return;
      }
      await clock.sleep(NOTE_AGAIN_MS);
    }
  }
}

function earlier(a: Instant, b: Instant): Instant {
  return b < a ? b : a;
}
