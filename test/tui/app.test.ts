import { Text } from "ink";
import { render } from "ink-testing-library";
import { createElement } from "react";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { App } from "../../tui/app.ts";
import { createStore } from "../../tui/store.ts";
import { type Paint, painter } from "../../tui/style.ts";
import { NOW, screen } from "./support.ts";

/** The program in Ink's test host, which is 100 columns wide. Effects are recorded. */
function app(more: { readonly light?: Paint } = {}) {
  const effects: Effect[] = [];
  const clock: Clock = { ...systemClock, now: () => NOW };
  const store = createStore(screen(100, 20).state, clock, (effect) => void effects.push(effect));
  const props = { store, paint: painter("none"), clock };
  const ink = render(createElement(Text));
  const stdin = ink.stdin as unknown as NodeJS.ReadableStream;
  ink.rerender(createElement(App, { ...props, ...more, stdin }));
  return { ...ink, effects, store };
}

test("Ink draws the lines of the frame unchanged", () => {
  const { lastFrame, unmount } = app();
  const lines = (lastFrame() ?? "").split("\n");
  expect(lines).toHaveLength(20);
  expect(lines[0]).toContain("svc  product  [1 Board]");
  expect(lastFrame()).toContain("日本語のタイトル 👩💻 wide");
  unmount();
});

test("a terminal that reports a light background gets light colours from then on, and not before", async () => {
  const { stdin, frames, lastFrame, unmount } = app({ light: painter("dark") });
  expect(frames.join("")).not.toContain("\u001B[38;5;33m");
  stdin.write("\u001B]11;rgb:ffff/ffff/ffff\u0007");
  await expect.poll(() => lastFrame()).toContain("\u001B[38;5;33m");
  stdin.write("\u001B[?997;1n");
  await expect.poll(() => lastFrame()).not.toContain("\u001B[38;5;33m");
  expect(lastFrame()).not.toContain("no action on");
  unmount();
});

test("a character that arrives in two reads is one key", () => {
  const { stdin, store, unmount } = app();
  stdin.write("/");
  const bytes = Buffer.from("日");
  stdin.emit("data", bytes.subarray(0, 2));
  stdin.emit("data", bytes.subarray(2));
  expect(store.get().board.query).toBe("status:open 日");
  unmount();
});

test("keys that arrive in one read act one after the other, and the screen shows their result", async () => {
  const { stdin, lastFrame, store, effects, unmount } = app();
  stdin.write("jj x");
  expect(store.get().marks.size).toBe(1);
  expect(effects).toContainEqual(expect.objectContaining({ effect: "write" }));
  await expect.poll(() => lastFrame()).toContain("%");
  unmount();
});

test("a text that arrives in one read is not read as keys if nobody can have typed it so fast", async () => {
  const { stdin, store, effects, unmount } = app();
  const before = store.get();
  stdin.write("x delete me r\rx");
  expect(effects.filter(({ effect }) => effect === "write")).toEqual([]);
  expect({
    ...store.get(),
    messages: { ...store.get().messages, notice: undefined },
  }).toMatchObject({
    board: before.board,
    dialog: undefined,
  });
  expect(store.get().messages.notice?.text).toBe("a paste means nothing here");
  stdin.write("/status:all wide");
  expect(store.get().board.query).toBe("status:open status:all wide");
  unmount();
});

test("the last piece of a long text that arrives in pieces is not read as keys", () => {
  const { stdin, effects, unmount } = app();
  stdin.write("words of a text ".repeat(40));
  stdin.write("x");
  expect(effects.filter(({ effect }) => effect === "write")).toEqual([]);
  unmount();
});

test("a change that is not visible draws no frame, and a visible one does", async () => {
  const { store, frames, unmount } = app();
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  const before = frames.length;
  for (let at = 0; at < 5; at++) {
    store.dispatch({ type: "tick" });
    store.dispatch({ type: "key", key: "k" });
    await Promise.resolve();
  }
  store.dispatch({ type: "key", key: "j" });
  await expect.poll(() => frames.length).toBeGreaterThan(before);
  expect(frames.length).toBe(before + 1);
  unmount();
});

test("a closed screen reads no more keys", () => {
  const { stdin, store, unmount } = app();
  unmount();
  const before = store.get();
  stdin.write("j");
  expect(store.get()).toBe(before);
});
