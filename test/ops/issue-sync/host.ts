import type {
  RemoteComment,
  RemoteIssue,
  RemoteLink,
  RemoteParent,
} from "../../../src/domain/issue-sync/remote-issue.ts";
import {
  type BindingIdentity,
  type BoundRepository,
  type Provider,
  ProviderFault,
  type ProviderRun,
  type RemoteBatch,
  type RepositoryPlace,
} from "../../../src/sync/provider.ts";

/** A code host in the process of the test, with one repository. */
export class Host implements Provider {
  readonly name = "github";
  readonly publicHost = "github.com";
  readonly issues = new Map<number, RemoteIssue>();
  /** The runs that were asked for. */
  readonly runs: ProviderRun[] = [];
  /** The places that were asked for. */
  readonly validated: RepositoryPlace[] = [];
  remoteId = "R_1";
  displayName = "ann/web";
  fault: ProviderFault | undefined;
  hostTime: string | undefined;
  /** How many issues a batch has. */
  batch = 1000;
  /** Called before each batch; a test may wait here, or change the world. */
  before: (kind: RemoteBatch["kind"]) => Promise<void> = async () => undefined;

  put(number: number, more: Partial<RemoteIssue> = {}): void {
    this.issues.set(number, { ...(this.issues.get(number) ?? newIssue(number)), ...more });
  }

  async validate(place: RepositoryPlace): Promise<BindingIdentity> {
    this.validated.push(place);
    if (this.fault !== undefined) throw this.fault;
    return this.#identity(place.host);
  }

  async *prepare(bound: BoundRepository, run: ProviderRun): AsyncGenerator<RemoteBatch> {
    this.runs.push(run);
    await this.before("repository");
    if (this.fault !== undefined) throw this.fault;
    if (bound.remote_id !== this.remoteId)
      throw new ProviderFault("repository_mismatch", "another repository has the name", "rename");
    const identity = this.#identity(bound.host);
    yield { kind: "repository", identity, host_time: this.hostTime };
    const { since } = run;
    const changed = [...this.issues.values()]
      .filter(({ updated_at }) => since === undefined || (updated_at ?? since) >= since)
      .sort((a, b) => ((a.updated_at ?? "") < (b.updated_at ?? "") ? -1 : 1));
    for (let at = 0; at < changed.length; at += this.batch) {
      await this.before("issues");
      if (run.signal.aborted) throw new ProviderFault("interrupted", "it was stopped", "");
      yield { kind: "issues", issues: changed.slice(at, at + this.batch) };
    }
    run.onProgress({ requests: 2, issues: 0, comments: 0, scanned: 0, waited_ms: 0 });
    await this.before("links");
    const links = run.parents === "rows" ? [] : this.#links(changed);
    yield { kind: "links", scan: run.parents === "rows" ? "rows" : "complete", links };
  }

  #identity(host: string): BindingIdentity {
    const [owner = "", repo = ""] = this.displayName.split("/");
    const config = { host, owner, repo, repo_id: "1" };
    const remote_id = this.remoteId;
    return { source_key: `github:${remote_id}`, remote_id, display_name: this.displayName, config };
  }

  #links(read: readonly RemoteIssue[]): readonly RemoteLink[] {
    return [...this.issues.values()]
      .filter((issue) => !read.includes(issue))
      .map(({ keys, number, parent }) => ({ keys, number, parent }));
  }
}

export const MAY = "2025-05-01T10:00:00.000Z";
export const JUNE = "2025-06-01T10:00:00.000Z";
export const JULY = "2025-07-01T10:00:00.000Z";

export function newIssue(number: number): RemoteIssue {
  return {
    keys: [`issue-id:${1000 + number}`, `issue:I_${number}`, `issue-number:${number}`],
    number,
    url: `https://github.com/ann/web/issues/${number}`,
    title: `issue ${number}`,
    body: "a body",
    state: "open",
    state_reason: undefined,
    labels: [],
    owner: undefined,
    author: "ann",
    created_at: MAY,
    updated_at: JUNE,
    closed_at: undefined,
    comments: [],
    parent: { kind: "none" },
  };
}

export function comment(id: number, body = `comment ${id}`): RemoteComment {
  return { key: `comment-id:${id}`, body, author: "bea", created_at: JUNE };
}

/** The parent as a row names it: by its number alone. */
export function parentIs(number: number): RemoteParent {
  return { kind: "issue", keys: [`issue-number:${number}`] };
}
