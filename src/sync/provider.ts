import type { Instant } from "../base/clock.ts";
import type { RemoteIssue, RemoteLink } from "../domain/issue-sync/remote-issue.ts";

/** A host of another tracker from which svc reads issues. svc never writes there. */
export interface Provider {
  readonly name: "github";
  /** The host that is used if a binding names none. */
  readonly publicHost: string;
  /**
   * Requests the repository from the host and returns its identity, with names as the host spells them. Throws
   * `ProviderFault`. If the host is not allowed, throws before anything is sent.
   */
  validate(place: RepositoryPlace, signal: AbortSignal): Promise<BindingIdentity>;
  /**
   * Reads the repository in batches, so that a large one is never in memory as a whole. Yields the repository first,
   * then the issues, the least recently changed first, and finally the links. An issue that changes during the run may
   * be yielded twice. Throws `ProviderFault`; batches that were already yielded stay valid.
   */
  prepare(binding: BoundRepository, run: ProviderRun): AsyncIterable<RemoteBatch>;
}

export interface RepositoryPlace {
  /** The host name in lower case, with the port if it is not 443. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

export interface BindingIdentity {
  /** `<provider>:<remote id>`. */
  readonly source_key: string;
  /** The lasting id of the repository. A new repository of the same name gets another one. */
  readonly remote_id: string;
  /** `owner/repo`. */
  readonly display_name: string;
  /** Contains no credential, so it may be stored and shown. */
  readonly config: RepositoryPlace & { readonly repo_id: string };
}

/** The repository of a stored binding. */
export interface BoundRepository extends RepositoryPlace {
  readonly remote_id: string;
  readonly repo_id: string;
}

export interface ProviderRun {
  /** Only issues that changed at this time or later; `undefined` for all. */
  readonly since: Instant | undefined;
  /**
   * `scan`: reads the parent of every issue of the repository, with one request for each 100 issues. `rows`: uses only
   * the parents that the received issues name.
   */
  readonly parents: "scan" | "rows";
  /** Called often. Must not throw. */
  readonly onProgress: (progress: ProviderProgress) => void;
  readonly signal: AbortSignal;
}

/** The progress of a run. */
export interface ProviderProgress {
  readonly requests: number;
  readonly issues: number;
  readonly comments: number;
  /** The number of issues whose parent was looked up. */
  readonly scanned: number;
  /** How long the run has waited because the host asked for it or failed. */
  readonly waited_ms: number;
  /** Set while the run waits: for how long, and why. */
  readonly waiting?: { readonly ms: number; readonly why: string };
}

export type RemoteBatch =
  | {
      readonly kind: "repository";
      /** The identity with today's names. After a rename these differ from the stored ones. */
      readonly identity: BindingIdentity;
      /**
       * The time according to the host, if the host sent it. The clock of this machine may be ahead, so the cursor is
       * the earlier of both times.
       */
      readonly host_time: Instant | undefined;
    }
  /** At most 40 issues, or fewer if they are large. */
  | { readonly kind: "issues"; readonly issues: readonly RemoteIssue[] }
  | {
      /**
       * Yielded once, as the last batch. `complete`: all issues of the host were looked at, and `links` has those that
       * were not read in this run. `unsupported`: the host has no parents. `rows`: no scan was requested.
       */
      readonly kind: "links";
      readonly scan: "complete" | "unsupported" | "rows";
      readonly links: readonly RemoteLink[];
    };

export type ProviderFaultKind =
  | "credentials"
  | "repository_mismatch"
  | "repository_unavailable"
  | "rate_limited"
  | "provider_http"
  | "provider_decode"
  | "parent_scan"
  | "interrupted";

/**
 * Thrown if a provider could not be read. Message and hint contain no credential, so both may be stored and
 * shown.
 */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  readonly kind: ProviderFaultKind;
  /** The hint: what a person can do about the fault. */
  readonly hint: string;

  constructor(kind: ProviderFaultKind, message: string, hint: string, cause?: Error) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
  }
}
