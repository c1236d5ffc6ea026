import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { ASCII, UNICODE } from "../../src/screen/glyphs.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { golden } from "../support/golden.ts";
import { issue, screen } from "./support.ts";

const SIZES = [
  [30, 8],
  [40, 10],
  [80, 24],
  [100, 30],
  [160, 50],
  [250, 70],
] as const;

/** The keys that show each part. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  board: [],
  "board, flat and all": ["s", "s", "s", "s", "s", "v"],
  "board, nothing matches": ["/", "z", "z", "z", "enter"],
  lanes: ["v", "v", "right"],
  "lanes by owner": ["v", "v", "v", "space", "right", "j"],
  grouped: ["z"],
  "grouped, folded": ["z", "z", "left"],
  detail: ["enter"],
  graph: ["3"],
  inbox: ["2"],
  cron: ["4"],
  projects: ["5"],
  fleet: ["6"],
  help: ["?"],
  palette: [":"],
  search: ["ctrl+f"],
  daemons: ["D", "j"],
  browse: ["shift+tab", "j", "j"],
  filter: ["/"],
  "filter form": ["f"],
  "new issue": ["n"],
  close: ["X"],
  priority: ["!"],
  delete: ["delete"],
  owner: ["a"],
  messages: ["M"],
  quit: ["q"],
};

/** Matches a style that begins and does not end: it would colour the lines below. */
const OPEN_STYLE = new RegExp(String.raw`\u001B\[(?!0m|27m)[\d;]*m(?!.*\u001B\[(?:0|27)m)`);

describe.each(SIZES)("a screen of %ix%i", (columns, rows) => {
  test.each(Object.entries(VIEWS))("%s fills the screen exactly", (_name, keys) => {
    const looks = [
      painter("dark"),
      painter("light", { glyphs: UNICODE }),
      painter("none", { glyphs: UNICODE }),
      painter("none"),
    ];
    for (const paint of looks) {
      const lines = frame(screen(columns, rows).keys(...keys).state, paint);
      expect(lines).toHaveLength(rows);
      for (const line of lines) {
        expect([line, stringWidth(line)]).toEqual([line, columns]);
        expect(line).not.toMatch(OPEN_STYLE);
      }
    }
  });
});

test.each([
  [80, 24, "board"],
  [80, 24, "detail"],
  [80, 24, "help"],
  [80, 24, "new issue"],
  [80, 24, "close"],
  [160, 50, "board"],
  [80, 24, "lanes"],
  [160, 50, "lanes"],
  [80, 24, "grouped"],
  [80, 24, "lanes by owner"],
  [160, 50, "browse"],
])("at %ix%i the view %s matches its golden picture", (columns, rows, name) => {
  const { state } = screen(columns, rows).keys(...(VIEWS[name] ?? []));
  const text = frame(state, painter("none")).map(plain).join("\n");
  const file = `${name.replaceAll(" ", "-")}-${columns}x${rows}.txt`;
  expect(`${text}\n`).toBe(golden(`test/golden/tui/${file}`, `${text}\n`));
});

test("a search by words and by meaning matches its golden picture, with a sign at the hit by meaning", () => {
  const session = screen(80, 24).keys("ctrl+f").type("slow pages").keys("enter");
  const words = issue(6, { title: "Pages are slow after the update" });
  const meant = issue(7, { title: "Latency of the website" });
  const serial = session.state.board.search?.serial ?? -1;
  const issues = [words, meant];
  session.tell({ type: "found", serial, issues, meant: [meant.uid], how: "hybrid" });
  const paint = painter("none", { glyphs: UNICODE });
  const text = frame(session.state, paint).map(plain).join("\n");
  expect(`${text}\n`).toBe(golden("test/golden/tui/search-80x24.txt", `${text}\n`));
  expect(text.split("\n").filter((line) => line.includes("≈"))).toHaveLength(1);
});

/** Removes the codes of colour, bold and inverse. */
function plain(line: string): string {
  return stripVTControlCharacters(line).trimEnd();
}

test("other sets of signs leave every column in place", () => {
  const { state } = screen(160, 50).keys("E", "space", "j");
  const [ascii, unicode] = [ASCII, UNICODE].map((glyphs) =>
    frame(state, painter("none", { glyphs })).map(plain),
  );
  const widths = (lines: readonly string[] = []): readonly number[] =>
    lines.map((line) => stringWidth(line));
  expect(widths(unicode)).toEqual(widths(ascii));
  expect(unicode?.join("\n")).toContain("❯ k");
  expect(unicode?.join("\n")).toContain(" ●k");
  expect(unicode).not.toEqual(ascii);
});

test("no state is shown by colour alone", () => {
  const { state } = screen(80, 24);
  const [dark, none] = (["dark", "none"] as const).map((mode) =>
    frame(state, painter(mode)).map(plain),
  );
  expect(dark).toEqual(none);
});
