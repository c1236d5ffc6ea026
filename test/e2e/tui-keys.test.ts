import { stripVTControlCharacters } from "node:util";
import { Text } from "ink";
import { render } from "ink-testing-library";
import { createElement } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { type Client, openClient } from "../../src/client/client.ts";
import { transportOf } from "../../src/client/transport.ts";
import { bindExternalRoot } from "../../src/contract/bridges.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { listProjects } from "../../src/contract/projects.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import { runCommand, scopesOf, whyNot } from "../../src/screen/commands.ts";
import { followCursor } from "../../src/screen/detail/detail.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { Effects } from "../../src/screen/effects/effects.ts";
import { InterruptibleSleep } from "../../src/screen/effects/interruptible-sleep.ts";
import { WORK } from "../../src/screen/effects/work.ts";
import { updateForm } from "../../src/screen/forms/form-record.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import { allKeys, type Command, type KeyScope } from "../../src/screen/keys.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import type { State } from "../../src/screen/state.ts";
import { App } from "../../tui/app.ts";
import { TERMINAL } from "../../tui/fit.ts";
import { frame } from "../../tui/screens/frame.ts";
import { createStore, type Store } from "../../tui/store.ts";
import { painter } from "../../tui/style.ts";
import { onTerminal } from "../../tui/terminal-effects.ts";
import { notesIn } from "../support/notes-connector.ts";
import { bareSurface } from "../support/surface.ts";
import type { Box } from "./box.ts";
import { story, version } from "./tui-tour.ts";

const KEYS = allKeys(SCREENS);

/** How a person gets to a place where the keys of a scope work, and a command that can run there once all is read. */
interface Scene {
  readonly scope: KeyScope;
  readonly keys?: readonly string[];
  readonly columns?: number;
  readonly able?: Command;
  /** The keys that are typed next. */
  readonly next?: readonly string[];
}

const SCENES: readonly Scene[] = [
  { scope: "list" },
  { scope: "list", keys: ["s", "space", "j"] },
  { scope: "browse", columns: 160, keys: ["shift+tab"] },
  { scope: "lines", columns: 160, keys: ["shift+tab"] },
  {
    scope: "browse",
    columns: 160,
    keys: ["shift+tab", "g", ...Array.from({ length: 9 }, () => "j")],
  },
  { scope: "lanes", keys: ["v", "v", "right"] },
  { scope: "graph", keys: ["3"], able: "graph-open" },
  { scope: "lines", keys: ["3"], able: "graph-open" },
  { scope: "inbox", keys: ["2"], able: "inbox-open" },
  { scope: "cron", keys: ["4", "tab"], able: "cron-toggle" },
  { scope: "cron", keys: ["7"], able: "series-edit" },
  { scope: "projects", keys: ["5"] },
  { scope: "lines", keys: ["5"] },
  { scope: "lines", keys: ["6"] },
  { scope: "fleet", keys: ["6", "/", ..."uploaded".split(""), "enter"], able: "fleet-release" },
  {
    scope: "detail",
    keys: ["/", ..."merge".split(""), "enter", "enter"],
    able: "edit-comment",
    next: ["tab", "tab"],
  },
  { scope: "issue" },
  { scope: "issue", keys: ["j", "j"] },
  { scope: "issue", keys: ["/", ..."tested".split(""), "enter"], able: "tick" },
  { scope: "issue", keys: ["/", ..."ship".split(""), "enter", "enter"], able: "bridge" },
  { scope: "issue", keys: ["s", "s", "s", "s", "s"] },
  { scope: "everywhere" },
];

const SOON = { timeout: 5000, interval: 5 };
const PAINT = painter("none");

test("each key does on the screen that Ink draws what the table of keys says, and Ink shows the result", async () => {
  const world = await worldOf(await story(({ temp }) => notesIn(temp).toml));
  const able = new Set<string>();
  for (const scene of SCENES) {
    const before = await world.stateOf(scene);
    expect(scopesOf(before)).toContain(scene.scope);
    const ink = world.mount(before);
    for (const { command, keys } of KEYS.filter(({ scope }) => scope === scene.scope)) {
      if (whyNot(before, command) === undefined) able.add(command);
      const { state, effects } = updateForm(followCursor(before, runCommand(before, command)));
      for (const key of keys) {
        const { store, effects: asked } = ink.show(before);
        ink.stdin.write(bytesOf(key));
        const title = `${scene.scope}: ${key} is ${command}`;
        await vi.waitFor(() => expect(store.get(), title).toEqual(state), SOON);
        expect(asked, title).toEqual(effects);
        const picture = frame(state, PAINT).join("\n");
        await vi.waitFor(() => expect(plain(ink.lastFrame()), title).toBe(plain(picture)), SOON);
      }
    }
    ink.unmount();
  }
  const never = KEYS.map(({ command }) => command).filter((command) => !able.has(command));
  expect(never).toEqual([]);
}, 120_000);

/** Returns the text alone: Ink may write the same colours with other sequences, and no blanks at the ends of lines. */
function plain(picture = ""): string {
  return stripVTControlCharacters(picture).replaceAll(/ +$/gm, "");
}

