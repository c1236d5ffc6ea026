import type { ReactElement, ReactNode } from "react";
import { type Instant, instantToMs } from "../../../src/base/clock.ts";
import { letterOf } from "../../../src/screen/board/relations.ts";
import { letterFor } from "../../../src/screen/detail/shown.ts";
import { leaseOf } from "../../../src/screen/fleet/facts.ts";
import type { FleetRow } from "../../../src/screen/fleet/state.ts";
import type { State } from "../../../src/screen/state.ts";
import { ago, agoSaid } from "../../../src/screen/times.ts";
import { Sign } from "../sign.tsx";

interface HeldProps {
  readonly state: State;
  readonly row: FleetRow;
}

/** The sign for the state of an issue that somebody holds. The issue need not be loaded. */
export function HeldSign({ state, row: { at, status } }: HeldProps): ReactElement {
  const issue = state.issues.get(at.uid);
  return (
    <Sign
      letter={issue === undefined ? letterFor(status ?? "open", false) : letterOf(state, issue)}
    />
  );
}

/** Whether an issue is leased or only owned, and for how long. */
export function Lease({ state, row }: HeldProps): ReactNode {
  const lease = leaseOf(row, instantToMs(state.now));
  if (lease === "-") return "owns it";
  const text = lease === "held" || lease === "expired" ? `lease ${lease}` : `${lease} left`;
  return <span data-lease={lease}>{text}</span>;
}

interface SilenceProps {
  readonly state: State;
  /** When something was heard of the person last. */
  readonly heard: Instant | undefined;
  readonly isSilent: boolean;
}

/** How long nothing was heard of somebody. */
export function Silence({ state, heard, isSilent }: SilenceProps): ReactElement {
  return (
    <span className="silence" data-silent={isSilent}>
      {silenceSaid(state, heard, isSilent)}
    </span>
  );
}

function silenceSaid({ now }: State, heard: Instant | undefined, isSilent: boolean): string {
  if (heard === undefined) return "no event";
  return isSilent ? `silent ${ago(heard, now)}` : agoSaid(heard, now);
}
