import type { Turn } from "./conversation.ts";
import { isOffered, type Plan } from "./offered.ts";
import { PROBE } from "./probe-names.ts";

/** How a host treats a tool server (`probe-server.ts`). */
export interface HostBehaviour {
  /**
   * How soon the model can call a tool that the server has added during a call of another tool: in the next call, some
   * calls later, or never in this run.
   */
  listsAgain: "at once" | "later" | "never";
  /** Which part of an answer the model gets if its text and its structure differ. */
  reads: "text" | "structure" | "both" | "nothing";
  /** How many copies of an answer the model gets if the text of the answer is its structure as JSON. */
  copies: number;
  /** What the host does with a tool whose name contains a dot. */
  dots: "kept" | "replaced" | "refused";
}

/** How many times the model checks whether it can call the added tool. */
const LOOKS = 5;

/** Calls the tool that adds another tool, then checks several times whether the host offers the added tool. */
export function probePlan(found: (seen: HostBehaviour) => void): Plan {
  const seen: HostBehaviour = { listsAgain: "never", reads: "nothing", copies: 0, dots: "refused" };
  let looks = 0;
  return (turn, said) => {
    if (said === undefined) {
      seen.dots = dotsIn(turn);
      return { name: PROBE.load, args: {} };
    }
    if (looks === 0) seen.reads = partsOf(said);
    else seen.copies = said.split(PROBE.mark).length - 1;
    if (seen.listsAgain === "never" && isOffered(turn, PROBE.late))
      seen.listsAgain = looks === 0 ? "at once" : "later";
    looks += 1;
    if (looks < LOOKS) return { name: PROBE.same, args: {} };
    found(seen);
    return "done";
  };
}

function dotsIn(turn: Turn): HostBehaviour["dots"] {
  if (!isOffered(turn, PROBE.dotted)) return "refused";
  const names = [...turn.tools.map(({ name }) => name), ...(turn.deferred ?? [])];
  return names.some((name) => name.endsWith(PROBE.dotted)) ? "kept" : "replaced";
}

function partsOf(said: string): HostBehaviour["reads"] {
  const [text, structure] = [PROBE.text, PROBE.structure].map((part) => said.includes(part));
  if (text === true && structure === true) return "both";
  if (text === true) return "text";
  return structure === true ? "structure" : "nothing";
}
