import type { Instant } from "../../base/clock.ts";
import type { AliasRow } from "../../domain/state.ts";
import type { StoredProject, WithId } from "./rows.ts";

/** The number of rows that a merge of the project moves. */
export interface ProjectContents {
  readonly issues: number;
  readonly aliases: number;
  readonly events: number;
  readonly purge_logs: number;
}

export interface AuthoredCounts {
  readonly issue_authors: number;
  readonly issue_owners: number;
  readonly comment_authors: number;
  readonly link_authors: number;
}

export interface Projects {
  /** Projects in the order of their ids; archived ones only if `archived` is true. */
  list(archived: boolean): Promise<readonly StoredProject[]>;
  find(uid: string): Promise<StoredProject | undefined>;
  findById(id: number): Promise<StoredProject | undefined>;
  findByName(name: string): Promise<StoredProject | undefined>;
  aliases(projectUid: string): Promise<readonly WithId<AliasRow>[]>;
  findByAlias(identity: string): Promise<StoredProject | undefined>;
  contents(uid: string): Promise<ProjectContents>;
  /** How often the actor's name occurs in the project's issues, comments and links. */
  authored(uid: string, name: string): Promise<AuthoredCounts>;
  /** Whether the project has more than `count` issues (deleted ones too) or events, counting no further. */
  holdsMoreThan(uid: string, count: number): Promise<boolean>;
  stats(
    uids: readonly string[],
  ): Promise<
    ReadonlyMap<
      string,
      { readonly open: number; readonly closed: number; readonly last_event_at: Instant | null }
    >
  >;
}
