import { describe, expect, test } from "vitest";
import { ASCII, stateIn, treeIn, UNICODE } from "../../src/screen/glyphs.ts";
import { frame } from "../../tui/screens/frame.ts";
import { COLOUR_ROLES, DARK, LIGHT, luminance, NAMED, painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { issue, screen } from "./support.ts";

type Rgb = readonly [number, number, number];

/** Returns the red, green and blue parts, from 0 to 1, of a number above 15 in the table of 256 colours. */
function rgbOf(colour: number): Rgb {
  if (colour >= 232) {
    const grey = (8 + 10 * (colour - 232)) / 255;
    return [grey, grey, grey];
  }
  const level = (step: number): number => (step === 0 ? 0 : (55 + 40 * step) / 255);
  const at = colour - 16;
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(...one), luminance(...other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const grey = (of255: number): Rgb => [of255 / 255, of255 / 255, of255 / 255];

describe.each([
  ["dark", DARK, grey(0x18), grey(0)],
  ["light", LIGHT, grey(255), grey(255)],
] as const)("the %s colours", (_name, colours, background, extreme) => {
  test.each(COLOUR_ROLES)("have enough contrast for the role %s", (role) => {
    expect(contrast(rgbOf(colours[role]), background)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgbOf(colours[role]), extreme)).toBeGreaterThanOrEqual(4.5);
  });
});

type Matrix = readonly [Rgb, Rgb, Rgb];

/** Machado, Oliveira and Fernandes 2009, full severity, on linear light. */
const EYES: Readonly<Record<string, Matrix>> = {
  "every colour": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [x, y, z]: Rgb): Rgb => {
  const row = ([a, b, c]: Rgb): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};

const RGB_TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

function lab(colour: number, eyes: Matrix): Rgb {
  const linear = rgbOf(colour).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  const seen = times(eyes, linear).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb;
  const [x, y, z] = times(RGB_TO_XYZ, seen);
  const curve = (part: number): number =>
    part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116;
  const [fx, fy, fz] = [curve(x / 0.95047), curve(y), curve(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** All pairs of roles. */
const PAIRS = COLOUR_ROLES.flatMap((one, at) =>
  COLOUR_ROLES.slice(at + 1).map((other) => [one, other] as const),
);

describe.each(Object.entries(EYES))("the colours for eyes that see %s", (_name, eyes) => {
  test.each([
    ["dark", DARK, 32],
    ["light", LIGHT, 12],
  ] as const)("distinguish all roles on a %s background", (_mode, colours, least) => {
    const distances = PAIRS.map(([one, other]) => {
      const [a, b] = [lab(colours[one], eyes), lab(colours[other], eyes)];
      return { one, other, apart: Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) };
    });
    const [nearest] = distances.sort((a, b) => a.apart - b.apart);
    expect(nearest?.apart, JSON.stringify(nearest)).toBeGreaterThanOrEqual(least);
  });
});

test("a terminal of sixteen colours gets colour names, and one of many colours gets colour numbers", () => {
  const named = painter("dark", { manyColours: false });
  expect(named("ref", "x")).toBe("\u001B[34mx\u001B[0m");
  expect(named("dim", "x")).toBe("\u001B[90mx\u001B[0m");
  expect(painter("dark")("ref", "x")).toBe("\u001B[38;5;33mx\u001B[0m");
  expect(painter("light")("ref", "x")).toBe("\u001B[38;5;26mx\u001B[0m");
  expect(Object.keys(NAMED)).toEqual([...COLOUR_ROLES]);
});

test("a custom colour changes only its own role, and changes nothing on a screen without colours", () => {
  const theme = { ref: 12, error: 200 };
  const paint = painter("dark", { theme });
  expect(paint("ref", "x")).toBe("\u001B[94mx\u001B[0m");
  expect(paint("error", "x")).toBe("\u001B[1;38;5;200mx\u001B[0m");
  expect(paint("ok", "x")).toBe(painter("dark")("ok", "x"));
  expect(painter("none", { theme })("ref", "x")).toBe("x");
});

test("every sign has the same width in both sets", () => {
  for (const [name, sign] of Object.entries(UNICODE))
    expect([name, cells(sign)]).toEqual([name, cells(ASCII[name as keyof typeof ASCII])]);
});

test("trees and states are drawn in the configured signs", () => {
  expect(treeIn(ASCII, "|  |-blocks-> ")).toBe("|  |-blocks-> ");
  expect(treeIn(UNICODE, "|  `-blocks-> ")).toBe("│  └─blocks-> ");
  expect(["o", "b", "x", "~", "?"].map((letter) => stateIn(UNICODE, letter)).join("")).toBe(
    "○⊘✓·?",
  );
  expect(["o", "b", "x", "~"].map((letter) => stateIn(ASCII, letter)).join("")).toBe("obx~");
});

test("text that is cut is marked by the configured sign, on every screen", () => {
  const long = "a long text of somebody ".repeat(12);
  const issues = [issue(1, { title: long, owner: long, labels: [long], body: long })];
  const keys = ["", "enter", "v", "2", "3", "4", "5", "6", "n", "/", "x", "a", ":", "?", "D", "W"];
  const paint = painter("none", { glyphs: UNICODE });
  for (const [columns, rows] of [
    [40, 10],
    [80, 24],
    [160, 50],
  ] as const)
    for (const key of keys) {
      const session = screen(columns, rows, issues).keys("s", "s", "s", "s");
      const scope = { project: { id: 1, name: long } };
      const inbox = { ...session.state.inbox, address: long };
      session.state = {
        ...session.state,
        scope: { ...session.state.scope, ...scope },
        inbox,
        session: { ...session.state.session, actor: long },
        connection: { ...session.state.connection, daemon: long },
      };
      session.keys(...(key === "" ? [] : [key])).tell({ type: "said", text: long });
      const shown = frame(session.state, paint).join("\n");
      expect([columns, key, shown.includes("~"), shown.includes("…")]).toEqual([
        ...[columns, key],
        ...[false, true],
      ]);
    }
});
