import { useMemo } from "react";
import { whyNot } from "../../../src/screen/commands.ts";
import type { Command } from "../../../src/screen/keys.ts";
import { placeOf } from "../../../src/screen/place/place-of.ts";
import { type PainterProps, pointMessage, type Send } from "../../painter.ts";
import { issueUrls } from "../../place.ts";
import type { ChangeableFact, IssueActs } from "../issue/acts.ts";

/** Returns the function that opens an issue. It stays the same between drawings, so rows need not be drawn again. */
export function useOpen(send: Send): IssueActs["open"] {
  return useMemo(() => (uid) => send(pointMessage({ is: "issue", uid })), [send]);
}

/** Returns how the parts of an issue open other issues. */
export function useLinks({ state, send }: PainterProps) {
  return { open: useOpen(send), hrefOf: issueUrls(placeOf(state)) };
}

/** Returns the function that runs the command which changes a fact; `undefined` if the command cannot run. */
export function changeFact(
  { state, send }: PainterProps,
  fact: ChangeableFact,
  isOpen: boolean,
): (() => void) | undefined {
  const command = commandFor(fact, isOpen);
  if (whyNot(state, command) !== undefined) return undefined;
  return () => send(pointMessage({ is: "command", command }));
}

function commandFor(fact: ChangeableFact, isOpen: boolean): Command {
  switch (fact) {
    case "status":
      return isOpen ? "close-with" : "reopen";
    case "priority":
      return "priority";
    case "owner":
      return "assign";
    case "labels":
      return "add-label";
    case "dates":
      return "dates";
  }
}
