import type { Change, LabelRow, LinkRow, ProjectRow } from "../../domain/state.ts";
import type { LoadedIssue } from "../load/loaded.ts";

export interface IssueEffect {
  readonly before: LoadedIssue | undefined;
  readonly after: LoadedIssue;
}

export interface LinkEffect {
  readonly ends: Pick<LinkRow, "from_uid" | "to_uid" | "type">;
  readonly before: LinkRow | undefined;
  readonly after: LinkRow | undefined;
}

export interface LabelEffect {
  readonly issue_uid: string;
  readonly label: string;
  readonly before: LabelRow | undefined;
  readonly after: LabelRow | undefined;
}

export interface Effect {
  readonly issues: Map<string, IssueEffect>;
  readonly links: Map<string, LinkEffect>;
  readonly labels: Map<string, LabelEffect>;
  readonly projects: { readonly before: ProjectRow | undefined; readonly after: ProjectRow }[];
  readonly rest: Change[];
}
