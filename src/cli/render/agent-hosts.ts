import type { View } from "../output.ts";

/** Prints the text alone in every mode, so that it can be written to a file. */
export const configView: View<{ readonly text: string }> = {
  human: ({ text }) => text,
  agent: ({ text }) => text,
};