/** A screen on the daemon of the story. Its reads are carried out; all other effects are only recorded. */
async function worldOf(place: Box) {
  const client = await openClient({
    program: { version, launcher: undefined },
    start: place.work,
    cwd: place.work,
    env: place.env,
    autostart: false,
  });
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await client.close();
  });
  const now = systemClock.now();
  const clock: Clock = { ...systemClock, now: () => now };
  const { projects } = await call(client, listProjects, { query: {} });
  const project = projects.find(({ name }) => name === "lantern");
  if (project === undefined) throw new Error("the story is not there");
  const tested = { title: "Ask who tested", body: "- [ ] ana\n- [ ] bo", actor: "ana" };
  await call(client, createIssue, { params: { project_id: project.id }, body: tested });
  const bound = { title: "Owned elsewhere", actor: "ana" };
  const { issue } = await call(client, createIssue, {
    ...{ params: { project_id: project.id }, body: bound },
  });
  await call(client, bindExternalRoot, {
    params: { project_id: project.id, ref: issue.uid },
    body: { connector: "notes", external: "ship.md", actor: "ana" },
  });
  const template = { title: "Thank the testers" };
  const series = { rrule: "FREQ=MONTHLY", dtstart: "2030-01-01", timezone: "UTC", template };
  const params = { project_id: project.id };
  await call(client, createRecurrence, { params, body: { ...series, actor: "ana" } });

  const stateOf = async ({ scope, keys = [], columns = 120, able, next = [] }: Scene) => {
    const start = initialState({
      ...{ fit: TERMINAL, screens: SCREENS, columns, rows: 30, now, zone: "UTC", actor: "ana" },
      ...{ daemon: "local", version: "0.0.0" },
      scope: { project },
      ...{ open: undefined, session: "keys", confirmQuit: false, inboxOf: "ana" },
      views: [{ name: "Urgent", query: "p<=1" }],
      commands: [{ name: "tell", argv: ["echo", "{ref}"] }],
      daemons: ["local", "work"].map((name) => ({
        ...{ name, endpoint: name, hasToken: false, allowInsecure: false },
      })),
    });
    const store: Store = createStore(start, clock, (effect) => {
      if (effect.effect !== "connect" && effect.effect.startsWith("load-")) effects.run(effect);
    });
    const effects = reading(client, clock, store, ended.signal);
    store.dispatch({ type: "live", live: "live" });
    store.dispatch({ type: "reload" });
    const until = async (is: (state: State) => boolean): Promise<void> =>
      await vi.waitFor(
        () =>
          expect(is(store.get()), `${scope} ${able} ${store.get().messages.notice?.text}`).toBe(
            true,
          ),
        10_000,
      );
    await until(
      ({ inbox, loading: { stage: loading } }) =>
        loading === "done" && inbox.requests !== undefined,
    );
    for (const key of keys) store.dispatch({ type: "key", key });
    await until((state) => able === undefined || whyNot(state, able) === undefined);
    for (const key of next) store.dispatch({ type: "key", key });
    return { ...store.get(), messages: { ...store.get().messages, notice: undefined } };
  };

  /** Mounts the program in Ink's test host, as wide as the state says. It starts again for each state. */
  const mount = ({ window: { columns } }: State) => {
    const ink = render(createElement(Text));
    Object.defineProperty(ink.stdout, "columns", { value: columns });
    const stdin = ink.stdin as unknown as NodeJS.ReadableStream;
    /** Effects are recorded and not carried out. */
    const show = (state: State) => {
      const effects: Effect[] = [];
      const store = createStore(state, clock, (effect) => void effects.push(effect));
      ink.rerender(createElement(App, { store, paint: PAINT, clock, stdin }));
      return { store, effects };
    };
    return { ...ink, show };
  };
  return { stateOf, mount };
}

function reading(client: Client, clock: Clock, { dispatch }: Store, signal: AbortSignal): Effects {
  const surface = bareSurface({ clock, signal, dispatch });
  return new Effects({
    ...{ clock, signal, dispatch, daemon: transportOf(client), actor: "ana" },
    here: async (effect) => await onTerminal(effect, surface),
    ...{ refresh: () => undefined, load: async () => WORK, pause: new InterruptibleSleep(clock) },
  });
}

const BYTES: Readonly<Record<string, string>> = {
  ...{ enter: "\r", esc: "\u001B", tab: "\t", backspace: "\u007F", space: " " },
  ...{ up: "\u001B[A", down: "\u001B[B", right: "\u001B[C", left: "\u001B[D" },
  ...{ home: "\u001B[H", end: "\u001B[F", pgup: "\u001B[5~", pgdn: "\u001B[6~" },
  ...{ delete: "\u001B[3~", "shift+tab": "\u001B[Z" },
  ...{ "shift+right": "\u001B[1;2C", "shift+left": "\u001B[1;2D" },
};

/** Returns the bytes that a terminal sends for the key. */
function bytesOf(key: string): string {
  const known = BYTES[key];
  if (known !== undefined) return known;
  if (key.startsWith("ctrl+")) return String.fromCodePoint((key.codePointAt(5) ?? 0) - 96);
  return key.startsWith("alt+") ? `\u001B${key.slice(4)}` : key;
}
