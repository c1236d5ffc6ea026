import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { openScreen } from "../../tui/screen.ts";
import { createStore } from "../../tui/store.ts";
import { painter } from "../../tui/style.ts";
import { NOW, screen } from "./support.ts";

const [BEGIN, END] = ["\u001B[?2026h", "\u001B[?2026l"];

/** A screen on a terminal that records what is written to it. */
function open() {
  const clock: Clock = { ...systemClock, now: () => NOW };
  const store = createStore(screen(80, 24).state, clock, () => undefined);
  const writes: string[] = [];
  const stdout = new PassThrough();
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, { columns: 80, rows: 24, isTTY: true });
  vi.spyOn(stdout, "write").mockImplementation((...given: unknown[]) => {
    writes.push(String(given[0]));
    return Reflect.apply(write, stdout, given) as boolean;
  });
  stdout.resume();
  const stdin = new PassThrough();
  const terminal = { isAway: false };
  const shown = openScreen({
    store,
    clock,
    paint: painter("dark"),
    stdin: Object.assign(stdin, { isTTY: false }) as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    showCursor: false,
    isAway: () => terminal.isAway,
  });
  onTestFinished(async () => await shown.close());
  return { shown, store, stdin, writes, terminal };
}

test("each frame is written in one piece, and no frame is incomplete when the screen closes", async () => {
  const { shown, stdin, writes } = open();
  for (const key of "jkj") {
    stdin.write(key);
    const before = writes.length;
    await expect.poll(() => writes.length).toBeGreaterThan(before);
  }
  const pictures = writes.filter((text) => text.includes(BEGIN));
  expect(pictures.length).toBeGreaterThan(2);
  for (const text of pictures)
    expect([text.startsWith(BEGIN), text.endsWith(END)]).toEqual([true, true]);
  await shown.close();
  const all = writes.join("");
  expect(all.split(BEGIN)).toHaveLength(all.split(END).length);
});

test("nothing is written while another program has the terminal, and then the whole frame", async () => {
  const { shown, store, writes, terminal } = open();
  await expect.poll(() => writes.join("")).toContain("k001");
  terminal.isAway = true;
  const before = writes.length;
  store.dispatch({ type: "key", key: "j" });
  store.dispatch({ type: "resize", columns: 70, rows: 20 });
  shown.repaint();
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes.slice(before)).toEqual([]);
  terminal.isAway = false;
  shown.repaint();
  await expect.poll(() => writes.slice(before).join("")).toContain("k001");
  terminal.isAway = true;
  const written = writes.length;
  await shown.close();
  expect(writes.slice(written)).toEqual([]);
});
