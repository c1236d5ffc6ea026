import { yieldToLoop } from "../base/yield-to-loop.ts";
import { jsonPieces } from "./streamed-rows.ts";

export class WrittenJson {
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    this.parts = parts;
  }
}

/**
 * Writes an answer as JSON in parts, and lets other requests run between the parts. The daemon's own thread uses this
 * because it reads a whole answer before it sends any of it: it then keeps the JSON text in memory, not the rows.
 */
export async function writtenJson(answer: object): Promise<WrittenJson> {
  const parts: string[] = [];
  for await (const part of jsonPieces(answer)) {
    parts.push(part);
    await yieldToLoop();
  }
  return new WrittenJson(parts);
}
