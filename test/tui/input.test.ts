import fc from "fast-check";
import { expect, test } from "vitest";
import { type Input, Keyboard } from "../../tui/input.ts";

const keysOf = (inputs: readonly Input[]): readonly string[] =>
  inputs.map((input) => (input.type === "key" ? input.key : JSON.stringify(input)));

test.each([
  ["j", ["j"]],
  ["jjj", ["j", "j", "j"]],
  ["\r", ["enter"]],
  ["\u007F", ["backspace"]],
  [" ", ["space"]],
  ["\t\u001B[Z", ["tab", "shift+tab"]],
  ["\u0003\u0012", ["ctrl+c", "ctrl+r"]],
  ["\u001B[A\u001BOB\u001B[C\u001B[D", ["up", "down", "right", "left"]],
  ["\u001B[5~\u001B[6~\u001B[3~\u001B[H\u001B[4~", ["pgup", "pgdn", "delete", "home", "end"]],
  ["\u001B[1;5A\u001B[3;2~", ["ctrl+up", "shift+delete"]],
  ["\u001Bv\u001B<", ["alt+v", "alt+<"]],
  ["é日👍", ["é", "日", "👍"]],
  ["\u001B[?1;2c", []],
])("the input %j is read as the keys %j", (text, keys) => {
  const keyboard = new Keyboard();
  expect(keysOf([...keyboard.push(text), ...keyboard.flush()])).toEqual(keys);
});

test("a lone Escape waits for what may follow, and is a key if nothing follows", () => {
  const keyboard = new Keyboard();
  expect(keyboard.push("\u001B")).toEqual([]);
  expect(keyboard.pending).toBe(true);
  expect(keysOf(keyboard.flush())).toEqual(["esc"]);
  expect(keysOf([...keyboard.push("\u001B"), ...keyboard.push("[A")])).toEqual(["up"]);
  expect(keyboard.pending).toBe(false);
});

test("a paste is one text, however it is split, and none of it is read as keys", () => {
  const keyboard = new Keyboard();
  const inputs = ["a\u001B[200~x", "\r\ny\u001B", "[20", "1~b"].flatMap((part) =>
    keyboard.push(part),
  );
  expect(inputs).toEqual([
    { type: "key", key: "a" },
    { type: "paste", text: "x\ny" },
    { type: "key", key: "b" },
  ]);
});

test.each<readonly [string, readonly unknown[]]>([
  // This many keys may have been typed while the screen was busy.
  ["abcdefgh", Array.from("abcdefgh")],
  ["abcdefghi", [{ text: "abcdefghi", goesOn: false }]],
  ["rm -rf /tmp\rls\tx", [{ text: "rm -rf /tmp\nls\tx", goesOn: false }]],
  ["abc\r\r\t\tdefgh", ["a", "b", "c", "enter", "enter", "tab", "tab", ...Array.from("defgh")]],
  // A key that is held down.
  ["j".repeat(30), Array.from("j".repeat(30))],
  ["\u001B[B".repeat(12), new Array(12).fill("down")],
  [
    "ab\u001B[Acdefghijkl\u007F",
    ["a", "b", "up", { text: "cdefghijkl", goesOn: false }, "backspace"],
  ],
])(
  "the text %j in one read counts as keys only if somebody can have typed it so fast",
  (text, wanted) => {
    const inputs = new Keyboard().push(text);
    const plain = inputs.map((input) => {
      if (input.type === "key") return input.key;
      return input.type === "burst" ? { text: input.text, goesOn: input.goesOn } : input;
    });
    expect(plain).toEqual(wanted);
  },
);

test.each([
  [499, false],
  [500, true],
])("what follows a first piece of %i characters is part of the same text: %s", (length, goesOn) => {
  const keyboard = new Keyboard();
  keyboard.push("ab".repeat(length).slice(0, length));
  expect(keyboard.goesOn).toBe(goesOn);
  const rest = keyboard.push("dx");
  expect(rest).toEqual(
    goesOn
      ? [{ type: "burst", text: "dx", goesOn: true }]
      : [
          { type: "key", key: "d" },
          { type: "key", key: "x" },
        ],
  );
  keyboard.push("ab".repeat(500));
  keyboard.rest();
  expect(keysOf(keyboard.push("x"))).toEqual(["x"]);
});

