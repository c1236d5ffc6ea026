import { htmlOf } from "../markdown/html.ts";

/** What the page asks: a text, under a number that the answer repeats. */
interface Asked {
  readonly id: number;
  readonly text: string;
}

// The worker's own scope: the types of a page know only the window's.
const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: Asked }) => void;
  postMessage(answer: { readonly id: number; readonly html: string }): void;
};

scope.onmessage = ({ data: { id, text } }) => {
  scope.postMessage({ id, html: htmlOf(text) });
};
// Parse a text at the start, so that the parser is compiled before the first text that somebody waits for.
htmlOf(
  "# Warm *up*\n\n- [ ] `all` of ~~the~~ rules: https://example.org #abc4\n\n| a |\n|--:|\n| b |",
);
// The first answer says that the worker has loaded: only then its time counts.
scope.postMessage({ id: 0, html: "" });
