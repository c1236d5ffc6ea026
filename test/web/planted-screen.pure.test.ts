import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { openIssue } from "../../src/screen/detail/detail.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { fieldOf } from "../../src/screen/field.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { peopleOf } from "../../src/screen/issues/choices.ts";
import { keymapOf } from "../../src/screen/keymap.ts";
import type { KeyTable } from "../../src/screen/keys.ts";
import type { Message } from "../../src/screen/message.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { cursorIn, type ScreenRecord } from "../../src/screen/screen.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { CURSOR } from "../../src/screen/signs.ts";
import { type State, toScreen } from "../../src/screen/state.ts";
import { step } from "../../src/screen/step.ts";
import { update } from "../../src/screen/update.ts";
import { frame } from "../../tui/screens/frame.ts";
import { PAINTERS, type ScreenPainter } from "../../tui/screens/painters.ts";
import { painter } from "../../tui/style.ts";
import { fit } from "../../tui/text.ts";
import type { PagePainter, PainterProps } from "../../web/painter.ts";
import { Painters } from "../../web/painter-context.ts";
import { PAGE_PAINTERS } from "../../web/painters.ts";
import { EmptyView } from "../../web/parts/empty.tsx";
import { ScreenButton } from "../../web/parts/sidebar.tsx";
import { placeIn, urlOf } from "../../web/place.ts";
import { START, sample } from "../tui/support.ts";

/**
 * A seventh screen, as somebody would add it: what stands here is its folder, its row in the table, and its painter for
 * the terminal and the page. It lists the issues that have an owner.
 */
declare module "../../src/screen/state.ts" {
  interface ScreenStates {
    readonly owned: { readonly cursor: number };
  }
}

const OWNED_KEYS = {
  everywhere: { owned: { keys: ["8"], label: "who owns what" } },
  owned: { "owned-open": { keys: ["enter"], label: "open the issue", word: "enter open" } },
} as const satisfies KeyTable;

declare module "../../src/screen/keys.ts" {
  interface KeyTables {
    readonly owned: typeof OWNED_KEYS;
  }
}

const rowsOf = ({ issues }: State) =>
  [...issues.values()].filter(({ owner }) => owner !== undefined);
const issueOf = (state: State) => rowsOf(state)[state.owned.cursor]?.uid;
const readAgain = (state: State): readonly Effect[] => {
  const uids = rowsOf(state).map(({ uid }) => uid);
  return state.screen === "owned" && uids.length > 0 ? [{ effect: "refresh", uids }] : [];
};

const OWNED: ScreenRecord<"owned"> = {
  name: "owned",
  initial: () => ({ cursor: 0 }),
  keys: OWNED_KEYS,
  help: { owned: { where: "among owners", heading: "Owners" } },
  signs: { owned: [CURSOR, { text: "=", label: "somebody owns it" }] },
  shownBy: "owned",
  opensBy: "owned-open",
  commands: {
    owned: { run: (state) => step(toScreen(state, "owned"), ...readAgain(state)) },
    "owned-open": { run: (state) => openIssue(state, issueOf(state)) },
  },
  scopes: [["owned", "lines", "issue", "everywhere"]],
  rows: {
    ...cursorIn("owned"),
    count: (state) => rowsOf(state).length,
    issues: (state) => rowsOf(state).map(({ uid }) => uid),
    isRead: ({ loading }) => loading.stage === "done",
  },
  issueUnderCursor: issueOf,
  empty: (state) =>
    rowsOf(state).length > 0 ? undefined : { why: "nobody owns an issue", next: [] },
  emptyActs: () => [],
  reducer: undefined,
  reads: readAgain,
  people: () => ["zoe"],
  readsAfterEvents: () => [],
  made: (state, { changed }) => step(state, ...(changed === "issue" ? readAgain(state) : [])),
};

const ON_TERMINAL: ScreenPainter = {
  name: "owned",
  status: (_state, _paint, width) => fit(" who owns what", width),
  draw: (state, _paint, { width, height }) => {
    const lines = rowsOf(state).map(
      ({ uid, title, owner }) => `${uid === issueOf(state) ? ">" : " "} ${owner}  ${title}`,
    );
    const shown = lines.length === 0 ? [emptyOf(state)?.why ?? ""] : lines;
    return Array.from({ length: height }, (_none, at) => fit(shown[at] ?? "", width));
  },
};

const ON_PAGE: PagePainter = {
  name: "owned",
  title: "Owned",
  icon: "fleet",
  Painter: ({ state, send }: PainterProps) => {
    const empty = emptyOf(state);
    if (empty !== undefined) return createElement(EmptyView, { state, send, empty });
    return createElement(
      "ul",
      {},
      rowsOf(state).map(({ uid, title }) => createElement("li", { key: uid }, title)),
    );
  },
};

