import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { openIssue } from "../../src/screen/detail/detail.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { fieldOf } from "../../src/screen/field.ts";
import { promptDialog } from "../../src/screen/forms/dialog.ts";
import { draftForms } from "../../src/screen/forms/drafts.ts";
import { draftFormNames } from "../../src/screen/forms/form-record.ts";
import { fieldRow, formOf, isEmpty, openNewForm, valueIn } from "../../src/screen/forms/forms.ts";
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
import { atOf } from "../../src/screen/writes/writes.ts";
import { frame } from "../../tui/screens/frame.ts";
import { PAINTERS, type ScreenPainter } from "../../tui/screens/painters.ts";
import { placeAt } from "../../tui/screens/places.ts";
import { painter } from "../../tui/style.ts";
import { fit } from "../../tui/text.ts";
import type { PagePainter, PainterProps } from "../../web/painter.ts";
import { Painters } from "../../web/painter-context.ts";
import { PAGE_PAINTERS } from "../../web/painters.ts";
import { EmptyView } from "../../web/parts/empty.tsx";
import { ScreenButton } from "../../web/parts/sidebar.tsx";
import { historyStep, placeIn, urlOf } from "../../web/place.ts";
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
  owned: {
    "owned-open": { keys: ["enter"], label: "open the issue", word: "enter open" },
    "owned-give": { keys: ["E"], label: "give the issue to somebody else" },
    "owned-find": { keys: ["w"], label: "to an owner by name", asks: "owner" },
  },
} as const satisfies KeyTable;

declare module "../../src/screen/keys.ts" {
  interface KeyTables {
    readonly owned: typeof OWNED_KEYS;
  }
}

declare module "../../src/screen/message.ts" {
  interface ScreenTargets {
    readonly owned: { readonly "owner-name": { readonly owner: string } };
  }
}

declare module "../../src/screen/place/place.ts" {
  interface ScreenPlaces {
    readonly owned: { readonly owner: string | undefined };
  }
}

declare module "../../src/screen/forms/dialog.ts" {
  interface PromptKinds {
    readonly owned: "owned-name";
  }
  interface FormKinds {
    readonly owned: { readonly "owned-give": { readonly uid: string } };
  }
}

const rowsOf = ({ issues }: State) =>
  [...issues.values()].filter(({ owner }) => owner !== undefined);
const issueOf = (state: State) => rowsOf(state)[state.owned.cursor]?.uid;
const toOwner = (state: State, name: string): State => {
  const cursor = rowsOf(state).findIndex(({ owner }) => owner === name);
  return cursor === -1 ? state : { ...state, owned: { cursor } };
};
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
    "owned-give": {
      run: (state) => {
        const kind = { form: "owned-give", uid: issueOf(state) ?? "" } as const;
        return openNewForm(state, (id) => formOf(id, kind, "give it", [fieldRow("to", "To", "")]));
      },
    },
    "owned-find": {
      run: (state) => {
        const choices = rowsOf(state).flatMap(({ owner }) => owner ?? []);
        return step({ ...state, dialog: promptDialog("owned-name", "owner", { choices }) });
      },
    },
  },
  scopes: [["owned", "lines", "issue", "everywhere"]],
  prompts: {
    "owned-name": {
      needsText: true,
      names: "choice",
      answer: (state, _dialog, text) => step(toOwner(state, text)),
    },
  },
  forms: {
    "owned-give": {
      problem: (_state, dialog) =>
        isEmpty(dialog, "to") ? { field: "to", text: "say to whom" } : undefined,
      writes: (state, dialog) =>
        [...state.issues.values()]
          .filter(({ uid }) => uid === dialog.kind.uid)
          .map((issue) => ({ act: "assign", at: atOf(issue), owner: valueIn(dialog, "to") })),
    },
  },
  targets: { "owner-name": (state, { owner }) => step(toOwner(state, owner)) },
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
  afterWrites: (state, { changed }) =>
    step(state, ...(changed === "issue" ? readAgain(state) : [])),
  address: {
    fields: {
      owner: {
        parameter: "owner",
        usual: undefined,
        parse: (text, screen) => (screen === "owned" ? text : undefined),
        leadsElsewhere: (from, to) => from !== to,
      },
    },
    of: (state) => ({
      owner: state.screen === "owned" ? rowsOf(state)[state.owned.cursor]?.owner : undefined,
    }),
    follow: (state, { owner }) => step(owner === undefined ? state : toOwner(state, owner)),
  },
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
  targetAt: (_state, _x, y) => (y === 1 ? { is: "owner-name", owner: "bo" } : undefined),
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

test("a screen added by a test lists its rows on the terminal and on the page, with a tab of its own", () => {
  expect(picture()).toContain("[7 Owned]");
  expect(picture()).toContain("> claude  Federation rotate");
  expect(page()).toContain("Federation rotate");
  expect(page()).toContain("Owned");
});

