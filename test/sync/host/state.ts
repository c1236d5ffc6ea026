import { createPublicKey, verify } from "node:crypto";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";

/** A time as GitHub writes it, in whole seconds: `2026-01-01T00:00:00Z`. */
export type HostTime = string;

export interface HostComment {
  readonly id: number;
  body: string;
  user: string | null;
  created_at: HostTime;
  updated_at: HostTime;
}

export interface HostIssue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  state: "open" | "closed";
  state_reason: string | null;
  /** `null` for an account that is gone, which GitHub calls a ghost. */
  user: string | null;
  assignees: readonly string[];
  labels: readonly string[];
  created_at: HostTime;
  updated_at: HostTime;
  closed_at: HostTime | null;
  readonly isPullRequest: boolean;
  /** The parent: the number of an issue of this repository, or `owner/repo#number` of another. */
  parent: number | string | null;
  comments: HostComment[];
}

export interface HostRepository {
  readonly id: number;
  readonly node_id: string;
  owner: string;
  name: string;
  readonly issues: Map<number, HostIssue>;
}

export interface HostApp {
  readonly app_id: string;
  readonly installation_id: string;
  readonly publicKey: string;
}

/** An answer instead of the usual one, for the next requests whose address contains `match`. */
export interface Scripted {
  readonly match: string;
  /** How many requests get it; default 1. */
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the connection without an answer. */
  readonly cut?: true;
  /** Keeps the connection open and never answers. */
  readonly hang?: true;
  /** Sends a body of so many bytes, without saying its length. */
  readonly bytes?: number;
}

export interface HostRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

type IssueInput = Partial<Omit<HostIssue, "id" | "number" | "comments">>;

/**
 * A host of issues: what it has and how it behaves. Every method takes and gives values of JSON, so that the host can
 * also be driven in a process of its own.
 */
export class HostState {
  /** Its clock, which only tests move. */
  nowMs = instantToMs("2026-01-01T00:00:00.000Z");
  readonly repositories: HostRepository[] = [];
  /** Old names of repositories, with the number to which they lead. */
  readonly moved = new Map<string, number>();
  readonly apps: HostApp[] = [];
  /** The tokens that may read, until when in ms of its clock. */
  readonly tokens = new Map<string, number>();
  readonly asked: HostRequest[] = [];
  scripted: Scripted[] = [];
  /** Whether links between pages name the repository by its number. */
  links: "names" | "numbers" = "names";
  /** `fields`: rows and queries have parents. `no fields`: an older host. `rows without`: rows leave them out. */
  parents: "fields" | "no fields" | "rows without" = "fields";
  /** Changes with every issue and comment, so that lists can be kept as long as they hold. */
  version = 0;
  #lastId = 1000;

  tick(ms: number): void {
    this.nowMs += ms;
  }

  now(): HostTime {
    return `${msToInstant(this.nowMs).slice(0, 19)}Z`;
  }

  behave(how: Partial<Pick<HostState, "links" | "parents">>): void {
    Object.assign(this, how);
  }

  addToken(token: string, lastsMs = Number.MAX_SAFE_INTEGER): void {
    this.tokens.set(token, this.nowMs + lastsMs);
  }

  addApp(app: HostApp): void {
    this.apps.push(app);
  }

  addRepository(owner: string, name: string): { readonly id: number; readonly node_id: string } {
    const id = ++this.#lastId;
    const node_id = `R_${id}`;
    this.repositories.push({ id, node_id, owner, name, issues: new Map() });
    this.moved.delete(`${owner}/${name}`);
    return { id, node_id };
  }

  rename(from: string, to: string): void {
    const repository = this.repository(from);
    this.moved.set(from, repository.id);
    [repository.owner = "", repository.name = ""] = to.split("/");
  }

  removeRepository(name: string): void {
    const repository = this.repository(name);
    this.repositories.splice(this.repositories.indexOf(repository), 1);
  }

