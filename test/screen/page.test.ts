import { expect, test } from "vitest";
import { toggleTask } from "../../src/screen/detail/tasks.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { fieldOf } from "../../src/screen/field.ts";
import type { Fit } from "../../src/screen/fit.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import type { Command } from "../../src/screen/keys.ts";
import type { Message, Target } from "../../src/screen/message.ts";
import type { Place } from "../../src/screen/place/place.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import type { State } from "../../src/screen/state.ts";
import { update } from "../../src/screen/update.ts";
import { HOME, issue, START, screen } from "../tui/support.ts";

/** A page that scrolls by itself has room for everything. */
const PAGE: Fit<State> = {
  board: () => ({ rows: 1000, browse: false, detail: false }),
  isWide: () => false,
  page: () => 20,
  browse: () => 1000,
  lanes: () => 4,
  card: () => () => 1,
  document: () => undefined,
  versions: () => ({ lines: 0, height: 1 }),
  vertical: (_state, field) => field,
};

const open = (number: number): Partial<Place> => ({ issue: issue(number).uid, isOpen: true });

/** A page in a browser: its inputs send `typed`, clicks send `chosen`, and it has no keys. */
class Page {
  state: State = initialState({
    ...START,
    fit: PAGE,
    screens: SCREENS,
    columns: 1,
    rows: 1,
    page: "http://127.0.0.1:7780/svc",
  });
  effects: readonly Effect[] = [];

  constructor() {
    const issues = [issue(1), issue(2, { title: "The socket path is long", labels: ["bug"] })];
    const read = { part: "all", serial: 0, gone: [], truncated: false } as const;
    this.tell({ type: "issues", issues, ...read });
  }

  command(command: Command): this {
    return this.#click({ is: "command", command });
  }

  button(key: string): this {
    return this.#click({ is: "button", key });
  }

  click(place: Target): this {
    return this.#click(place);
  }

  go(place: Partial<Place>): this {
    return this.tell({ type: "went", place: { ...HOME, project: "product", ...place } });
  }

  row(at: number): this {
    return this.#click({ is: "row", at });
  }

  /** Types into the input with that name, or into the only one. */
  type(text: string, name?: string): this {
    const { dialog } = this.state;
    if (dialog?.dialog === "form" && name !== undefined)
      this.#click({ is: "field", at: dialog.fields.findIndex((field) => field.name === name) });
    return this.tell({ type: "typed", field: fieldOf(text) });
  }

  #click(place: Target): this {
    return this.tell({ type: "chosen", place, spot: JSON.stringify(place) });
  }

  tell(message: Message): this {
    const { state, effects } = update(this.state, message);
    this.state = state;
    this.effects = effects;
    return this;
  }
}

test("a page creates an issue with only its inputs and clicks", () => {
  const page = new Page().command("new");
  page.type("A new title", "title").type("Why\nand how", "body").type("bug api", "labels");
  expect(page.state.dialog).toMatchObject({ dialog: "form", focus: 2 });
  page.button("ctrl+s");
  const write = { act: "create", title: "A new title", body: "Why\nand how" };
  expect(page.effects).toMatchObject([
    { effect: "write", write: { ...write, labels: ["bug", "api"], project: { id: 1 } } },
  ]);
});

test("a page filters the board while the text is typed, and its buttons apply or drop the filter", () => {
  const page = new Page().command("filter").type("label:bug");
  expect(page.state.board.query).toBe("label:bug");
  expect(page.state.board.cursor).toBe(issue(2).uid);
  expect(page.button("enter").state.dialog).toBeUndefined();
  page.command("filter").type("label:api").button("esc");
  expect(page.state.board.query).toBe("label:bug");
});

test("a page comments on the issue that is opened by clicks", () => {
  const page = new Page().row(1).row(1).command("comment");
  page.type("It is 108 bytes.").button("ctrl+s");
  expect(page.effects).toMatchObject([
    { effect: "write", write: { act: "comment", body: "It is 108 bytes." } },
  ]);
});

test("a page finds a command in the palette", () => {
  const page = new Page().command("palette").type("times").button("enter");
  expect(page.state.preferences.times).toBe("clock");
});

test("a click beside the dialog does nothing, and a form that is being saved keeps its focus", () => {
  const page = new Page().command("new");
  const { dialog } = page.row(1).command("palette").state;
  expect(dialog).toMatchObject({ dialog: "form", focus: 0 });
  page.type("A title", "title").button("ctrl+s").type("too late", "body");
  expect(page.state.dialog).toMatchObject({ saving: true, focus: 0 });
});

test("a click on a box marks its row, a click with shift marks all rows up to there, and a second click removes the mark", () => {
  const page = new Page().click({ is: "mark", at: 0, range: false });
  expect(page.state.marks.size).toBe(1);
  page.click({ is: "mark", at: 1, range: true });
  expect(page.state.marks.size).toBe(2);
  page.click({ is: "mark", at: 1, range: false });
  expect(page.state.marks.size).toBe(1);
});