test("keys and a click move the cursor of a screen that a test adds", () => {
  press("j");
  expect(picture()).toContain("> claude  Replay enrollment");
  tell({ type: "chosen", place: { is: "row", at: 2 }, spot: "2" });
  expect(state.owned.cursor).toBe(2);
});

test("a screen added by a test opens the issue under its cursor, and esc leads back to it and then to the board", () => {
  press("enter");
  expect(state.detail.open).toEqual([sample()[0]?.uid]);
  press("esc");
  expect([state.screen, state.detail.open]).toEqual(["owned", []]);
  press("esc");
  expect(state.screen).toBe("board");
});

test("help and palette show the keys and signs of a screen added by a test", () => {
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

test("a person can configure the keys of a screen added by a test", () => {
  const { keys, problems } = keymapOf({ "owned.owned-open": ["x"] }, [...SCREENS, OWNED]);
  expect(keys.find(({ command }) => command === "owned-open")?.keys).toEqual(["x"]);
  expect(problems).toEqual([
    "tui.keys: where both can be meant, x is owned.owned-open and not issue.close",
  ]);
});

test("the people in the state of a screen added by a test are offered as recipients of a request", () => {
  press("i");
  expect(state.dialog).toMatchObject({ kind: "recipient" });
  expect(peopleOf(state)).toContain("zoe");
});

test("a screen added by a test asks for a line of text, and Enter takes the only owner that contains the text", () => {
  press("w");
  type("cod");
  expect(picture()).toContain("enter take   up/down choose   tab complete   esc cancel");
  press("enter");
  expect([state.owned.cursor, state.dialog]).toEqual([2, undefined]);
});

test("the prompt of a screen added by a test does not take an empty line", () => {
  press("w", "enter");
  expect(state.messages.notice?.text).toContain("nothing was typed");
  expect(state.dialog).toMatchObject({ kind: "owned-name" });
});

test("a screen added by a test opens a form of its own, which says what is missing and sends its writes", () => {
  press("E", "ctrl+s");
  expect(picture()).toContain("say to whom");
  expect(effects).toEqual([]);
  type("bo");
  press("ctrl+s");
  const at = { uid: sample()[0]?.uid };
  expect(effects).toMatchObject([{ effect: "write", write: { act: "assign", at, owner: "bo" } }]);
});

test("what was typed into a form of a screen added by a test is kept as a draft", () => {
  press("E");
  expect(draftForms(state)).toEqual([]);
  type("bo");
  expect(draftForms(state)).toMatchObject([{ kind: { form: "owned-give" } }]);
  expect(draftFormNames(state)).toContain("owned-give");
});

test("a screen added by a test says why it has no rows", () => {
  const issues = sample().map((issue) => ({ ...issue, owner: undefined }));
  const [revision, gone] = [2, [] as const];
  const changed = issues.map((issue) => ({ ...issue, revision }));
  tell({ type: "issues", part: "changed", serial: 0, issues: changed, gone, truncated: false });
  expect(picture()).toContain("nobody owns an issue");
  expect(page()).toContain("Nobody owns an issue");
  press("j");
  expect(state.messages.notice?.text).toBe("there is nothing to move to");
});

test("a screen added by a test reads its rows again after a write and after a reload", () => {
  press("+", "x", "enter");
  const [id] = effects.flatMap((one) => (one.effect === "write" ? [one.id] : []));
  tell({ type: "written", id: id ?? 0, issue: sample()[0] });
  const uids = rowsOf(state).map(({ uid }) => uid);
  expect(effects).toContainEqual({ effect: "refresh", uids });
  tell({ type: "reload" });
  expect(effects).toContainEqual({ effect: "refresh", uids });
});

test("an address of the page names a screen added by a test and that screen's own part of the address", () => {
  const screens = [...SCREENS, OWNED];
  press("j", "j");
  const place = placeOf(state);
  const url = new URL(urlOf(place, screens), "http://localhost");
  expect(url.search).toContain("?screen=owned&owner=codex");
  press("g", "1");
  tell({ type: "went", place: placeIn(url, null, screens) });
  expect([state.screen, state.owned.cursor]).toEqual(["owned", 2]);
  const moves = { opens: false, isNamedView: false };
  expect(historyStep({ ...place, owner: "bo" }, place, moves, screens)).toBe("push");
});

test("a click on a part that only a screen added by a test draws reaches that screen", () => {
  const place = placeAt(state, 3, 1, [...PAINTERS, ON_TERMINAL]);
  tell({ type: "chosen", place, spot: "title" });
  expect(rowsOf(state)[state.owned.cursor]?.owner).toBe("bo");
});
