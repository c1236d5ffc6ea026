import type { Instant } from "../../base/clock.ts";
import type { pollEvents } from "../../contract/activity.ts";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import type { Issue } from "../board/issues.ts";

export type IssueEvent = Output<typeof pollEvents>["events"][number];

/** The parts of an issue's detail. A part that could not be read has an error. */
export interface Detail {
  readonly uid: string;
  readonly show: Output<typeof showIssue> | undefined;
  readonly error: string | undefined;
  /** Whether the daemon has no such issue. */
  readonly missing?: boolean;
  readonly events: readonly IssueEvent[] | undefined;
  readonly eventsError: string | undefined;
  /** The issues that links connect with this one, including those of other projects. */
  readonly peers: readonly Issue[] | undefined;
  readonly peersError: string | undefined;
}

export type DetailPart = Partial<Omit<Detail, "uid">>;

export const SECTIONS = ["Comments", "Events", "Links", "Dates", "Children"] as const;
export type Section = (typeof SECTIONS)[number];

export interface ReadingPlace {
  readonly section: Section;
  readonly scroll: number;
  /** The index of the link that `enter` opens. */
  readonly chosenRef: number | undefined;
}

export interface Touched {
  readonly uid: string;
  readonly text: string;
  readonly at: Instant;
}

export interface DetailState extends ReadingPlace {
  /** The issues that are open over the screen. Only the last is shown; the others are the way back. */
  readonly open: readonly string[];
  /** The reading place from which each of these issues was opened. */
  readonly trail: readonly ReadingPlace[];
  /** Whether Markdown is shown as it was written. */
  readonly raw: boolean;
  /** The last change by somebody else to the issue that is shown. */
  readonly touched: Touched | undefined;
  readonly known: ReadonlyMap<string, Detail>;
}

export const TOP: ReadingPlace = { section: "Comments", scroll: 0, chosenRef: undefined };

export function initialDetail(open: string | undefined): DetailState {
  return {
    ...TOP,
    open: open === undefined ? [] : [open],
    trail: [],
    raw: false,
    touched: undefined,
    known: new Map(),
  };
}
