import { type Clock, type Instant, msToInstant } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import type { EventDraft, EventKind, StoredEvent } from "../../contract/events.ts";
import type { Snapshot } from "../../domain/federation/baseline.ts";
import type { LeaseRow, Touches } from "../../domain/state.ts";
import { admit } from "../admit.ts";
import { type Appending, append, appendAll, appendNewIssues } from "../append.ts";
import { appendSnapshots, beginBaseline } from "../append-baseline.ts";
import type { Backend } from "../backend.ts";
import { loadAttached } from "../load/attached.ts";
import { load } from "../load/load.ts";
import { clearReplica, sendAgain } from "../purge/clear-replica.ts";
import { forgetLocalPurges } from "../purge/forget-local-purges.ts";
import { purgeIssue, purgeProject } from "../purge/purge.ts";
import { Repositories } from "../reader.ts";
import { refoldRows } from "../refold/refold.ts";
import { issues } from "../repos/issues.ts";
import { marks } from "../repos/marks.ts";
import { unfoldedWrites } from "../rows/unfolded.ts";
import { skipEvents } from "../skip-events.ts";
import type { PendingTexts } from "../text/pending.ts";
import type { AdoptionWrites } from "../types/adoption.ts";
import type { BridgeClaim, StoredBridge } from "../types/bridges.ts";
import type { Term } from "../types/elections.ts";
import type { Issues } from "../types/issues.ts";
import type { StoredIssue, StoredProject } from "../types/rows.ts";
import type {
  AdmitOptions,
  AdmitResult,
  Baseline,
  ClearOptions,
  ForeignEvent,
  Marks,
  ProjectPurgeLogRow,
  PurgeBy,
  PurgeLogRow,
  Tx,
  UnfoldedWrites,
  WriteGuard,
} from "../types/store.ts";
import { writeAgain } from "../write-again.ts";
import { adoptionWrites } from "./adoption.ts";
import { changeBinding } from "./change-binding.ts";
import { mayBind, RootGuard, requireClaim } from "./external-roots.ts";
import { notedIssues } from "./noted-issues.ts";

/** The `Tx` of one write. It refuses calls after the write has ended, so that they cannot change the next write. */
export class Transaction extends Repositories implements Tx {
  readonly now: Instant;
  override readonly issues: Issues;
  override readonly marks: Marks;
  override readonly unfolded: UnfoldedWrites;
  readonly adoption: AdoptionWrites;
  readonly #backend: Backend;
  readonly #appending: Appending;
  readonly #guard: WriteGuard;
  readonly #nowMs: number;
  readonly #roots: RootGuard;
  #leaseNow: Instant | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;
  #wrote = false;
  #foundKey = false;

