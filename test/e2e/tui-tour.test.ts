import { describe, expect, test, vi } from "vitest";
import { golden } from "../support/golden.ts";
import { pty } from "../support/pty.ts";
import { hasTmux, tmux } from "../support/tmux.ts";
import { story, TOUR } from "./tui-tour.ts";

const SIZES = [
  [80, 24],
  [160, 50],
] as const;

/** The main tour on two terminals, which draw what svc writes independently. Both must show the committed picture. */
describe.each([
  ["a terminal of the test's own", pty, true],
  ["tmux", tmux, hasTmux],
] as const)("the tour on %s", (_name, open, isThere) => {
  test.runIf(isThere).each(SIZES)(
    "the tour on a screen of %i by %i shows the same pictures as the committed files",
    async (columns, rows) => {
      const { launcher, work: cwd, env } = await story();
      const screen = open(process.execPath, [launcher, "tui"], { columns, rows, cwd, env });
      for (const { name, keys, shows } of TOUR) {
        if (keys !== "") screen.type(keys);
        await screen.shows(shows);
        if (name === undefined) continue;
        if (WRITES_PICTURES) await settled(screen.screen);
        const path = `test/golden/tour/${columns}x${rows}/${name}.txt`;
        await vi.waitFor(() => {
          const picture = `${steady(screen.screen()).join("\n")}\n`;
          expect(picture).toBe(golden(path, picture));
        }, 20_000);
      }
      screen.type("q");
      await vi.waitFor(() => expect(screen.isAlternate()).toBe(false), 10_000);
    },
    120_000,
  );
});

const WRITES_PICTURES = process.env["SVC_GOLDEN"] === "1";

/**
 * How often the same picture must be seen before it counts as final. A golden picture must really be the last one:
 * counts are read again a second after a change. Whoever compares waits until the golden picture is shown.
 */
const STEADY_LOOKS = 75;

/** Waits until the same picture was seen for a while, so that pending reads have arrived. */
async function settled(screen: () => readonly string[]): Promise<void> {
  let before = "";
  let same = 0;
  await vi.waitFor(
    () => {
      const now = screen().join("\n");
      same = now === before ? same + 1 : 0;
      before = now;
      if (same < STEADY_LOOKS) throw new Error(now);
    },
    { timeout: 10_000, interval: 40 },
  );
}

/** Replaces what differs from day to day by a fixed text of the same length. */
function steady(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line
      .replaceAll(/\d{4}-\d\d-\d\d/g, "YYYY-MM-DD")
      .replaceAll(/\b\d\d:\d\d(:\d\d)?\b/g, (time) => time.replaceAll(/\d/g, "t"))
      .replaceAll(/(?<!silent for) +\d+[sm](?= |$)/g, (age) => "now".padStart(age.length))
      .trimEnd(),
  );
}
