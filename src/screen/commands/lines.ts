import { moveLines } from "../lines.ts";
import type { CommandHandlers } from "./command-handler.ts";

const END = Number.MAX_SAFE_INTEGER;

export const LINES = {
  "next-line": { run: (state) => moveLines(state, 1) },
  "previous-line": { run: (state) => moveLines(state, -1) },
  "next-page": { run: (state) => moveLines(state, state.fit.page(state)) },
  "previous-page": { run: (state) => moveLines(state, -state.fit.page(state)) },
  "first-line": { run: (state) => moveLines(state, -END) },
  "last-line": { run: (state) => moveLines(state, END) },
} satisfies CommandHandlers;