let state: State;
let effects: readonly Effect[] = [];

const tell = (message: Message): void => {
  ({ state, effects } = update(state, message));
};
const press = (...keys: readonly string[]): void => {
  for (const key of keys) tell({ type: "key", key });
};
const type = (text: string): void => tell({ type: "typed", field: fieldOf(text) });
const picture = (): string => frame(state, painter("none"), [...PAINTERS, ON_TERMINAL]).join("\n");
const page = (): string => {
  const props = { state, send: () => undefined };
  const drawn = [
    createElement(ON_PAGE.Painter, { ...props, key: "list" }),
    createElement(ScreenButton, { ...props, key: "button", screen: "owned" }),
  ];
  return renderToString(
    createElement(Painters.Provider, { value: [...PAGE_PAINTERS, ON_PAGE] }, drawn),
  );
};

beforeEach(() => {
  state = initialState({ ...START, screens: [...SCREENS, OWNED], columns: 100, rows: 24 });
  tell({ type: "live", live: "live" });
  tell({ type: "issues", part: "all", serial: 0, issues: sample(), gone: [], truncated: false });
  press("8");
});

test("a planted screen lists its rows on the terminal and on the page, with a tab of its own", () => {
  expect(picture()).toContain("[7 Owned]");
  expect(picture()).toContain("> claude  Federation rotate");
  expect(page()).toContain("Federation rotate");
  expect(page()).toContain("Owned");
});

test("the cursor of a planted screen moves by keys and by a click", () => {
  press("j");
  expect(picture()).toContain("> claude  Replay enrollment");
  tell({ type: "chosen", place: { is: "row", at: 2 }, spot: "2" });
  expect(state.owned.cursor).toBe(2);
});

test("a planted screen opens the issue under its cursor, and esc leads back to it and then to the board", () => {
  press("enter");
  expect(state.detail.open).toEqual([sample()[0]?.uid]);
  press("esc");
  expect([state.screen, state.detail.open]).toEqual(["owned", []]);
  press("esc");
  expect(state.screen).toBe("board");
});

test("help and palette show the keys and signs of a planted screen", () => {
  press("?");
  expect(picture()).toContain("> enter              open the issue");
  type("owns");
  expect(picture()).toContain("sign =             somebody owns it");
  press("esc", "1", "?");
  type("open the issue");
  expect(picture()).toContain("only among owners");
  press("esc", ":");
  type("who owns");
  press("enter");
  expect(state.screen).toBe("owned");
});

test("a person may choose the keys of a planted screen", () => {
  const { keys, problems } = keymapOf({ "owned.owned-open": ["x"] }, [...SCREENS, OWNED]);
  expect(keys.find(({ command }) => command === "owned-open")?.keys).toEqual(["x"]);
  expect(problems).toEqual([
    "tui.keys: where both can be meant, x is owned.owned-open and not issue.close",
  ]);
});

test("the people whom a planted screen knows are offered for a request", () => {
  press("i");
  expect(state.dialog).toMatchObject({ kind: "recipient" });
  expect(peopleOf(state)).toContain("zoe");
});

test("a planted screen without rows says why", () => {
  const issues = sample().map((issue) => ({ ...issue, owner: undefined }));
  const [revision, gone] = [2, [] as const];
  const changed = issues.map((issue) => ({ ...issue, revision }));
  tell({ type: "issues", part: "changed", serial: 0, issues: changed, gone, truncated: false });
  expect(picture()).toContain("nobody owns an issue");
  expect(page()).toContain("Nobody owns an issue");
  press("j");
  expect(state.messages.notice?.text).toBe("there is nothing to move to");
});

test("a planted screen reads its rows again after a write and after a reload", () => {
  press("+", "x", "enter");
  const [id] = effects.flatMap((one) => (one.effect === "write" ? [one.id] : []));
  tell({ type: "written", id: id ?? 0, issue: sample()[0] });
  const uids = rowsOf(state).map(({ uid }) => uid);
  expect(effects).toContainEqual({ effect: "refresh", uids });
  tell({ type: "reload" });
  expect(effects).toContainEqual({ effect: "refresh", uids });
});

test("an address of the page names a planted screen", () => {
  const url = new URL(urlOf(placeOf(state)), "http://localhost");
  press("1");
  tell({ type: "went", place: placeIn(url, null, state.screens) });
  expect(state.screen).toBe("owned");
});