test("the mouse clicks and turns its wheel; releasing a button is ignored", () => {
  const keyboard = new Keyboard();
  expect(keyboard.push("\u001B[<0;5;7M\u001B[<0;5;7m\u001B[<64;1;1M\u001B[<65;1;1M")).toEqual([
    { type: "mouse", act: "click", x: 4, y: 6 },
    { type: "mouse", act: "up", x: 0, y: 0 },
    { type: "mouse", act: "down", x: 0, y: 0 },
  ]);
});

test.each([
  ["\u001B]11;rgb:ffff/ffff/ffff\u001B\\", true],
  ["\u001B]11;rgb:ff/ff/dd\u0007", true],
  ["\u001B]11;rgb:1818/1818/1818\u0007", false],
  ["\u001B]11;rgb:0/0/0\u001B\\", false],
  ["\u001B]11;rgba:ffff/ffff/ffff/ffff\u0007", true],
  // Black and white have the same contrast on a grey between these two.
  ["\u001B]11;rgb:75/75/75\u0007", false],
  ["\u001B]11;rgb:76/76/76\u0007", true],
  ["\u001B[?997;1n", false],
  ["\u001B[?997;2n", true],
])("%j tells whether the background is light: %s", (text, light) => {
  const inputs = new Keyboard().push(`j${text}k`);
  expect(inputs.map((input) => (input.type === "key" ? input.key : input))).toEqual([
    "j",
    { type: "background", light },
    "k",
  ]);
});

test.each([
  ["another answer", "\u001B]4;1;rgb:00/00/00\u0007"],
  ["an answer whose end was lost", "\u001B]11;rgb:ff/ff\r"],
  ["an answer that never ends", `\u001B]11;${"a".repeat(97)}`],
])("from the terminal, %s is not read as a key", (_what, text) => {
  const keyboard = new Keyboard();
  const inputs = [...keyboard.push(text), ...keyboard.flush(), ...keyboard.push("k")];
  expect(keysOf(inputs).filter((key) => key !== "enter")).toEqual(["k"]);
});

test("alt and a bracket is a key, although an answer starts the same way", () => {
  const keyboard = new Keyboard();
  expect([...keyboard.push("\u001B]"), ...keysOf(keyboard.flush())]).toEqual(["alt+]"]);
  expect(keysOf(keyboard.push("\u001B]x"))).toEqual(["alt+]", "x"]);
});

test("the first half of a terminal's answer waits for the rest, however long that takes", () => {
  const keyboard = new Keyboard();
  expect(keyboard.push("\u001B]11;rgb:ffff/ff")).toEqual([]);
  expect(keyboard.pending).toBe(false);
  expect(keyboard.flush()).toEqual([]);
  expect(keyboard.push("ff/ffff\u001B")).toEqual([]);
  expect(keyboard.push("\\")).toEqual([{ type: "background", light: true }]);
});

test("Escape after a terminal's answer without an end is a key if nothing follows", () => {
  const keyboard = new Keyboard();
  expect(keyboard.push("\u001B]11;rgb:ffff/ffff/ffff")).toEqual([]);
  expect(keyboard.pending).toBe(false);
  expect(keyboard.push("\u001B")).toEqual([]);
  expect(keyboard.pending).toBe(true);
  expect(keyboard.flush()).toEqual([
    { type: "background", light: true },
    { type: "key", key: "esc" },
  ]);
  expect(keysOf(keyboard.push("x"))).toEqual(["x"]);
});

test("input that arrives byte by byte gives the same keys as input in one read", () => {
  const pieces = [
    "j",
    "\r",
    "\u001B[A",
    "\u001B[5~",
    "\u001B[<0;3;4M",
    "é",
    "\u001B[200~p\u001B[201~",
    "\u001Bv",
    "\u001B]11;rgb:ffff/ffff/ffff\u001B\\",
    "\u001B[?997;2n",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const [whole, single] = [new Keyboard(), new Keyboard()];
      const all = [...whole.push(text), ...whole.flush()];
      const one = [...text].flatMap((character) => single.push(character));
      expect([...one, ...single.flush()]).toEqual(all);
    }),
  );
});
