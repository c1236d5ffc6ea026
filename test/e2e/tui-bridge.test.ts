import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesIn } from "../support/notes-connector.ts";
import { type Box, box } from "./box.ts";
import { tui } from "./tui-screen.ts";

/** A box with an issue that is bound to `ship.md`, whose due date is the issue's deadline. */
async function bound(): Promise<{ place: Box; notes: ReturnType<typeof notesIn>; ref: string }> {
  const place = box();
  const folder = join(place.folder, "notes");
  mkdirSync(folder);
  mkdirSync(place.home, { mode: 0o700 });
  const notes = notesIn(folder);
  writeFileSync(join(place.home, "config.toml"), notes.toml, { mode: 0o600 });
  await place.json("init", "--project", "product");
  const { issue } = await place.json<{ issue: { short_id: string } }>("create", "Old title");
  const ref = issue.short_id;
  await place.json("connector", "field", "map", "notes", "deadline_on", "--external", "due");
  await place.json("bridge", "bind", ref, "--connector", "notes", "--external", "ship.md");
  return { place, notes, ref };
}

test("the screen shows the conflict of a bound issue with both dates, and its answer reaches the other tracker", async () => {
  const { place, notes, ref } = await bound();
  await place.json("edit", ref, "--deadline", "2030-03-05");
  notes.edit("due: 2030-03-01", "due: 2030-03-09");
  const screen = tui(place, [ref], { columns: 160, rows: 40 });
  await screen.shows("root notes, open there, reconciled just now");
  screen.type("F");
  await screen.shows("reconcile  make both sides alike now");
  screen.type("reconcile\r");
  await screen.shows("dates in conflict: 1");
  await screen.shows("conflict deadline_on: 2030-03-05 here, 2030-03-09 there, since just now");
  screen.type("e");
  await screen.shows("in notes owns title and text");
  screen.type("Fdeadline_on local\r");
  await screen.shows("decided deadline_on of product#");
  await screen.hides("conflict deadline_on");
  expect(notes.text()).toContain("due: 2030-03-05");
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
  const { place, notes, ref } = await bound();
  notes.edit("id: ", "name: ");
  const screen = tui(place, [ref], { columns: 160, rows: 40 });
  await screen.shows("root notes, open there");
  screen.type("Freconcile\r");
  await screen.shows("the run paused the bridge");
  await screen.shows("root notes, paused: the record is gone");
  expect(await place.json("bridge", "show", ref)).toMatchObject({
    ...{ enabled: false, paused_reason: "external_root_missing" },
  });
});
