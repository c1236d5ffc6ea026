import { describe, expect, test, vi } from "vitest";
import { cells } from "../../tui/text.ts";
import { pty } from "../support/pty.ts";
import { hasTmux, tmux } from "../support/tmux.ts";
import { box } from "./box.ts";
import { board, tui } from "./tui-screen.ts";

const ESC = "\u001B";
/** Matches colours of text or background: by name, by number or by their parts. */
const COLOUR = new RegExp(`${ESC}\\[(?:[\\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\\d;]*)?m`);
const NUMBERED = new RegExp(`${ESC}\\[(?:[\\d;]*;)?[34]8;5`);
/** The sequence that asks for the background colour. */
const QUESTION = "\u001B]11;";

test.each([
  [{ TERM: "xterm-256color" }, { colours: true, numbered: true, asks: true }],
  [
    { TERM: "tmux-256color", LANG: "C" },
    { colours: true, numbered: true, asks: true },
  ],
  [{ TERM: "linux" }, { colours: true, numbered: false, asks: true }],
  [{ TERM: "screen" }, { colours: true, numbered: false, asks: true }],
  [{ TERM: "vt100" }, { colours: false, numbered: false, asks: false }],
  [{ NO_COLOR: "1" }, { colours: false, numbered: false, asks: false }],
  [{ SVC_COLOR_MODE: "none" }, { colours: false, numbered: false, asks: false }],
  [{ SVC_COLOR_MODE: "light" }, { colours: true, numbered: true, asks: false }],
  [
    { TERM: "vt100", SVC_COLOR_MODE: "dark" },
    { colours: true, numbered: false, asks: false },
  ],
])("with the variables %j the screen uses what the terminal supports: %j", async (env, told) => {
  const place = await board();
  const { launcher, work: cwd } = place;
  const screen = pty(process.execPath, [launcher, "tui"], { cwd, env: { ...place.env, ...env } });
  await screen.shows("Second issue");
  await screen.shows("live");
  screen.type("q");
  expect(await screen.ended).toBe(0);
  const written = screen.written();
  const [colours, numbered] = [COLOUR.test(written), NUMBERED.test(written)];
  expect({ colours, numbered, asks: written.includes(QUESTION) }).toEqual(told);
});

describe("a terminal that only writes lines", () => {
  test("gets a message that names the mode for screen readers", async () => {
    const place = await board();
    const { launcher, work: cwd } = place;
    const env = { ...place.env, TERM: "dumb" };
    const screen = pty(process.execPath, [launcher, "tui"], { cwd, env });
    expect(await screen.ended).toBe(2);
    expect(screen.screen().join(" ")).toContain("svc tui --screen-reader");
    expect(screen.written()).not.toContain(ESC);
  });

  test("gets the mode for screen readers without an escape sequence", async () => {
    const place = await board();
    const { launcher, work: cwd } = place;
    const env = { ...place.env, TERM: "dumb" };
    const screen = pty(process.execPath, [launcher, "tui", "--screen-reader"], { cwd, env });
    await screen.shows("Row 1 of 2: ");
    screen.type("n");
    await screen.shows("Title: empty");
    screen.type("Wrong");
    await screen.shows("Title: Wrong");
    screen.type("\u007F\u007F\u007F\u007F\u007FLines");
    await screen.shows("Title: Lines");
    screen.type("\u0013");
    await screen.shows('"Lines"');
    screen.type("y");
    await screen.shows("not copied: this terminal takes no copies");
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(screen.written()).not.toContain(ESC);
  });
});

describe.runIf(hasTmux)("tmux", () => {
  test("tmux without an alternate screen shows nothing of the picture after the screen closes", async () => {
    const { launcher, work: cwd, env } = await board();
    const settings = { "alternate-screen": "off" };
    const screen = tmux(process.execPath, [launcher, "tui"], { cwd, env, settings });
    await screen.shows("Second issue");
    await screen.shows("live");
    screen.type("q");
    await screen.shows("left$");
    await vi.waitFor(() => expect(screen.screen().join("").trim()).toBe("left$"), 10_000);
  });

  test.each(["on", "external", "off"])(
    "gets copied text in its buffer, with set-clipboard %s",
    async (how) => {
      const { launcher, work: cwd, env } = await board();
      const settings = { "set-clipboard": how };
      const screen = tmux(process.execPath, [launcher, "tui"], { cwd, env, settings });
      await screen.shows("Second issue");
      screen.type("y");
      await screen.shows("copied product#");
      const said = screen.screen().find((line) => line.includes("copied ")) ?? "";
      expect(said).toContain(" by tmux");
      expect(said).toContain(screen.buffer());
    },
  );
});

test("new text in a line is drawn at the right place, whatever characters precede it", async () => {
  const place = box({ NO_MOTION: "1" });
  await place.json("init", "--project", "product");
  const title = "क्षि क्षि क्षि";
  const { issue } = await place.json<{ issue: { short_id: string } }>("create", title);
  await place.json("create", "Second issue");
  // In 80 columns there is no room for labels beside an id longer than four characters, which some short ids are.
  const screen = tui(place, [], { columns: 90 });
  await screen.shows("live");
  screen.type("o");
  await screen.shows("sort:created");
  await place.json("label", "add", issue.short_id, "late", "--as", "bo");
  await screen.shows(" late ");
  const line = screen.screen().find((text) => text.includes(" late ")) ?? "";
  const header = screen.screen().find((text) => text.includes("LABELS")) ?? "";
  expect(cells(line.slice(0, line.indexOf("late")))).toBe(header.indexOf("LABELS"));
  expect(line.split("late")).toHaveLength(2);
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
