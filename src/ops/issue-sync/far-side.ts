import type { ProviderName } from "../../domain/issue-sync/providers.ts";
import type { BindingRow } from "../../domain/issue-sync/run.ts";
import type { RunClaim } from "./binding.ts";

/** A repository as a request names it. */
export interface RepositoryPlace {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

/** A repository as its host knows it. */
export interface RepositoryIdentity {
  readonly source_key: string;
  readonly remote_id: string;
  readonly display_name: string;
  readonly config: RepositoryPlace & { readonly repo_id: string };
}

/** The far side of issue sync, as operations see it. The daemon implements it. */
export interface FarSide {
  /** Whether the configuration lists the repository for callers with a token or behind a proxy. */
  isListed(provider: ProviderName, place: RepositoryPlace): boolean;
  /** Asks the host for the repository. Throws an `SvcError` with a message and a hint. */
  identify(provider: ProviderName, place: RepositoryPlace): Promise<RepositoryIdentity>;
  /** The source under which `svc import` keeps issues of the repository with this name, as owner/repo. */
  importSource(display_name: string): string;
  /** Sends the first requests of a run of the binding to the host. Ends within `maxMs`. */
  test(binding: BindingRow, maxMs: number): Promise<HostTest>;
  /** Reads the repository now. The caller has made the claim. */
  run(claim: RunClaim, options: RunOptions): Promise<RunResult>;
  /** Lets the engine look for bindings that are due. */
  wake(): void;
}

export type HostTest =
  | { readonly result: "ok" }
  | {
      readonly result: "failed";
      readonly category: string;
      readonly message: string;
      /** What a person can do about it. */
      readonly hint: string;
    };

export interface RunOptions {
  /** Asks for the parent of every issue. */
  readonly parents: boolean;
}

export interface RunResult {
  readonly source: string;
  readonly sync_uid: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly comments: number;
  readonly links: number;
  readonly requests: number;
  readonly waited_ms: number;
  readonly items: readonly RunItem[];
  readonly errors: readonly string[];
}

export interface RunItem {
  readonly external_id: string;
  readonly issue_short_id: string;
  readonly status: "created" | "updated" | "unchanged";
  readonly reason?: string;
}
