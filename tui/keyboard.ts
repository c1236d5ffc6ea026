import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../src/base/clock.ts";
import { type Input, Keyboard } from "./input.ts";

/** A lone Escape may be the beginning of a key: so long it is waited for the rest. */
const ESCAPE_MS = 20;
/** What follows a piece of a long text within so long is more of it. */
const PIECE_MS = 50;

/** Hears what the terminal sends, key by key, until the function that it gives is called. */
export function listen(
  stdin: NodeJS.ReadableStream,
  clock: Pick<Clock, "sleep">,
  tell: (input: Input) => void,
): () => void {
  const keyboard = new Keyboard();
  // A read may end within a character.
  const decoder = new StringDecoder("utf8");
  let waiting = new AbortController();
  const read = (data: Buffer | string): void => {
    waiting.abort();
    const text = typeof data === "string" ? data : decoder.write(data);
    for (const input of keyboard.push(text)) tell(input);
    if (!keyboard.pending && !keyboard.goesOn) return;
    const mine = (waiting = new AbortController());
    void clock.sleep(keyboard.pending ? ESCAPE_MS : PIECE_MS, mine.signal).then(() => {
      if (mine.signal.aborted) return;
      keyboard.rest();
      for (const input of keyboard.flush()) tell(input);
    });
  };
  stdin.on("data", read);
  return () => {
    waiting.abort();
    stdin.off("data", read);
  };
}