  constructor(
    { backend, clock }: { readonly backend: Backend; readonly clock: Clock },
    appending: Appending,
    texts: PendingTexts,
    guard: WriteGuard | undefined,
  ) {
    super(appending.connection, { texts, loaded: appending.loaded });
    this.#backend = backend;
    this.#appending = appending;
    this.#guard = guard ?? {};
    this.#nowMs = clock.nowMs();
    this.now = msToInstant(this.#nowMs);
    this.issues = notedIssues(issues(appending.connection), appending.loaded.free);
    this.marks = this.#notedMarks(marks(appending.connection));
    this.unfolded = unfoldedWrites(appending.connection, async (table, change) => {
      appending.changedUnfolded = true;
      const isBinding = table === "federation_binding";
      await this.#serialize(
        isBinding ? async () => await changeBinding(appending, change) : change,
      );
    });
    this.#roots = new RootGuard(appending, this);
    this.adoption = adoptionWrites(appending, this.#nowMs, async (change) => {
      this.#wrote = true;
      appending.changedUnfolded = true;
      return await this.#serialize(change);
    });
  }

  get hasCopies(): boolean {
    return this.#appending.copies.exist;
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#guard.begin?.(this);
    const value = await work(this);
    if (!this.#wrote && !this.#foundKey) await this.#guard.unchanged?.(this);
    return value;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#last;
  }

  async preload(touches: Touches): Promise<void> {
    const { connection, loaded } = this.#appending;
    const { issues = [], waitingOf = [] } = touches;
    const whole = { ...touches, waitingOf: [...waitingOf, ...issues] };
    await this.#serialize(async () => await load(connection, loaded, whole));
  }

  async preloadAttached(uids: readonly string[]): Promise<void> {
    const { connection, loaded } = this.#appending;
    await this.#serialize(async () => await loadAttached(connection, loaded, uids));
  }

  async lease(uid: string): Promise<LeaseRow | undefined> {
    const { connection, loaded } = this.#appending;
    return await this.#serialize(async () => {
      await load(connection, loaded, { rows: { lease: [uid] } });
      return loaded.row("lease", uid);
    });
  }

  async append<K extends EventKind>(draft: EventDraft<K>): Promise<StoredEvent<K>> {
    this.#wrote = true;
    const [passed = draft] = await this.#passed([draft as EventDraft]);
    return await this.#serialize(
      async () => await append(this.#appending, passed as EventDraft<K>, this.#nowMs),
    );
  }

  async appendAll(drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]> {
    this.#wrote ||= drafts.length > 0;
    const passed = await this.#passed(drafts);
    return await this.#serialize(async () => await appendAll(this.#appending, passed, this.#nowMs));
  }

  async appendNewIssues(drafts: readonly EventDraft<"issue.created">[]): Promise<void> {
    this.#wrote ||= drafts.length > 0;
    const passed = await this.#passed(drafts);
    await this.#serialize(async () => await appendNewIssues(this.#appending, passed, this.#nowMs));
  }

  async beginBaseline(first: EventDraft<"project.federation_enabled">): Promise<Baseline> {
    this.#wrote = true;
    await this.#passed([first]);
    return await this.#serialize(
      async () => await beginBaseline(this.#appending, first, this.#nowMs),
    );
  }

  async appendSnapshots(baseline: Baseline, snapshots: readonly Snapshot[]): Promise<number> {
    this.#wrote ||= snapshots.length > 0;
    return await this.#serialize(
      async () => await appendSnapshots(this.#appending, baseline, snapshots),
    );
  }

  async admit(events: readonly ForeignEvent[], options: AdmitOptions): Promise<AdmitResult> {
    return await this.#serialize(async () => {
      const admitted = await admit(this.#appending, events, options, this.#nowMs);
      this.#wrote ||= admitted.accepted > 0;
      this.#appending.changedUnfolded ||= admitted.duplicates > 0;
      this.#appending.hasRoots ||= mayBind(events);
      return admitted;
    });
  }

  async clearReplica(uid: string, options: ClearOptions): Promise<void> {
    this.#wrote = true;
    const kept = options.keepsEvents === true ? { keptAt: this.now } : {};
    const { sentUpTo } = options;
    await this.#serialize(
      async () => await clearReplica(this.#appending, uid, { sentUpTo, ...kept }),
    );
  }

  async sendAgain(uid: string): Promise<void> {
    await this.#serialize(async () => await sendAgain(this.#appending, uid));
    this.#appending.changedUnfolded = true;
  }

  async forgetLocalPurges(uid: string): Promise<void> {
    this.#wrote = true;
    await this.#serialize(async () => await forgetLocalPurges(this.#appending, uid));
  }

  async skipEvents(uids: readonly string[]): Promise<number> {
    return await this.#serialize(async () => {
      const skipped = await skipEvents(this.#appending, uids, this.now);
      this.#wrote ||= skipped > 0;
      this.#appending.changedUnfolded ||= skipped > 0;
      return skipped;
    });
  }

  async writeAgain(project_uid: string, bound_actor: string): Promise<number> {
    return await this.#serialize(async () => {
      const whose = { project_uid, bound_actor };
      const written = await writeAgain(this.#appending, whose, this.#nowMs);
      this.#wrote ||= written > 0;
      return written;
    });
  }

  async refold(uids: readonly string[]): Promise<number> {
    return await this.#serialize(async () => {
      const changed = await refoldRows(this.#appending, uids);
      this.#wrote ||= changed > 0;
      this.#appending.changedUnfolded ||= changed > 0;
      return changed;
    });
  }

  async asExternalRoot(claim: BridgeClaim): Promise<StoredBridge> {
    const bridge = await requireClaim(this.bridges, claim);
    this.#roots.permit(bridge);
    return bridge;
  }

  async purgeIssue(issue: StoredIssue, by: PurgeBy): Promise<PurgeLogRow> {
    this.#wrote = true;
    const { connection, copies } = this.#appending;
    await copies.requirePurgeable(connection, issue.project_uid);
    await this.#roots.checkPurge(issue);
    await this.#guard.purgeIssue?.(this, issue, by);
    return await this.#serialize(
      async () => await purgeIssue(this.#appending, issue, by, this.#nowMs),
    );
  }

  async purgeProject(project: StoredProject, by: PurgeBy): Promise<ProjectPurgeLogRow> {
    this.#wrote = true;
    await this.#roots.checkProjectPurge(project);
    return await this.#serialize(
      async () => await purgeProject(this.#appending, project, by, this.#nowMs),
    );
  }

  async leaseNow(): Promise<Instant> {
    this.#leaseNow ??= (await this.#backend.serverNow(this.#appending.connection)) ?? this.now;
    return this.#leaseNow;
  }

  async holdsTerm(term: Term): Promise<boolean> {
    return await this.#backend.elections.holds(this.#appending.connection, term);
  }

  /**
   * Checks each event that is made here by the gate of federated projects, by the roots of bound issues and by the
   * guard of its operation. Returns the events as they are to be written.
   */
  async #passed<D extends EventDraft>(drafts: readonly D[]): Promise<readonly D[]> {
    const { connection, copies } = this.#appending;
    const passed = await copies.passed(connection, drafts);
    await this.#roots.check(drafts);
    for (const draft of drafts) await this.#guard.append?.(this, draft);
    for (const draft of drafts)
      if (draft.type === "project.removed") await this.#roots.pauseArchived(draft);
    return passed;
  }

  /**
   * Notes when an idempotency key of the request is found. Such a write repeats an earlier one, so the guard's
   * `unchanged` is not called.
   */
  #notedMarks(found: Marks): Marks {
    return {
      ...found,
      findIdempotency: async (...key) => {
        const known = await found.findIdempotency(...key);
        this.#foundKey ||= known !== undefined;
        return known;
      },
    };
  }

  async #serialize<T>(change: () => Promise<T>): Promise<T> {
    invariant(!this.#ended, "a write awaits each of its appends");
    const before = this.#last;
    const changed = (async () => {
      await before;
      return await change();
    })();
    this.#last = changed;
    return await changed;
  }
}
