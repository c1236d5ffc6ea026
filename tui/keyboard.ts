import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../src/base/clock.ts";
import { type Input, Keyboard } from "./input.ts";

/** Time to wait for the rest of a sequence after an Escape. */
const ESCAPE_MS = 20;
/** Input that arrives within this time after a piece of a long text belongs to that text. */
const PIECE_MS = 50;

export function listen(
  stdin: NodeJS.ReadableStream,
  clock: Pick<Clock, "sleep">,
  onInput: (input: Input) => void,
): () => void {
  const keyboard = new Keyboard();
  // A read may end inside a multi-byte character.
  const decoder = new StringDecoder("utf8");
  let waiting = new AbortController();
  const read = (data: Buffer | string): void => {
    waiting.abort();
    const text = typeof data === "string" ? data : decoder.write(data);
    for (const input of keyboard.push(text)) onInput(input);
    if (!keyboard.pending && !keyboard.goesOn) return;
    const mine = (waiting = new AbortController());
    void clock.sleep(keyboard.pending ? ESCAPE_MS : PIECE_MS, mine.signal).then(() => {
      if (mine.signal.aborted) return;
      keyboard.rest();
      for (const input of keyboard.flush()) onInput(input);
    });
  };
  stdin.on("data", read);
  return () => {
    waiting.abort();
    stdin.off("data", read);
  };
}
