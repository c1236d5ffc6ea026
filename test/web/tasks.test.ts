import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { box } from "../e2e/box.ts";
import { tui } from "../e2e/tui-screen.ts";
import { golden } from "../support/golden.ts";
import { opened } from "./support/filled.ts";
import {
  type Finger,
  fingerOf,
  type Keys,
  keysOnPage,
  keysOnTerminal,
  type Mouse,
  mouseOf,
} from "./support/hands.ts";
import { type Web, webTest } from "./support/web.ts";

const LIMIT_MS = 120_000;

/** With reduced motion a message stays until the next key or click, however long the test takes. */
const WIDE = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } as const;
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: "reduce",
} as const;

interface Issue {
  readonly uid: string;
  readonly title: string;
}

interface IssueContent {
  readonly issue: object;
  readonly links: readonly object[];
  readonly comments: readonly object[];
}

/** The daemon that a task changes, as another program sees it. The person on the page or screen is ana. */
interface Tracker {
  /** Makes an issue, as bo. */
  make(title: string, more?: { readonly label: string; readonly owner: string }): Promise<Issue>;
  /** Asks ana about an issue, as bo. */
  ask(uid: string, message: string): Promise<void>;
  show(uid: string): Promise<IssueContent>;
  list(): Promise<readonly Issue[]>;
  /** The requests to ana, as text. */
  inbox(): Promise<string>;
}

/** A key of the key table, or a text, and the words that a person waits for before the next step. */
type KeyStep = { readonly shows?: string } & ({ readonly key: string } | { readonly text: string });

interface Task {
  readonly name: string;
  /** The titles of the issues that are made for the task. They are the first of the board, with the cursor on the first. */
  readonly about: readonly string[];
  /** Set if ana is asked about the first one. */
  readonly asks?: string;
  readonly keys: readonly KeyStep[];
  mouse(mouse: Mouse, page: Page): Promise<void>;
  touch(finger: Finger, page: Page): Promise<void>;
  /** Waits until the daemon has what the task is to do. */
  done(tracker: Tracker, uids: readonly string[]): Promise<void>;
}

/** bo owns it and it has the label `bug`, so the page knows both names. It is there from the start. */
const FOUNDATION = "Pour the foundation";

const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true });
const inDialog = (page: Page, name: string): Locator =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });
const inIssue = (page: Page, name: string): Locator =>
  page.locator(".detail").getByRole("button", { name, exact: true });
const fact = (page: Page, name: string): Locator => page.locator(".detail").getByTitle(name);
const option = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("dialog").getByRole("option", { name, exact: true });
const inMenu = (page: Page, name: string): Locator =>
  page.getByRole("menu").getByRole("menuitem", { name });
const row = (page: Page, title: string): Locator => page.locator(".row", { hasText: title });
const titleOf = (page: Page, title: string): Locator => row(page, title).locator(".title a");

