import type { ReactElement, ReactNode } from "react";
import { type Instant, instantToMs } from "../../../src/base/clock.ts";
import { letterFor } from "../../../src/screen/detail/peers.ts";
import { leaseOf } from "../../../src/screen/fleet/facts.ts";
import type { FleetRow } from "../../../src/screen/fleet/state.ts";
import { letterOf } from "../../../src/screen/issues/relations.ts";
import type { State } from "../../../src/screen/state.ts";
import { ago, agoPhrase } from "../../../src/screen/times.ts";
import { Sign } from "../sign.tsx";

interface HeldProps {
  readonly state: State;
  readonly row: FleetRow;
}

export function HeldSign({ state, row: { at, status } }: HeldProps): ReactElement {
  const issue = state.issues.get(at.uid);
  return (
    <Sign
      letter={issue === undefined ? letterFor(status ?? "open", false) : letterOf(state, issue)}
    />
  );
}

export function Lease({ state, row }: HeldProps): ReactNode {
  const lease = leaseOf(row, instantToMs(state.now));
  if (lease === "-") return "owns it";
  const text = lease === "held" || lease === "expired" ? `lease ${lease}` : `${lease} left`;
  return <span data-lease={lease}>{text}</span>;
}

interface SilenceProps {
  readonly state: State;
  readonly lastSeen: Instant | undefined;
  readonly isSilent: boolean;
}

export function Silence({ state, lastSeen, isSilent }: SilenceProps): ReactElement {
  return (
    <span className="silence" data-silent={isSilent}>
      {silenceSaid(state, lastSeen, isSilent)}
    </span>
  );
}

function silenceSaid({ now }: State, lastSeen: Instant | undefined, isSilent: boolean): string {
  if (lastSeen === undefined) return "no event";
  return isSilent ? `silent ${ago(lastSeen, now)}` : agoPhrase(lastSeen, now);
}
