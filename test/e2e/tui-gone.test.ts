import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Pty, pty } from "../support/pty.ts";
import { type Box, box, processesOf } from "./box.ts";

const WAIT = { timeout: 20_000 };
const CTRL_S = "\u0013";
const CTRL_E = "\u0005";
const CTRL_Z = "\u001A";

/** An editor that saves a text and then does not end by itself. */
const EDITOR = `#!/bin/sh
echo "saved in the editor" > "$1"
echo "the editor is open"
sleep 600
`;

async function board(issues = 2): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  const plan = join(place.temp, "plan.json");
  const made = Array.from({ length: issues }, (_none, at) => {
    return { name: `i${at}`, title: `Issue ${at}` };
  });
  writeFileSync(plan, JSON.stringify({ plan: "some", issues: made }));
  await place.json("plan", "apply", plan);
  writeFileSync(join(place.folder, "editor"), EDITOR, { mode: 0o755 });
  return place;
}

/** Runs the screen from a shell: a terminal that is gone ends the shell and its programs. */
function screenOf({ folder, launcher, work: cwd, env }: Box): Pty {
  const more = { NODE: process.execPath, SVC: launcher, EDITOR: join(folder, "editor") };
  const script = 'set -m; "$NODE" "$SVC" tui; echo STOPPED; read line';
  return pty("/bin/sh", ["-c", script], { cwd, env: { ...env, ...more } });
}

interface Status {
  readonly daemons: readonly { readonly pid: number }[];
}

async function daemonOf(place: Box): Promise<number> {
  const { daemons } = await place.json<Status>("daemon", "status");
  const [daemon] = daemons;
  if (daemon === undefined) throw new Error("no daemon runs");
  return daemon.pid;
}

const draftsOf = ({ home }: Box): readonly string[] => {
  try {
    const folder = join(home, "drafts");
    return readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  } catch {
    return [];
  }
};

/** Returns the errors in the daemon's log. */
const faultsOf = ({ home }: Box): readonly string[] =>
  readdirSync(join(home, "runtime"))
    .map((name) => readFileSync(join(home, "runtime", name, "daemon.log"), "utf8"))
    .flatMap((text) => text.split("\n"))
    .filter((line) => /"level":"(?:warn|error)"/.test(line));

interface Gone {
  /** What happens before the terminal goes. */
  before(screen: Pty, daemon: number): Promise<void>;
  /** The text of the only draft; absent if there is no draft. */
  readonly kept?: string;
}

const STATES: Readonly<Record<string, Gone>> = {
  "a form is open": {
    before: async (screen) => {
      await screen.shows("live");
      screen.type("nHalf a title");
      await screen.shows("Half a title");
    },
    kept: "Half a title",
  },
  "the editor is open, and what was saved in it is kept": {
    before: async (screen) => {
      await screen.shows("live");
      screen.type("nHalf a title\t");
      await screen.shows("Half a title");
      screen.type(CTRL_E);
      await screen.shows("the editor is open");
    },
    kept: "saved in the editor",
  },
  "it is stopped": {
    before: async (screen) => {
      await screen.shows("live");
      screen.type(CTRL_Z);
      await screen.shows("STOPPED");
    },
  },
  "a change is on its way to a daemon that does not answer": {
    before: async (screen, daemon) => {
      await screen.shows("live");
      screen.type("nSent but not taken");
      await screen.shows("Sent but not taken");
      process.kill(daemon, "SIGSTOP");
      screen.type(CTRL_S);
      await screen.shows("saving...");
    },
    kept: "Sent but not taken",
  },
  "it waits for what there is": {
    before: async (screen, daemon) => {
      await screen.shows("Issue ");
      process.kill(daemon, "SIGSTOP");
      screen.type("\u0012");
    },
  },
};

test.each(Object.entries(STATES))(
  "if the terminal disappears, nothing is left running and no draft is lost (the screen at that moment: %s)",
  async (_when, { before, kept }) => {
    const place = await board(500);
    const daemon = await daemonOf(place);
    const screen = screenOf(place);
    await before(screen, daemon);
    expect(processesOf(place.folder).length).toBeGreaterThan(1);
    screen.hangUp();
    await expect.poll(() => processesOf(place.folder), WAIT).toEqual([daemon]);
    process.kill(daemon, "SIGCONT");
    expect(draftsOf(place)).toEqual(kept === undefined ? [] : [expect.stringContaining(kept)]);
    expect(readdirSync(place.temp)).toEqual(["plan.json"]);
    expect(faultsOf(place)).toEqual([]);
    // The daemon still works.
    expect((await place.svc("list")).code).toBe(0);
  },
  60_000,
);
