import type { Instant } from "../../base/clock.ts";
import type { pollEvents } from "../../contract/activity.ts";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import type { Issue } from "../board/issues.ts";

export type IssueEvent = Output<typeof pollEvents>["events"][number];

/** What the detail of one issue shows. Each part that could not be read has its error beside it. */
export interface Detail {
  readonly uid: string;
  readonly show: Output<typeof showIssue> | undefined;
  readonly error: string | undefined;
  readonly events: readonly IssueEvent[] | undefined;
  readonly eventsError: string | undefined;
  /** The other ends of its links, of other projects too. */
  readonly peers: readonly Issue[] | undefined;
  readonly peersError: string | undefined;
}

export type DetailPart = Partial<Omit<Detail, "uid">>;

export const SECTIONS = ["Comments", "Events", "Links", "Dates", "Children"] as const;
export type Section = (typeof SECTIONS)[number];

/** Where a person is in an issue. */
export interface ReadingPlace {
  readonly section: Section;
  readonly scroll: number;
  /** Which of the issues that the open one names `enter` opens. */
  readonly chosenRef: number | undefined;
}

/** What somebody else last did to an issue. */
export interface Touched {
  readonly uid: string;
  readonly text: string;
  readonly at: Instant;
}

export interface DetailState extends ReadingPlace {
  /** The issues that are open over the screen; the last is shown, the others are the way back. */
  readonly open: readonly string[];
  /** Where the person was in the issues that were open before this one. */
  readonly trail: readonly ReadingPlace[];
  /** Texts are shown as they were written, without formatting. */
  readonly raw: boolean;
  /** The last change that somebody else made to the issue that is shown. */
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
