import { z } from "zod";
import type { Redact } from "../outgoing/redact.ts";

/** How many bytes of the hub's error message are kept (docs/contract/federation.md#12-limits). */
const MOST_BYTES = 4096;

const Refusal = z.object({ error: z.object({ message: z.string() }) });

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/**
 * Returns what a hub said about its refusal: the message of its error, in one line, without invisible characters and
 * secrets. Undefined if the answer is not an error of a hub.
 */
export function wordsOf(body: unknown, redact: Redact): string | undefined {
  const { data } = Refusal.safeParse(body);
  if (data === undefined) return undefined;
  // Invisible characters are removed before secrets are looked for, since they could hide a secret.
  const visible = data.error.message.replace(INVISIBLE, "").replace(BREAKS, " ").trim();
  const bytes = Buffer.from(redact(visible)).subarray(0, MOST_BYTES);
  // With `stream`, an incomplete character at the end is dropped.
  return new TextDecoder().decode(bytes, { stream: true });
}
