import { expect, test } from "vitest";
import { keyFor } from "../../src/screen/keymap.ts";
import { earlyKeyOf, isComposing, keyNameOf } from "../../web/keys.ts";
import { isBrowserKey, PAGE_KEYS } from "../../web/own-keys.ts";

const plain = { code: "", ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };

test.each([
  [{ key: "j" }, "j"],
  [{ key: "G", shiftKey: true }, "G"],
  [{ key: "?", shiftKey: true }, "?"],
  [{ key: " " }, "space"],
  [{ key: "Enter" }, "enter"],
  [{ key: "ArrowRight", shiftKey: true }, "shift+right"],
  [{ key: "d", ctrlKey: true }, "ctrl+d"],
  [{ key: "k", ctrlKey: true }, "ctrl+p"],
  [{ key: "k", metaKey: true }, "ctrl+p"],
  [{ key: "<", altKey: true, shiftKey: true }, "alt+<"],
  [{ key: "b", code: "KeyB", altKey: true }, "alt+b"],
  [{ key: "∫", code: "KeyB", altKey: true }, "alt+b"],
  [{ key: "]", code: "Digit6", altKey: true }, "]"],
  [{ key: "|", code: "Digit7", altKey: true, ctrlKey: true }, "|"],
])("the key event %j is the key %s", (pressed, name) => {
  expect(keyNameOf({ ...plain, ...pressed })).toBe(name);
});

test.each([
  [{ key: "Tab" }],
  [{ key: "Tab", shiftKey: true }],
  [{ key: "c", ctrlKey: true }],
  [{ key: "r", ctrlKey: true }],
  [{ key: "c", metaKey: true }],
  [{ key: "Shift", shiftKey: true }],
  [{ key: "F5" }],
])("the key event %j is left to the browser", (pressed) => {
  expect(keyNameOf({ ...plain, ...pressed })).toBeUndefined();
});

test.each([
  [{ key: "a" }, "a"],
  [{ key: "Tab" }, "tab"],
  [{ key: "Tab", shiftKey: true }, "shift+tab"],
  [{ key: "s", ctrlKey: true }, "ctrl+s"],
  [{ key: "Enter", metaKey: true }, "ctrl+s"],
  [{ key: "Enter" }, "enter"],
  [{ key: "c", ctrlKey: true }, undefined],
])("the key event %j is the key %s for a dialog that is not drawn yet", (pressed, name) => {
  expect(earlyKeyOf({ ...plain, ...pressed })).toBe(name);
});

test.each([
  [{ isComposing: true, keyCode: 13 }, true],
  [{ isComposing: false, keyCode: 229 }, true],
  [{ isComposing: false, keyCode: 13 }, false],
])("the key event %j comes from an input method: %j", (event, is) => {
  expect(isComposing(event)).toBe(is);
});

test("the page has no keys for commands that only a terminal can carry out", () => {
  const commands = new Set(PAGE_KEYS.map(({ command }) => command));
  expect(["quit", "suspend", "own-command"].filter((one) => commands.has(one as never))).toEqual(
    [],
  );
  expect(commands.has("palette")).toBe(true);
});

test("no hint on the page names a key that the browser reserves, except for the reload", () => {
  const kept = PAGE_KEYS.flatMap(({ keys }) => keys.filter(isBrowserKey));
  expect(kept).toEqual(["ctrl+r"]);
  expect(keyFor({ preferences: { keys: PAGE_KEYS } }, "raw-text")).toBe("alt+t");
  expect(keyFor({ preferences: { keys: PAGE_KEYS } }, "cron-next-tab")).toBe("]");
});
