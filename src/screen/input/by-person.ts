import type { Message, Target } from "../message.ts";

const INPUTS: ReadonlySet<Message["type"]> = new Set(["key", "paste", "burst", "typed"] as const);

/** Whether the message reports an action of the person. Messages that only move the focus or scroll are no actions. */
export function isByPerson(message: Message): boolean {
  return message.type === "chosen" ? isAction(message.place) : INPUTS.has(message.type);
}

/**
 * Whether a click does more than move the focus. The browser page also sends a click when it moves the focus by itself.
 */
export function isAction(place: Target | undefined): boolean {
  return place !== undefined && place.is !== "list" && place.is !== "detail";
}
