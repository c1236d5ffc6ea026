import type { Instant } from "../../base/clock.ts";
import { githubFileId, githubIssueUrl, isGithubFileSource, mapGithubIssue } from "./github.ts";
import type { RemoteIssue } from "./remote-issue.ts";
import type { RepositoryAddress, SyncItem } from "./sync-item.ts";

/** What differs between code hosts when their issues become issues of svc. */
interface ProviderRules {
  /** The host of a binding that names none. */
  readonly publicHost: string;
  /** The actor of the changes that a run makes here. */
  readonly actor: string;
  map(
    issue: RemoteIssue,
    mapping: { readonly titlePrefix: boolean; readonly startedAt: Instant },
  ): SyncItem;
  /** The external id that an import from a file gives to the issue with this number. */
  fileId(number: number): string;
  /** The address of an issue's page for people. */
  issueUrl(repository: RepositoryAddress, number: number): string;
  /** Whether an import from a file names its source after the repository. */
  isFileSource(source: string, repository: string): boolean;
}

export const PROVIDER_RULES = {
  github: {
    publicHost: "github.com",
    actor: "github-sync",
    map: mapGithubIssue,
    fileId: githubFileId,
    issueUrl: githubIssueUrl,
    isFileSource: isGithubFileSource,
  },
} as const satisfies Readonly<Record<string, ProviderRules>>;

export type ProviderName = keyof typeof PROVIDER_RULES;

export const PROVIDER_NAMES = Object.keys(PROVIDER_RULES) as readonly ProviderName[];