const TASKS: readonly Task[] = [
  {
    name: "create an issue",
    about: [],
    keys: [{ key: "n", shows: "new issue" }, { text: "Order the paint" }, { key: "ctrl+s" }],
    mouse: async (mouse, page) => {
      await mouse.click(button(page, "New issue"));
      await mouse.types("Order the paint");
      await mouse.click(inDialog(page, "Create"));
    },
    touch: async (finger, page) => {
      await finger.tap(button(page, "New issue"));
      await finger.types("Order the paint");
      await finger.tap(inDialog(page, "Create"));
    },
    done: async (tracker) =>
      await expect
        .poll(async () => (await tracker.list()).map(({ title }) => title))
        .toContain("Order the paint"),
  },
  {
    name: "close the issue under the cursor",
    about: ["Sweep the yard"],
    keys: [{ key: "x" }],
    mouse: async (mouse, page) => await mouse.click(inIssue(page, "Close")),
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Sweep the yard"));
      await finger.tap(inIssue(page, "Close"));
    },
    done: async (tracker, uids) =>
      await holds(tracker, uids, { status: "closed", closed_reason: "done" }),
  },
  {
    name: "close an issue and take that back",
    about: ["Mend the fence"],
    keys: [{ key: "x", shows: "closed product#" }, { key: "u" }],
    mouse: async (mouse, page) => {
      await mouse.click(inIssue(page, "Close"));
      await mouse.click(button(page, "Undo"));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Mend the fence"));
      await finger.tap(inIssue(page, "Close"));
      await finger.tap(button(page, "Undo"));
    },
    // It was made, closed and opened again.
    done: async (tracker, uids) => await holds(tracker, uids, { status: "open", revision: 3 }),
  },
  {
    name: "give an issue to bo",
    about: ["Sand the floor"],
    keys: [
      { key: "a", shows: "owner (empty is you) of product#" },
      { text: "bo" },
      { key: "enter" },
    ],
    mouse: async (mouse, page) => {
      await mouse.click(fact(page, "change owner"));
      await mouse.click(option(page, "bo"));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Sand the floor"));
      await finger.tap(fact(page, "change owner"));
      await finger.tap(option(page, "bo"));
    },
    done: async (tracker, uids) => await holds(tracker, uids, { owner: "bo" }),
  },
  {
    name: "set the priority to 1",
    about: ["Stop the leak"],
    keys: [{ key: "!", shows: "priority of product#" }, { key: "1" }],
    mouse: async (mouse, page) => {
      await mouse.click(fact(page, "change priority"));
      await mouse.click(page.getByRole("dialog").getByRole("button", { name: "P1" }));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Stop the leak"));
      await finger.tap(fact(page, "change priority"));
      await finger.tap(page.getByRole("dialog").getByRole("button", { name: "P1" }));
    },
    done: async (tracker, uids) => await holds(tracker, uids, { priority: 1 }),
  },
  {
    name: "add a label",
    about: ["Level the door"],
    keys: [{ key: "+", shows: "add a label to product#" }, { text: "bug" }, { key: "enter" }],
    mouse: async (mouse, page) => {
      await mouse.click(fact(page, "change labels"));
      await mouse.click(option(page, "bug"));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Level the door"));
      await finger.tap(fact(page, "change labels"));
      await finger.tap(option(page, "bug"));
    },
    done: async (tracker, uids) => await holds(tracker, uids, { labels: ["bug"] }),
  },
  {
    name: "comment",
    about: ["Measure the wall"],
    keys: [
      { key: "C", shows: "comment on product#" },
      { text: "Four metres long." },
      { key: "ctrl+s" },
    ],
    mouse: async (mouse, page) => {
      await mouse.click(inIssue(page, "Comment"));
      await mouse.types("Four metres long.");
      await mouse.click(inDialog(page, "Comment"));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Measure the wall"));
      await finger.tap(inIssue(page, "Comment"));
      await finger.types("Four metres long.");
      await finger.tap(inDialog(page, "Comment"));
    },
    done: async (tracker, uids) => await hasComment(tracker, uids, "Four metres long."),
  },
  {
    name: "let it wait for another issue",
    about: ["Build the walls"],
    keys: [
      { key: "b", shows: "what must be done before product#" },
      { text: "foundation" },
      { key: "enter" },
    ],
    mouse: async (mouse, page) => {
      await mouse.click(inIssue(page, "Wait for another issue"));
      await mouse.click(option(page, new RegExp(FOUNDATION)));
    },
    touch: async (finger, page) => {
      await finger.tap(titleOf(page, "Build the walls"));
      await finger.tap(inIssue(page, "Wait for another issue"));
      await finger.tap(option(page, new RegExp(FOUNDATION)));
    },
    done: async (tracker, [uid = ""]) => {
      const from = (await tracker.list()).find(({ title }) => title === FOUNDATION)?.uid;
      await expect
        .poll(async () => (await tracker.show(uid)).links)
        .toMatchObject([{ type: "blocks", from: { uid: from }, to: { uid } }]);
    },
  },
  {
    name: "mark two issues and give both to bo",
    about: ["Clean the windows", "Oil the hinges"],
    keys: [
      { key: "space" },
      { key: "space" },
      { key: "a", shows: "owner (empty is you) of 2 issues" },
      { text: "bo" },
      { key: "enter" },
    ],
    mouse: async (mouse, page) => {
      await mouse.click(row(page, "Clean the windows").locator(".box"));
      await mouse.click(row(page, "Oil the hinges").locator(".box"));
      await mouse.rightClick(titleOf(page, "Oil the hinges"));
      await mouse.click(inMenu(page, "set the owner"));
      await mouse.click(option(page, "bo"));
    },
    touch: async (finger, page) => {
      await finger.rest(titleOf(page, "Clean the windows"), page.getByRole("menu"));
      await finger.tap(inMenu(page, "mark"));
      await finger.tap(row(page, "Oil the hinges").locator(".box"));
      await finger.rest(titleOf(page, "Oil the hinges"), page.getByRole("menu"));
      await finger.tap(inMenu(page, "set the owner"));
      await finger.tap(option(page, "bo"));
    },
    done: async (tracker, uids) => await holds(tracker, uids, { owner: "bo" }),
  },
  {
    name: "answer a request in the inbox",
    about: ["Dig the well"],
    asks: "How deep?",
    keys: [
      { key: "2", shows: "How deep?" },
      { key: "C", shows: "clear the request" },
      { text: "Twelve metres." },
      { key: "ctrl+s" },
    ],
    mouse: async (mouse, page) => {
      await mouse.click(page.getByRole("button", { name: /^Inbox/ }));
      await mouse.click(button(page, "Answer"));
      await mouse.types("Twelve metres.");
      await mouse.click(inDialog(page, "Comment"));
    },
    touch: async (finger, page) => {
      await finger.tap(page.getByRole("button", { name: /^Inbox/ }));
      await finger.tap(button(page, "Answer"));
      await finger.types("Twelve metres.");
      await finger.tap(inDialog(page, "Comment"));
    },
    done: async (tracker, uids) => {
      await hasComment(tracker, uids, "Twelve metres.");
      await expect.poll(async () => await tracker.inbox()).not.toContain("How deep?");
    },
  },
];

