import { execFileSync } from "node:child_process";
import { constants, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesIn } from "../support/notes-connector.ts";
import { type Box, box } from "./box.ts";
import { tui } from "./tui-screen.ts";

/**
 * A box with an issue that is bound to `ship.md`, whose due date is the issue's deadline. The bridge is paused, so that
 * no run of the daemon comes between what a test prepares. `once` repeats a command of the bridge that the daemon
 * refuses because a run is under way.
 */
async function bound() {
  const place = box();
  const folder = join(place.folder, "notes");
  mkdirSync(folder);
  mkdirSync(place.home, { mode: 0o700 });
  const notes = notesIn(folder);
  const toml = `${notes.toml}timeout_seconds = 300\n`;
  writeFileSync(join(place.home, "config.toml"), toml, { mode: 0o600 });
  await place.json("init", "--project", "product");
  const { issue } = await place.json<{ issue: { short_id: string } }>("create", "Old title");
  const ref = issue.short_id;
  const bridge = async (verb: string, ...words: string[]): Promise<object> =>
    await place.json("bridge", verb, ref, ...words);
  const once = async (verb: string, ...words: string[]): Promise<void> =>
    await expect
      .poll(async () => await place.svc("bridge", verb, ref, ...words))
      .toMatchObject({ code: 0 });
  await place.json("connector", "field", "map", "notes", "deadline_on", "--external", "due");
  await bridge("bind", "--connector", "notes", "--external", "ship.md");
  await once("pause", "--reason", "not yet");
  expect(await bridge("show")).toMatchObject({ enabled: false, paused_reason: "not yet" });
  return { place, notes, file: join(folder, "ship.md"), ref, bridge, once };
}

/** Opens the screen with the issue. */
const opened = (place: Box, ref: string) => tui(place, [ref], { columns: 160, rows: 40 });

test("the screen shows the conflict of a bound issue with both dates, and its answer reaches the other tracker", async () => {
  const { place, notes, ref, once } = await bound();
  await place.json("edit", ref, "--deadline", "2030-03-05");
  notes.edit("due: 2030-03-01", "due: 2030-03-09");
  const screen = opened(place, ref);
  await screen.shows("root notes, paused: not yet, open there, reconciled just now");
  screen.type("Fresume\r");
  await screen.shows("resumed the bridge of product#");
  // By itself the daemon begins a run at once or up to 30 seconds later.
  await once("reconcile");
  await screen.shows("conflict deadline_on: 2030-03-05 here, 2030-03-09 there, since just now");
  screen.type("F");
  await screen.shows("reconcile  make both sides alike now");
  screen.type("reconcile\r");
  await screen.shows("reconciled product#");
  screen.type("e");
  await screen.shows("in notes owns title and text");
  screen.type("Fdeadline_on local\r");
  await screen.shows("decided deadline_on of product#");
  await screen.hides("conflict deadline_on");
  expect(notes.text()).toContain("due: 2030-03-05");
  await once("reconcile");
  screen.type("Freconcile\r");
  await screen.shows(": nothing had to change here");
  screen.type("Fpause\r");
  await screen.shows("why (may be empty)");
  screen.type("the folder moves\r");
  await screen.shows("root notes, paused: the folder moves");
  screen.type("Fresume\r");
  await screen.shows("resumed the bridge of product#");
  await screen.hides("paused: the folder moves");
  screen.type("qy");
  expect(await screen.ended).toBe(0);
});

test("the screen shows what went wrong at a root that is gone", async () => {
  const { place, notes, ref, bridge } = await bound();
  notes.edit("All of it.\n", "All of it.\n\n<!-- comments -->\n\n<!-- comment by=bea -->\n");
  await bridge("resume");
  await expect
    .poll(async () => (await place.svc("bridge", "reconcile", ref)).stderr)
    .toContain("comment_blank");
  // After a failure the daemon begins no run for half a minute.
  notes.edit("id: ", "name: ");
  const screen = opened(place, ref);
  await screen.shows("root notes, open there");
  await screen.shows("comment_blank, failures: ");
  screen.type("Freconcile\r");
  await screen.shows("the run paused the bridge");
  await screen.shows("root notes, paused: the record is gone");
  expect(await bridge("show")).toMatchObject({
    ...{ enabled: false, paused_reason: "external_root_missing" },
  });
});

test("the screen ends while a connector does not answer", async () => {
  const { place, file, ref } = await bound();
  // Who reads a named pipe waits for somebody who writes into it.
  renameSync(file, `${file}.old`);
  execFileSync("mkfifo", [file]);
  const screen = opened(place, ref);
  await screen.shows("root notes, paused: not yet");
  screen.type("Fresume\r");
  // This opening is refused until somebody reads the pipe.
  const writing = constants.O_WRONLY | constants.O_NONBLOCK;
  await expect.poll(() => openSync(file, writing)).toBeGreaterThan(0);
  screen.type("qy");
  expect(await screen.ended).toBe(0);
});
