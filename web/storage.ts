import { type Column, columnsOf } from "../src/screen/board/column-names.ts";
import type { SavedView } from "../src/screen/board/state.ts";
import type { Draft } from "../src/screen/forms/dialog.ts";

/** The browser's storage, in which a person's choices are kept. No secret is stored in it. */
export type Keep = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * The storage of this browser. It is looked up at each use, because looking it up throws in a browser that forbids
 * storage.
 */
export const BROWSER_KEEP: Keep = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
};

const NAMES = {
  actor: "svc.actor",
  project: "svc.project",
  views: "svc.views",
  columns: "svc.columns",
  drafts: "svc.drafts",
  width: "svc.detail-width",
  letters: "svc.letters",
  picture: "svc.graph-picture",
  lanes: "svc.fleet-lanes",
  signedIn: "svc.signed-in",
} as const;
type Name = keyof typeof NAMES;

/**
 * Who typed a draft, and for which daemon. Several people may use one browser, and none sees the drafts of the others.
 */
export interface Writer {
  readonly actor: string;
  /** The uid of the daemon's instance. */
  readonly daemon: string;
}

function keyOf(name: Name, writer: Writer | undefined): string {
  if (writer === undefined) return NAMES[name];
  return `${NAMES[name]} ${JSON.stringify([writer.daemon, writer.actor])}`;
}

/** A value that an earlier visit stored; `undefined` if there is none or the browser allows no storage. */
export function storedValue(keep: Keep, name: Name, writer?: Writer): string | undefined {
  try {
    return keep.getItem(keyOf(name, writer)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(keep: Keep, name: Name, value: string | undefined, writer?: Writer): void {
  const key = keyOf(name, writer);
  try {
    if (value === undefined) keep.removeItem(key);
    else keep.setItem(key, value);
  } catch {
    // The browser allows no storage. The page works without it.
  }
}

export function keptViews(keep: Keep): readonly SavedView[] {
  return listIn<SavedView>(
    storedValue(keep, "views"),
    (one) => isText(one, "name") && isText(one, "query"),
  );
}

/** Saves a view, or removes it if `query` is `undefined`. Returns all saved views. */
export function withView(
  keep: Keep,
  name: string,
  query: string | undefined,
): readonly SavedView[] {
  const others = keptViews(keep).filter((view) => view.name !== name);
  const views = query === undefined ? others : [...others, { name, query }];
  remember(keep, "views", JSON.stringify(views));
  return views;
}

export function keptColumns(keep: Keep): readonly Column[] | undefined {
  const text = storedValue(keep, "columns");
  return text === undefined ? undefined : columnsOf(text).columns;
}

export function loadDrafts(keep: Keep, writer: Writer): readonly Draft[] {
  const isKept = (one: object): boolean => isText(one, "id") && "form" in one;
  return listIn<Draft>(storedValue(keep, "drafts", writer), isKept);
}

export function saveDrafts(keep: Keep, drafts: readonly Draft[], writer: Writer): void {
  remember(keep, "drafts", drafts.length === 0 ? undefined : JSON.stringify(drafts), writer);
}

/** A list that an earlier visit stored. Items without the expected form are left out. */
function listIn<Item>(text: string | undefined, isItem: (one: object) => boolean): readonly Item[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return [];
    // The cast is safe: `isItem` has checked each item.
    return value.filter((one) => typeof one === "object" && one !== null && isItem(one)) as Item[];
  } catch {
    return [];
  }
}

function isText(one: object, name: string): boolean {
  return name in one && typeof (one as Readonly<Record<string, unknown>>)[name] === "string";
}
