import type {
  CommentsAnswer,
  EventsAnswer,
  HealthAnswer,
  PeersAnswer,
  ShowAnswer,
} from "./answers.ts";

/** What a host gives `<svc-issue>`: answers of the API as they are. */
export interface SvcIssueProperties {
  /** The issue to show. */
  issue?: ShowAnswer | null | undefined;
  /** Comments to show in place of those in `issue`. */
  comments?: CommentsAnswer | null | undefined;
  /** The history. Without it no history is offered, and no comment says that it was edited. */
  events?: EventsAnswer | null | undefined;
  /** Titles and states of the linked issues. Without it they are shown by their ids, and their states are not known. */
  peers?: PeersAnswer | null | undefined;
  /** Says the version of the daemon's API. Without a supported version the issue is not shown. */
  health?: HealthAnswer | null | undefined;
}

/** The detail of the event `svc-reference`: the issue that the person wants to see. */
export interface SvcReference {
  /** `project#abc4`. A name in a text may be that of an issue that does not exist. */
  readonly name: string;
  /** Present if the given answers have the issue. */
  readonly uid?: string;
}

/** The detail of the events `svc-person` and `svc-label`. */
export interface SvcName {
  readonly name: string;
}

/** The events of `<svc-issue>`. They bubble and leave shadow trees. */
export interface SvcIssueEventMap {
  "svc-reference": CustomEvent<SvcReference>;
  "svc-person": CustomEvent<SvcName>;
  "svc-label": CustomEvent<SvcName>;
}