  addIssue(repository: string, input: IssueInput = {}): number {
    this.version++;
    const { issues } = this.repository(repository);
    const number = Math.max(0, ...[...issues.keys()].slice(-1)) + 1;
    const now = this.now();
    issues.set(number, {
      ...{ title: `Issue ${number}`, body: null, state: "open", state_reason: null },
      ...{ user: "ann", assignees: [], labels: [], created_at: now, updated_at: now },
      ...{ closed_at: null, isPullRequest: false, parent: null },
      ...input,
      ...{ id: ++this.#lastId, number, comments: [] },
    });
    return number;
  }

  /** Adds many issues with their comments at once. */
  addIssues(
    repository: string,
    issues: readonly (IssueInput & { readonly said: readonly Partial<HostComment>[] })[],
  ): void {
    for (const { said, ...input } of issues) {
      const number = this.addIssue(repository, input);
      for (const comment of said) this.addComment(repository, number, comment);
      Object.assign(this.issue(repository, number), input);
    }
  }

  editIssue(repository: string, number: number, change: IssueInput): void {
    this.version++;
    Object.assign(this.issue(repository, number), { updated_at: this.now() }, change);
  }

  /** A change of the parent alone, which leaves the time of the last change as it is. */
  setParent(repository: string, number: number, parent: number | string | null): void {
    this.version++;
    this.issue(repository, number).parent = parent;
  }

  addComment(repository: string, number: number, input: Partial<HostComment> = {}): number {
    this.version++;
    const issue = this.issue(repository, number);
    const now = this.now();
    const id = ++this.#lastId;
    issue.comments.push({
      body: "said",
      user: "bea",
      created_at: now,
      updated_at: now,
      ...input,
      id,
    });
    issue.updated_at = now;
    return id;
  }

  removeComment(repository: string, number: number, id: number): void {
    this.version++;
    const issue = this.issue(repository, number);
    issue.comments = issue.comments.filter((comment) => comment.id !== id);
  }

  removeIssue(repository: string, number: number): void {
    this.version++;
    this.repository(repository).issues.delete(number);
  }

  script(...answers: Scripted[]): void {
    this.scripted.push(...answers);
  }

  /** Takes the answer that is scripted for this address, if there is one. */
  takeScripted(url: string): Scripted | undefined {
    const found = this.scripted.find(({ match }) => url.includes(match));
    if (found === undefined) return undefined;
    const left = (found.times ?? 1) - 1;
    this.scripted = this.scripted.flatMap((one) => {
      if (one !== found) return [one];
      return left > 0 ? [{ ...found, times: left }] : [];
    });
    return found;
  }

  askedSoFar(): readonly HostRequest[] {
    return this.asked;
  }

  forgetAsked(): void {
    this.asked.length = 0;
  }

  repository(name: string): HostRepository {
    const found = this.find(name);
    if (found === undefined) throw new Error(`the host has no repository ${name}`);
    return found;
  }

  find(name: string): HostRepository | undefined {
    const wanted = name.toLowerCase();
    return this.repositories.find((one) => `${one.owner}/${one.name}`.toLowerCase() === wanted);
  }

  issue(repository: string, number: number): HostIssue {
    const found = this.repository(repository).issues.get(number);
    if (found === undefined) throw new Error(`${repository} has no issue ${number}`);
    return found;
  }

  mayRead(authorization: string | undefined): boolean {
    const until = this.tokens.get((authorization ?? "").replace(/^(?:Bearer|token) /, ""));
    return until !== undefined && until > this.nowMs;
  }

  /** The app that signed this proof, if the proof is valid now. */
  appOf(authorization: string | undefined): HostApp | undefined {
    const [head = "", claims = "", signature = ""] = (authorization ?? "")
      .replace(/^Bearer /, "")
      .split(".");
    const said = objectIn(claims);
    const app = this.apps.find(({ app_id }) => app_id === said["iss"]);
    const [iat, exp] = [Number(said["iat"]), Number(said["exp"])];
    const now = this.nowMs / 1000;
    const isNow = iat <= now && exp > now && exp - iat <= 600;
    if (app === undefined || !isNow || objectIn(head)["alg"] !== "RS256") return undefined;
    const signed = Buffer.from(signature, "base64url");
    const key = createPublicKey(app.publicKey);
    return verify("RSA-SHA256", Buffer.from(`${head}.${claims}`), key, signed) ? app : undefined;
  }

  /** A token of an installation, which lasts for an hour. */
  newInstallationToken(): { readonly token: string; readonly expires_at: HostTime } {
    const token = `ghs_${++this.#lastId}`;
    const ms = 3_600_000;
    this.addToken(token, ms);
    return { token, expires_at: `${msToInstant(this.nowMs + ms).slice(0, 19)}Z` };
  }
}

function objectIn(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}
