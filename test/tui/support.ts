import { localZone } from "../../src/base/zone.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { fieldOf } from "../../src/screen/field.ts";
import { initialState } from "../../src/screen/initial-state.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import type { LiveEvent } from "../../src/screen/message.ts";
import { homeOf } from "../../src/screen/place/home.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import type { State } from "../../src/screen/state.ts";
import { TERMINAL } from "../../tui/fit.ts";
import type { RecordingHeader } from "../../tui/recording/format.ts";
import { type TerminalMessage, update } from "../../tui/update.ts";

/** The place that an address of the page without parameters names. */
export const HOME = homeOf(SCREENS);

export const NOW = "2026-11-21T10:00:00.000Z";

export const DAEMONS = [
  { name: "local", endpoint: "this machine", hasToken: false, allowInsecure: false },
  { name: "team", endpoint: "https://tracker.example", hasToken: true, allowInsecure: false },
  { name: "lab", endpoint: "http://lab.example", hasToken: false, allowInsecure: true },
];

/** Makes an issue as the daemon would return it, named by its number. */
export function issue(number: number, more: Partial<Issue> = {}): Issue {
  const short_id = `k${String(number).padStart(3, "0")}`;
  return {
    uid: `01J${String(number).padStart(23, "0")}`,
    short_id,
    qualified_id: `product#${short_id}`,
    project_id: 1,
    project_uid: "01JPROJECT0000000000000000",
    project_name: "product",
    title: `Issue number ${number}`,
    body: "",
    status: "open",
    author: "ana",
    owner: undefined,
    priority: undefined,
    metadata: {},
    labels: [],
    parent: undefined,
    blocked_by: [],
    blocks: [],
    related: [],
    blocked: false,
    child_counts: { open: 0, total: 0 },
    revision: 1,
    created_at: "2026-11-01T10:00:00.000Z",
    updated_at: `2026-11-20T10:${String(number % 60).padStart(2, "0")}:00.000Z`,
    closed_at: undefined,
    deleted_at: null,
    recurrence_uid: null,
    ...more,
  };
}

/** A realistic board: parents, a blocked issue, labels, owners, a closed issue, wide characters. */
export function sample(): readonly Issue[] {
  const [parent, first, second] = [
    issue(1, { title: "Federation rotate", priority: 1, owner: "claude", labels: ["federation"] }),
    issue(2, { title: "Replay enrollment with same token", priority: 1, parent: issue(1).uid }),
    issue(3, { title: "409 body for token conflict", priority: 2, labels: ["api"] }),
  ];
  return [
    { ...parent, child_counts: { open: 1, total: 1 } },
    { ...first, blocked_by: [second.uid], blocked: true, owner: "claude" },
    { ...second, parent: parent.uid, owner: "codex" },
    issue(4, {
      title: "Daemon exits when its socket path is long",
      priority: 0,
      labels: ["bug", "daemon"],
    }),
    issue(5, {
      title: "日本語のタイトル 👩‍💻 wide",
      owner: "bo",
      body: "# Why\n\nBecause **it** is.\n\n- one\n- two",
    }),
    issue(6, { title: "Done long ago", status: "closed" }),
    issue(7, { title: "Later", metadata: { someday: true } }),
  ];
}

/** Makes an event of a change by somebody else. */
export function liveEvent(more: Partial<LiveEvent> = {}): LiveEvent {
  const [id, project_id, description] = [9, 1, "+label federation"];
  const known = { id, kind: "issue.labeled", actor: "claude", at: NOW, project_id, description };
  return { ...known, uid: undefined, uids: [], ...more };
}

/** The initial state of screens in these tests, and of their recordings. */
export const START = {
  fit: TERMINAL,
  screens: SCREENS,
  now: NOW,
  /** Asked for when a screen is made, so that a test file can set TZ before. */
  get zone() {
    return localZone();
  },
  actor: "ana",
  daemon: "local",
  version: "0.1.0",
  scope: { project: { id: 1, name: "product" } },
  open: undefined,
  session: "test",
  confirmQuit: true,
  inboxOf: "ana",
  views: [],
};

const { actor, daemon, scope, open, inboxOf } = START;
const known = { actor, daemon, scope, open, inboxOf, zone: "UTC" };
export const OPENING: RecordingHeader = { at: NOW, svc: "0.1.0", ...known };

/** Makes a screen of that size with the issues loaded. */
export function screen(columns: number, rows: number, issues = sample()): Session {
  const session = new Session(initialState({ ...START, columns, rows, daemons: DAEMONS }));
  session.tell({
    type: "projects",
    projects: [
      { id: 1, uid: "01JPROJECT0000000000000000", name: "product", open: 6, closed: 1, last: NOW },
      {
        id: 2,
        uid: "01JPROJECT0000000000000001",
        name: "infra",
        open: 2,
        closed: 0,
        last: undefined,
      },
    ],
  });
  session.tell({ type: "live", live: "live" });
  session.tell({ type: "issues", part: "all", serial: 0, issues, gone: [], truncated: false });
  return session;
}

/** A state, the messages that it got, and the effects that it asked for. */
export class Session {
  state: State;
  effects: readonly Effect[] = [];

  constructor(state: State) {
    this.state = state;
  }

  /** Applies the message, and returns its effects. */
  tell(message: TerminalMessage): readonly Effect[] {
    const { state, effects } = update(this.state, message);
    this.state = state;
    this.effects = effects;
    return effects;
  }

  /** Sends issues as they are read after an event. */
  changed(issues: readonly Issue[], gone: readonly string[] = []): readonly Effect[] {
    const message = { type: "issues", part: "changed", serial: 0, truncated: false } as const;
    return this.tell({ ...message, issues, gone });
  }

  keys(...keys: readonly string[]): this {
    for (const key of keys) this.tell({ type: "key", key });
    return this;
  }

  type(text: string): this {
    return this.keys(...[...text].map((key) => (key === " " ? "space" : key)));
  }

  /** Types a text into the current field. */
  fill(text: string): this {
    const { dialog } = this.state;
    if (dialog !== undefined && "field" in dialog)
      this.state = { ...this.state, dialog: { ...dialog, field: fieldOf(text) } };
    return this;
  }

  get cursor(): string | undefined {
    const { cursor } = this.state.board;
    return cursor === undefined ? undefined : this.state.issues.get(cursor)?.short_id;
  }

  get writes() {
    return this.effects.flatMap((effect) => (effect.effect === "write" ? [effect.write] : []));
  }
}