async function holds(
  tracker: Tracker,
  uids: readonly string[],
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const uid of uids)
    await expect.poll(async () => (await tracker.show(uid)).issue).toMatchObject(expected);
}

async function hasComment(
  tracker: Tracker,
  [uid = ""]: readonly string[],
  body: string,
): Promise<void> {
  await expect
    .poll(async () => (await tracker.show(uid)).comments)
    .toMatchObject([{ body, author: "ana" }]);
}

/** Makes the issues of a task, so that the first of them changed last. Returns their uids in the order of the task. */
async function prepare(tracker: Tracker, { about, asks }: Task): Promise<readonly string[]> {
  const uids: string[] = [];
  for (const title of about.toReversed()) uids.unshift((await tracker.make(title)).uid);
  if (asks !== undefined) await tracker.ask(uids[0] ?? "", asks);
  return uids;
}

async function pressAll(hand: Keys, { keys }: Task): Promise<void> {
  for (const one of keys) {
    if ("key" in one) await hand.press(one.key);
    else await hand.types(one.text);
    if (one.shows !== undefined) await hand.shows(one.shows);
  }
}

const WAYS = ["terminal", "keyboard", "mouse", "touch"] as const;
const TABLE = "test/golden/page/tasks.txt";

/** Compares the steps of one way with its column of the table. */
function compare(way: (typeof WAYS)[number], steps: ReadonlyMap<string, number>): void {
  const path = join(import.meta.dirname, "..", "..", TABLE);
  const before = new Map(
    (existsSync(path) ? readFileSync(path, "utf8") : "")
      .split("\n")
      .map((line) => line.split(/ {2,}/))
      .map(([name, ...cells]) => [name, cells]),
  );
  const cell = (name: string, at: number): string =>
    WAYS[at] === way ? String(steps.get(name)) : (before.get(name)?.[at] ?? "-");
  const lines = [
    ["task", ...WAYS],
    ...TASKS.map(({ name }) => [name, ...WAYS.map((_way, at) => cell(name, at))]),
  ];
  const table = lines
    .map(
      ([name = "", ...cells]) =>
        `${name.padEnd(36)}${cells.map((one) => one.padStart(10)).join("")}\n`,
    )
    .join("");
  expect(table).toBe(golden(TABLE, table));
}

function trackerOf(web: Web): Tracker {
  const issues = "/projects/1/issues";
  const asked = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await web.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  return {
    make: async (title, more) => {
      const held = more === undefined ? {} : { labels: [more.label], owner: more.owner };
      const body = { title, actor: "bo", ...held };
      return (await asked<{ issue: Issue }>("POST", issues, body)).issue;
    },
    ask: async (uid, message) => {
      const body = { to: "ana", message, actor: "bo" };
      await asked("POST", `${issues}/${uid}/actions/notify`, body);
    },
    show: async (uid) => await asked("GET", `${issues}/${uid}`),
    list: async () => (await asked<{ issues: Issue[] }>("GET", issues)).issues,
    inbox: async () => JSON.stringify(await asked("GET", "/inbox?for=ana")),
  };
}