test("a click on a label, a view or an order changes what is shown", () => {
  const page = new Page().click({ is: "query", query: "status:open label:bug" });
  page.click({ is: "view", view: "flat" }).click({ is: "order", order: "-title" });
  const { query, view, order } = page.state.board;
  expect({ query, view, order }).toEqual({
    query: "status:open label:bug",
    view: "flat",
    order: "-title",
  });
});

test("a page copies the link of an issue, by its button and by the key that asks what to copy", () => {
  const text = `http://127.0.0.1:7780/svc?issue=${issue(1).uid}`;
  const page = new Page().click({ is: "issue", uid: issue(1).uid });
  page.click({ is: "copy", part: "link" });
  expect(page.effects).toEqual([{ effect: "copy", text }]);
  page.command("copy-part").type("link").button("enter");
  expect(page.effects).toEqual([{ effect: "copy", text }]);
});

test("a screen without a page offers no link, and refuses to copy one", () => {
  const session = screen(80, 24).keys("Y");
  const { dialog } = session.state;
  const choices = dialog?.dialog === "prompt" ? dialog.choices : [];
  expect(choices.length).toBeGreaterThan(0);
  expect(choices.filter((choice) => choice.startsWith("link"))).toEqual([]);
  session.keys("esc");
  const said = session.tell({ type: "chosen", place: { is: "copy", part: "link" }, spot: "" });
  expect(said.filter(({ effect }) => effect === "copy")).toEqual([]);
  expect(session.state.messages.notice?.text).toBe(
    "one of id, title, both, command, branch, text, uid can be copied",
  );
});

test("a click on a row closes the issue that is open beside the list", () => {
  const page = new Page().click({ is: "issue", uid: issue(1).uid });
  expect(page.state.detail.open).toEqual([issue(1).uid]);
  page.row(1);
  expect(page.state.detail.open).toEqual([]);
});

test("a click on a suggestion accepts it, in a prompt and in a form", () => {
  const page = new Page().command("filter").type("label:b").click({ is: "option", at: 0 });
  expect(page.state.board.query).toBe("label:bug");
  page.button("esc").command("new").type("bu", "labels").click({ is: "option", at: 0 });
  const labels = (): string | undefined =>
    page.state.dialog?.dialog === "form"
      ? page.state.dialog.fields.find(({ name }) => name === "labels")?.value.text
      : undefined;
  expect(labels()).toBe("bug ");
});

test("an address opens its screen, filter and issue, and leaving it restores the previous place", () => {
  const page = new Page().go({ query: "status:all", view: "flat", ...open(2) });
  expect(placeOf(page.state)).toEqual({
    ...HOME,
    project: "product",
    query: "status:all",
    view: "flat",
    ...open(2),
  });
  page.go({});
  expect(placeOf(page.state)).toEqual({ ...HOME, project: "product" });
});

test.each([
  ["from the issue of an address to its row", "status:all", [1], 1, 1],
  ["from an issue that the filter hides to the row where the cursor was", "label:bug", [1], 1, 2],
  ["from an issue to the one below it, whose row has the cursor", "status:all", [1, 2], 2, 1],
])("going back leads %s", (_what, query, opened, times, cursor) => {
  const page = new Page().go({ query });
  for (const at of opened) page.click({ is: "issue", uid: issue(at).uid });
  for (let time = 0; time < times; time += 1) page.command("back");
  expect(page.state.board.cursor).toBe(issue(cursor).uid);
});

test("an address with an unknown project shows no other project, and searches for it", () => {
  const page = new Page().go({ project: "nowhere" });
  expect(page.state.scope.missing).toEqual({ name: "nowhere", isArchived: false });
  expect(page.state.scope.project).toBeUndefined();
});

test.each([
  ["- [ ] one", 0, "- [x] one"],
  ["- [x] one", 0, "- [ ] one"],
  ["text\n  1. [X] two", 1, "text\n  1. [ ] two"],
  ["> * [ ] three", 0, "> * [x] three"],
])("the task in %j on line %i becomes %j", (body, line, after) => {
  expect(toggleTask(body, line)).toBe(after);
});

test.each([
  ["- [ ]one", 0],
  ["- one", 0],
  ["- [ ] one", 1],
  ["[ ] one", 0],
])("%j has no task on line %i", (body, line) => {
  expect(toggleTask(body, line)).toBeUndefined();
});

test("a click on a task saves the text if nobody has changed the issue since", () => {
  const page = new Page();
  const body = "- [ ] one\n- [ ] two";
  page.tell({
    ...{ type: "issues", part: "changed", serial: 0, gone: [], truncated: false },
    issues: [issue(1, { body, revision: 9 })],
  });
  page.click({ is: "issue", uid: issue(1).uid }).click({ is: "task", line: 1 });
  expect(page.effects).toMatchObject([
    {
      effect: "write",
      write: { act: "edit", body: "- [ ] one\n- [x] two", revision: 9, before: body },
    },
  ]);
});
