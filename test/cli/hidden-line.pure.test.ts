import { expect, test } from "vitest";
import { type HiddenInput, readHiddenLine } from "../../src/cli/input/hidden-line.ts";

/** A terminal that types the texts, and remembers its modes. */
function terminal(...texts: readonly string[]) {
  const modes: boolean[] = [];
  const state = { paused: false };
  let listener: ((bytes: Buffer) => void) | undefined;
  const input: HiddenInput = {
    setRawMode: (on) => modes.push(on),
    on: (_event, added) => (listener = added),
    off: () => (listener = undefined),
    resume: () => {
      for (const text of texts) listener?.(Buffer.from(text));
    },
    pause: () => (state.paused = true),
  };
  return { input, modes, state };
}

test.each([
  ["a line", ["svc_fed_1\r"], "svc_fed_1"],
  ["a line in pieces", ["svc_", "fed_1", "\n"], "svc_fed_1"],
  ["text with characters erased by Backspace", ["ax\u007fbc\b\r"], "ab"],
  ["text typed after the line was erased with Ctrl+U", ["wrong\u0015right\r"], "right"],
  ["control characters", ["a\u001b\tb\r"], "ab"],
  ["the end of the input", ["abc\u0004"], "abc"],
  ["an interrupt", ["abc\u0003"], undefined],
])(
  "at a hidden prompt, %s (the keys %j) is read as %j without echo, and the terminal gets its mode back",
  async (_what, texts, read) => {
    const { input, modes, state } = terminal(...texts);
    expect(await readHiddenLine(input)).toBe(read);
    expect([modes, state.paused]).toEqual([[true, false], true]);
  },
);