/** Does each task in one way, and compares the steps with the table. `doing` returns how many steps a task took. */
async function checkEach(
  way: (typeof WAYS)[number],
  tracker: Tracker,
  doing: (task: Task) => Promise<number>,
): Promise<void> {
  const steps = new Map<string, number>();
  for (const task of TASKS) {
    const uids = await prepare(tracker, task);
    steps.set(task.name, await doing(task));
    await task.done(tracker, uids);
  }
  compare(way, steps);
}

/** Does each task on the page, which begins at the board with the cursor on the issue of the task. */
async function checkOnPage<Hand extends { steps(): number }>(
  web: Web,
  way: (typeof WAYS)[number],
  handOf: (page: Page) => Hand,
  act: (task: Task, hand: Hand, page: Page) => Promise<void>,
): Promise<void> {
  const tracker = trackerOf(web);
  await web.call("POST", "/projects", { name: "product", actor: "bo" });
  await tracker.make(FOUNDATION, { label: "bug", owner: "bo" });
  const page = await opened(web, "/svc?project=product");
  await checkEach(way, tracker, async (task) => {
    await page.goto("/svc?project=product");
    await page.locator("[data-status=live]").waitFor();
    const cursor = page.locator(".row[data-cursor=true]");
    await cursor.filter({ hasText: task.about[0] ?? "" }).waitFor();
    const hand = handOf(page);
    await act(task, hand, page);
    return hand.steps();
  });
}

test(
  "ten tasks in the terminal take no more steps than they took before",
  async () => {
    const place = box({ SVC_AUTHOR: "ana", NO_MOTION: "1" });
    const tracker: Tracker = {
      make: async (title, more) => {
        const words = more === undefined ? [] : ["--label", more.label, "--owner", more.owner];
        const made = await place.json<{ issue: Issue }>("create", title, ...words, "--as", "bo");
        return made.issue;
      },
      ask: async (uid, message) =>
        await place.json("notify", uid, "--to", "ana", "--message", message, "--as", "bo"),
      show: async (uid) => await place.json("show", uid),
      list: async () => (await place.json<{ issues: Issue[] }>("list")).issues,
      inbox: async () => JSON.stringify(await place.json("inbox", "--for", "ana")),
    };
    await place.json("init", "--project", "product");
    await tracker.make(FOUNDATION, { label: "bug", owner: "bo" });
    const screen = tui(place);
    await screen.shows(FOUNDATION);
    await screen.shows("live");
    await checkEach("terminal", tracker, async (task) => {
      for (const title of task.about) await screen.shows(title);
      // While a form is open, the last line does not name this key.
      await screen.shows("j/k move");
      screen.type("g");
      await expect
        .poll(() => screen.screen().filter((line) => line.startsWith(">")))
        .toEqual([expect.stringContaining(task.about[0] ?? FOUNDATION)]);
      const hand = keysOnTerminal(screen);
      await pressAll(hand, task);
      return hand.steps();
    });
  },
  LIMIT_MS,
);

describe("ten tasks on the page", () => {
  const inChromium = webTest({ context: WIDE });

  inChromium(
    "ten tasks on the page take no more steps than they took before, with the keyboard only",
    async ({ web }) =>
      await checkOnPage(web, "keyboard", keysOnPage, async (task, hand) => pressAll(hand, task)),
    LIMIT_MS,
  );

  inChromium(
    "ten tasks on the page take no more steps than they took before, with the mouse only",
    async ({ web }) =>
      await checkOnPage(web, "mouse", mouseOf, async (task, mouse, page) =>
        task.mouse(mouse, page),
      ),
    LIMIT_MS,
  );
});

describe("ten tasks on a phone", () => {
  const inChromium = webTest({ context: PHONE });

  inChromium(
    "ten tasks on a phone take no more steps than they took before, with a finger only",
    async ({ web }) =>
      await checkOnPage(web, "touch", fingerOf, async (task, finger, page) =>
        task.touch(finger, page),
      ),
    LIMIT_MS,
  );
});
