import { yieldToLoop } from "../base/yield-to-loop.ts";
import { jsonPieces } from "./streamed-rows.ts";

/** The complete JSON of an answer, as texts that together are the whole. */
export class WrittenJson {
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    this.parts = parts;
  }
}

/**
 * Writes an answer as JSON in parts; other requests are answered in between. For the daemon's own thread, which reads
 * a whole answer before it sends any of it: it then keeps the texts, and no rows.
 */
export async function writtenJson(answer: object): Promise<WrittenJson> {
  const parts: string[] = [];
  for await (const part of jsonPieces(answer)) {
    parts.push(part);
    await yieldToLoop();
  }
  return new WrittenJson(parts);
}
