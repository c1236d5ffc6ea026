import type { Column } from "../../src/screen/board/column-names.ts";
import { columnsWanted } from "../../src/screen/board/columns.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import type { State } from "../../src/screen/state.ts";
import { LIST_COLUMNS } from "../layout.ts";
import { cells } from "../text.ts";
import { timeCells } from "../times.ts";
import { roomBeside } from "./rows.ts";

/** The widths in cells of the whole row and of each column; 0 for a column that is not shown. */
export interface Columns extends Sizes {
  readonly width: number;
  /** With several projects an id includes the project's name. */
  readonly id: number;
}

type Sizes = Readonly<Record<Column | "title", number>>;

/** The width in cells of the cursor and a sign for the issue. */
export const MARK_CELLS = 2;
const PRIORITY = 2;
const DUE = 5;
const NAMES = { owner: 6, author: 6, labels: 10 } as const;
const WIDE_NAMES = { owner: 9, author: 9, labels: 16 } as const;
const NONE = { priority: 0, age: 0, owner: 0, labels: 0, due: 0, author: 0, created: 0 } as const;
/** The width that titles keep when the column of the priority or the age is added. */
const NARROW_TITLE = 30;
/** The width that titles keep when any other column is added. */
const USUAL_TITLE = 44;
/** The maximum number of cells that the labels gain in a wide list without an issue beside it. */
const MORE_LABELS = 16;

/** Returns the columns of a list. `isAlone` means that the list has the whole width of the screen. */
export function columnsOf(state: State, width: number, isAlone: boolean): Columns {
  const id = idWidth(state, width);
  // Mark and id count as one column, because there is no blank between them.
  const lead = [MARK_CELLS + id, 1];
  const room = roomBeside(width, lead);
  const time = timeCells(state);
  const long = roomBeside(LIST_COLUMNS, [...lead, PRIORITY, time]);
  return { width, id, ...columnsIn({ room, time, long, isAlone, wanted: columnsWanted(state) }) };
}

interface Room {
  /** The width in cells that is left beside mark, id and state. */
  readonly room: number;
  readonly time: number;
  /** The width of titles in the narrowest list beside an issue. */
  readonly long: number;
  readonly isAlone: boolean;
  readonly wanted: readonly Column[];
}

/**
 * The widths of the columns beside mark, id and state. A column is added only if there is room for it and the titles
 * stay as long as in every narrower list. So a wider terminal never shows less of a title.
 */
function columnsIn({ room, time, long, isAlone, wanted }: Room): Sizes {
  const usual = isAlone ? Math.min(USUAL_TITLE, long) : long;
  const least = { priority: PRIORITY, age: time, created: time, due: DUE, ...NAMES };
  const only = (widths: Partial<Sizes>): Partial<Sizes> =>
    Object.fromEntries(wanted.map((column) => [column, widths[column] ?? least[column]]));
  const steps: readonly (readonly [title: number, adds: Partial<Sizes>])[] = [
    ...wanted.map((column): readonly [number, Partial<Sizes>] => {
      const isNarrow = column === "priority" || column === "age";
      return [isNarrow ? NARROW_TITLE : usual, { [column]: least[column] }];
    }),
    [long, only(WIDE_NAMES)],
  ];
  let sizes: Sizes = { ...NONE, title: room };
  for (const [title, adds] of steps) {
    const next = { ...sizes, ...adds };
    const left = roomBeside(
      room,
      wanted.map((column) => next[column]),
    );
    if (left < title) return capped(sizes, title);
    sizes = { ...next, title: left };
  }
  // Without an issue beside the list, cells beyond `long` go to the labels or the age instead of the title. A wider
  // terminal shows an issue beside the list, and titles then have only `long` cells. So a wider terminal never shows
  // less of a title.
  const more = isAlone ? Math.max(0, Math.min(sizes.title - long, MORE_LABELS)) : 0;
  const widest = sizes.labels > 0 ? "labels" : "age";
  return { ...sizes, [widest]: sizes[widest] + more, title: sizes.title - more };
}

/**
 * Limits the titles to `title` cells. The remaining cells are too few for another column and go to the age column,
 * which is right-aligned.
 */
function capped(sizes: Sizes, title: number): Sizes {
  const rest = Math.max(0, sizes.title - title);
  const age = sizes.age === 0 ? 0 : sizes.age + rest;
  return { ...sizes, title: sizes.title - rest, age };
}

/**
 * Returns the width of ids, at most a quarter of `width`. In a single project it is enough for the longest id, because
 * a cut id could not be typed. With all projects, ids include the project's name and take at most `LONGEST_ID` cells.
 */
function idWidth(state: State, width: number): number {
  const { scope } = state;
  const short = Math.max(SHORT_ID, relationsOf(state).longestId()) + 1;
  if (scope.project !== undefined) return Math.min(short, Math.floor(width / 4));
  const longest = Math.max(0, ...scope.projects.map(({ name }) => cells(name)));
  const wanted = longest === 0 ? LONGEST_ID : longest + 1 + short;
  return Math.min(wanted, LONGEST_ID, Math.floor(width / 4));
}

/** The usual length of a short id; it is longer if it would be ambiguous or consist only of digits. */
const SHORT_ID = 4;
const LONGEST_ID = 16;
