import { call } from "../../../src/client/call.ts";
import type { Client } from "../../../src/client/client.ts";
import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../../../src/contract/actions.ts";
import { createComment } from "../../../src/contract/comments.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { clearIssueRequest, listInboxGlobal, notifyIssue } from "../../../src/contract/inbox.ts";
import {
  createIssue,
  editIssue,
  patchIssueMetadata,
  showIssue,
} from "../../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../../src/contract/labels.ts";
import { acquireIssueLease, releaseIssueLease } from "../../../src/contract/leases.ts";
import { createLink } from "../../../src/contract/links.ts";
import { deleteIssue, moveIssue, restoreIssue } from "../../../src/contract/removal.ts";

/** Pseudorandom numbers, which are the same for the same seed. */
export interface Chance {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T | undefined;
}

/** Mulberry32: short, and good enough to choose the next step. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (from) => from[below(from.length)] };
}

export interface Place {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

/** An issue as a worker knows it: where it was last seen, which may be out of date. */
interface KnownIssue {
  readonly uid: string;
  project: Place;
}

export const ACTORS = [
  "ana",
  "bo",
  "claude-1",
  "claude-2",
  "codex-1",
  "codex-2",
  "gemini",
  "reviewer",
  "release-bot",
  "日本-agent",
] as const;

const LABELS = ["bug", "api", "docs", "perf", "security", "ui", "需要確認"] as const;
const WORDS =
  "retry the token refresh when a hub is slow · 日本語の見出し · naïve café 👩‍💻 · شغل جديد · 409 body · flaky timer · drop \u202Eold\u202C rows · zero\u200Dwidth · a_very_long_word_that_does_not_break_anywhere_at_all".split(
    " · ",
  );

/** People and agents who work in two projects, one of which is watched. */
export class Work {
  readonly #client: Client;
  readonly #chance: Chance;
  readonly #watched: Place;
  readonly #other: Place;
  readonly #issues: KnownIssue[] = [];
  #deleted: KnownIssue[] = [];
  #made = 0;
  /** The number of steps that the daemon refused. */
  refused = 0;

  constructor(client: Client, chance: Chance, watched: Place, other: Place) {
    this.#client = client;
    this.#chance = chance;
    this.#watched = watched;
    this.#other = other;
  }

  /** Makes one step. The daemon may refuse it. */
  async step(): Promise<void> {
    const act = this.#choose();
    try {
      await act();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      this.refused += 1;
    }
  }

