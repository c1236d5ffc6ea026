import type { Instant } from "../../base/clock.ts";
import type { pollEvents } from "../../contract/activity.ts";
import type { getExternalRootBridge } from "../../contract/bridges.ts";
import type { reportCronRuns } from "../../contract/cron-runs.ts";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import type { Issue } from "../issues/issues.ts";
import type { BridgeAsk } from "../writes/writes.ts";

export type IssueEvent = Output<typeof pollEvents>["events"][number];

/** The parts of an issue's detail. A part that could not be read has an error. */
export interface Detail {
  readonly uid: string;
  readonly show: Output<typeof showIssue> | undefined;
  readonly error: string | undefined;
  /** True if no issue, or more than one, has the requested name or uid. */
  readonly missing?: boolean;
  /** What became of the missing issue, if the daemon reports it. */
  readonly gone?: GoneIssue | undefined;
  /** The issues that the name in the page's address may mean. */
  readonly candidates?: readonly Candidate[];
  readonly events: readonly IssueEvent[] | undefined;
  readonly eventsError: string | undefined;
  /** The linked issues, including issues of other projects. */
  readonly peers: readonly Issue[] | undefined;
  readonly peersError: string | undefined;
  /** The sums of the issue's runs; absent if it has none, or if they could not be read. */
  readonly runs?: RunSums | undefined;
  /** The bridge of an issue that has a root; absent until it is read, and if it cannot be read. */
  readonly bridge?: Bridge | undefined;
  /** What can be asked of the bridge. */
  readonly bridgeChoices?: readonly BridgeChoice[] | undefined;
  /** Why the bridge cannot be read. */
  readonly bridgeError?: string | undefined;
}

export type Bridge = Output<typeof getExternalRootBridge>;

/** What a person can ask of a bridge now. */
export interface BridgeChoice {
  /** What is typed to choose it. */
  readonly word: string;
  readonly label: string;
  readonly ask: BridgeAsk;
  /** A text that is asked for first: the member of the body and the flag of the command that take it. */
  readonly more?: {
    readonly label: string;
    readonly name: string;
    readonly flag: string;
    readonly mayBeEmpty?: true;
  };
}

export type RunSums = Output<typeof reportCronRuns>["groups"][number];

export interface GoneIssue {
  readonly is: "archived" | "purged";
  readonly qualified_id: string;
  readonly project: string;
  readonly at: Instant;
  readonly by?: string;
}

export interface Candidate {
  /** The issue's uid, or a name that no other issue has. */
  readonly issue: string;
  readonly name: string;
  readonly title: string;
}

export type DetailPart = Partial<Omit<Detail, "uid">>;

export const SECTIONS = ["Comments", "Events", "Links", "Dates", "Children"] as const;
export type Section = (typeof SECTIONS)[number];

export interface ReadingPlace {
  readonly section: Section;
  readonly scroll: number;
  /** The index of the issue that `enter` opens, among the linked issues that the document shows. */
  readonly chosenRef: number | undefined;
}

export interface OpeningIssue {
  /** As in `open`, the uid or the name in the address. */
  readonly issue: string;
  /**
   * Whether the issue stays open once the cursor is on its row. If not, the issue is then only shown beside the list.
   */
  readonly isOpen: boolean;
}

export interface RecentChange {
  readonly uid: string;
  readonly text: string;
  readonly at: Instant;
}

export interface DetailState extends ReadingPlace {
  /**
   * The uids of the issues that are open over the screen. Only the last one is shown; closing it shows the one before.
   * If the page's address names an issue by its id, the list contains this id until the daemon has answered with the
   * uid.
   */
  readonly open: readonly string[];
  /** How many issues the person has opened so far. The browser page adds an entry to the history for each. */
  readonly opened: number;
  /** The issue that an address has opened, until the list is read and the cursor is on the row of this issue. */
  readonly arriving: OpeningIssue | undefined;
  /** For each issue in `open`, the place that the person was reading when the issue was opened. */
  readonly trail: readonly ReadingPlace[];
  /** Whether Markdown is shown as it was written. */
  readonly raw: boolean;
  /** The last change by somebody else to the issue that is shown. */
  readonly touched: RecentChange | undefined;
  readonly known: ReadonlyMap<string, Detail>;
}

export const TOP: ReadingPlace = { section: "Comments", scroll: 0, chosenRef: undefined };

export function initialDetail(open: string | undefined): DetailState {
  return {
    ...TOP,
    open: open === undefined ? [] : [open],
    opened: 0,
    arriving: open === undefined ? undefined : { issue: open, isOpen: true },
    trail: [],
    raw: false,
    touched: undefined,
    known: new Map(),
  };
}
