import type { Instant } from "../base/clock.ts";
import type { PreparedIssue, PreparedLink } from "../domain/issue-sync/prepared.ts";

/** The host of another tracker, from which svc reads issues. It never writes there. */
export interface Provider {
  readonly name: "github";
  /** Used where a binding names no host. */
  readonly publicHost: string;
  /**
   * Asks the host for the repository and returns its identity, with the names as the host spells them. Throws
   * `ProviderFault`; for a host that is not allowed, before anything is sent.
   */
  validate(place: RepositoryPlace, signal: AbortSignal): Promise<BindingIdentity>;
  /**
   * Reads the repository, batch by batch, so that a large one is never in memory as a whole. The repository comes
   * first, then the issues, the least recently changed first, and at last the links. An issue that changes while the
   * others are read may come twice. Throws `ProviderFault`; what was yielded before stays valid.
   */
  prepare(binding: BoundRepository, run: ProviderRun): AsyncIterable<PreparedBatch>;
}

export interface RepositoryPlace {
  /** A host name, with a port where it is not 443; in lower case. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

export interface BindingIdentity {
  /** `<provider>:<remote id>`. */
  readonly source_key: string;
  /** The lasting id of the repository, which a new repository of the same name does not get. */
  readonly remote_id: string;
  /** `owner/repo`. */
  readonly display_name: string;
  /** Without a credential, so that it may be stored and shown. */
  readonly config: RepositoryPlace & { readonly repo_id: string };
}

/** What a stored binding says about its repository. */
export interface BoundRepository extends RepositoryPlace {
  readonly remote_id: string;
  readonly repo_id: string;
}

export interface ProviderRun {
  /** Only issues that changed at this time or later; `undefined` for all. */
  readonly since: Instant | undefined;
  /**
   * `scan` reads the parent of every issue of the repository, with one request for each 100 issues. `rows` takes the
   * parents that the rows of the read issues name.
   */
  readonly parents: "scan" | "rows";
  /** Called often. It must not throw. */
  readonly onProgress: (progress: ProviderProgress) => void;
  readonly signal: AbortSignal;
}

/** What a run has done so far. */
export interface ProviderProgress {
  readonly requests: number;
  readonly issues: number;
  readonly comments: number;
  /** How many issues were looked at for their parent. */
  readonly scanned: number;
  /** The time that was spent waiting because the host asked for it or failed. */
  readonly waited_ms: number;
  /** Set while it waits: how long, and why. */
  readonly waiting?: { readonly ms: number; readonly why: string };
}

export type PreparedBatch =
  | {
      readonly kind: "repository";
      /** The names are those of today: after a rename they differ from the stored ones. */
      readonly identity: BindingIdentity;
      /** The time of the host, if it said so. The clock of this machine may be fast, so the cursor is the earlier. */
      readonly host_time: Instant | undefined;
    }
  /** At most 1000 issues, and fewer where they are large. */
  | { readonly kind: "issues"; readonly issues: readonly PreparedIssue[] }
  | {
      /**
       * Comes once, as the last batch. With `complete`, every issue that the host has was looked at, and `links` has
       * those that were not read in this run. `unsupported`: the host has no parents. `rows`: none were asked for.
       */
      readonly kind: "links";
      readonly scan: "complete" | "unsupported" | "rows";
      readonly links: readonly PreparedLink[];
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

/** Why a provider could not be read. Message and cure hold no credential, so both may be stored and shown. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  readonly kind: ProviderFaultKind;
  /** What a person can do about it. */
  readonly cure: string;

  constructor(kind: ProviderFaultKind, message: string, cure: string, cause?: Error) {
    super(message, { cause });
    this.kind = kind;
    this.cure = cure;
  }
}