  #choose(): () => Promise<unknown> {
    if (this.#issues.length < 12) return async () => await this.#create();
    const acts: readonly (readonly [number, () => Promise<unknown>])[] = [
      [14, async () => await this.#create()],
      [12, async () => await this.#onIssue(claimIssue, {})],
      [8, async () => await this.#onIssue(assignIssue, { owner: this.#actor() })],
      [4, async () => await this.#onIssue(unassignIssue, {})],
      [14, async () => await this.#onIssue(createComment, { body: this.#text() })],
      [10, async () => await this.#onIssue(addLabel, { label: this.#label() })],
      [4, async () => await this.#unlabel()],
      [6, async () => await this.#onIssue(setIssuePriority, { priority: this.#chance.below(5) })],
      [6, async () => await this.#onIssue(editIssue, { title: this.#text() })],
      [7, async () => await this.#link("blocks")],
      [4, async () => await this.#link("parent")],
      [3, async () => await this.#link("related")],
      [12, async () => await this.#onIssue(closeIssue, { source: "tui" as const })],
      [5, async () => await this.#onIssue(reopenIssue, {})],
      [5, async () => await this.#onIssue(notifyIssue, { to: "ana", message: this.#text() })],
      [4, async () => await this.#clear()],
      [5, async () => await this.#lease()],
      [3, async () => await this.#onIssue(releaseIssueLease, {})],
      [3, async () => await this.#onIssue(patchIssueMetadata, { patch: { someday: true } })],
      [3, async () => await this.#delete()],
      [2, async () => await this.#restore()],
      [3, async () => await this.#move()],
    ];
    const whole = acts.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#chance.below(whole);
    for (const [weight, act] of acts) {
      left -= weight;
      if (left < 0) return act;
    }
    throw new Error("the weights do not add up");
  }

  /** Calls a route that takes an actor, an issue and some more members. */
  async #onIssue<T extends OnIssue>(route: T, more: object): Promise<unknown> {
    const { params } = this.#at(this.#issue());
    // The cast is safe: each of these routes takes this input, and `more` has the other members of its body.
    const input = { params, body: { actor: this.#actor(), ...more } } as never;
    return await call(this.#client, route, input);
  }

  async #create(): Promise<void> {
    this.#made += 1;
    // One issue in eight belongs to the project that is not watched.
    const project = this.#chance.below(8) === 0 ? this.#other : this.#watched;
    const labels = this.#chance.below(3) === 0 ? [this.#label()] : [];
    const actor = this.#actor();
    const body = {
      title: `${this.#text()} ${this.#made}`,
      body: this.#chance.below(2) === 0 ? "" : `# Why\n\n${this.#text()}\n\n- one\n- two`,
      labels,
      force_new: true,
      actor,
      ...(this.#chance.below(3) === 0 ? { owner: actor } : {}),
    };
    const params = { project_id: project.id };
    const { issue } = await call(this.#client, createIssue, { params, body });
    this.#issues.push({ uid: issue.uid, project });
  }

  async #unlabel(): Promise<void> {
    const { params } = this.#at(this.#issue());
    const query = { actor: this.#actor() };
    await call(this.#client, removeLabel, { params: { ...params, label: this.#label() }, query });
  }

  async #link(type: "blocks" | "parent" | "related"): Promise<void> {
    const { params } = this.#at(this.#issue());
    const body = { type, to_ref: this.#issue().uid, actor: this.#actor() };
    await call(this.#client, createLink, { params, body });
  }

  async #lease(): Promise<void> {
    const { params } = this.#at(this.#issue());
    const timed = this.#chance.below(2) === 0;
    const kind = timed
      ? { claim_kind: "timed" as const, ttl_seconds: 60 + this.#chance.below(300) }
      : { claim_kind: "hard" as const };
    const body = { ...kind, client_kind: "fleet", actor: this.#actor() };
    await call(this.#client, acquireIssueLease, { params, body });
  }

  /** From time to time all requests to the watching person are cleared. */
  async #clear(): Promise<void> {
    const { requests } = await call(this.#client, listInboxGlobal, { query: { for: "ana" } });
    for (const { project_id, issue_uid: ref, event_uid } of requests) {
      const body = { to: "ana", event_uid, actor: "ana" };
      await call(this.#client, clearIssueRequest, { params: { project_id, ref }, body });
    }
  }

  async #delete(): Promise<void> {
    const issue = this.#issue();
    const { params } = this.#at(issue);
    const name = await this.#nameOf(issue);
    const headers = { "x-svc-confirm": `DELETE ${name}` };
    await call(this.#client, deleteIssue, { params, headers, body: { actor: this.#actor() } });
    this.#deleted.push(issue);
  }

  async #restore(): Promise<void> {
    const issue = this.#chance.pick(this.#deleted) ?? this.#issue();
    const { params } = this.#at(issue);
    await call(this.#client, restoreIssue, { params, body: { actor: this.#actor() } });
    this.#deleted = this.#deleted.filter((one) => one !== issue);
  }

  async #move(): Promise<void> {
    const issue = this.#issue();
    const { params } = this.#at(issue);
    const to = issue.project === this.#watched ? this.#other : this.#watched;
    const shown = await call(this.#client, showIssue, { params, query: {} });
    const headers = { "if-match": `"rev-${shown.issue.revision}"` };
    const body = { to_project_uid: to.uid, actor: this.#actor() };
    await call(this.#client, moveIssue, { params, headers, body });
    issue.project = to;
  }

  async #nameOf(issue: KnownIssue): Promise<string> {
    const { params } = this.#at(issue);
    return (await call(this.#client, showIssue, { params, query: {} })).issue.qualified_id;
  }

  /** Mostly one of the issues that were made last. */
  #issue(): KnownIssue {
    const recent = Math.min(this.#issues.length, 40);
    const from = this.#chance.below(4) === 0 ? this.#issues : this.#issues.slice(-recent);
    const found = this.#chance.pick(from);
    if (found === undefined) throw new Error("there is no issue yet");
    return found;
  }

  #at({ uid, project }: KnownIssue) {
    return { params: { project_id: project.id, ref: uid } };
  }

  #actor(): string {
    return this.#chance.pick(ACTORS) ?? "ana";
  }

  #label(): string {
    return this.#chance.pick(LABELS) ?? "bug";
  }

  #text(): string {
    return this.#chance.pick(WORDS) ?? "";
  }
}

type OnIssue =
  | typeof claimIssue
  | typeof assignIssue
  | typeof unassignIssue
  | typeof createComment
  | typeof addLabel
  | typeof setIssuePriority
  | typeof editIssue
  | typeof closeIssue
  | typeof reopenIssue
  | typeof notifyIssue
  | typeof releaseIssueLease
  | typeof patchIssueMetadata;
