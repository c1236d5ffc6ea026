import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import { describeKind } from "../../shared/event-text.ts";
import type { State } from "../state.ts";
import { agoPhrase } from "../times.ts";
import type { FleetRow } from "./state.ts";

/** The time until the lease ends, as text; `held` for a lease that has no end, `-` if the issue is not leased. */
export function leaseOf({ lease }: FleetRow, nowMs: number): string {
  if (lease === undefined) return "-";
  if (lease.expires_at === undefined) return "held";
  const end = instantToMs(lease.expires_at);
  return end <= nowMs ? "expired" : age(nowMs, end);
}

export function holdingText({ now }: State, row: FleetRow): string {
  const { status, holder, owner, lease, since } = row;
  const nowMs = instantToMs(now);
  const left = leaseOf(row, nowMs);
  const ends =
    left === "held" ? "until it is released" : left === "expired" ? "it ran out" : `${left} left`;
  const verbText = (is: string, been: string): string =>
    since === undefined ? `${is} it` : `has ${been} it for ${age(instantToMs(since), nowMs)}`;
  const holding =
    lease === undefined
      ? `${holder} ${verbText("owns", "owned")} and does not lease it`
      : `${holder} ${verbText("leases", "leased")}, ${ends}, fence ${lease.fence}${lease.purpose === "" ? "" : `: ${lease.purpose}`}`;
  const done = status === "closed" ? "   it is closed" : "";
  const whose = owner === undefined || owner === holder ? "" : `   ${owner} owns it`;
  return `${holding}${whose}${done}`;
}

export function lastSeenText(state: State, { holder, last }: FleetRow): string {
  if (last === undefined) return `nothing was ever heard of ${holder}`;
  const about = last.uid === undefined ? "" : ` ${nameOf(state, last.uid)}`;
  return `last heard of ${agoPhrase(last.at, state.now)}: ${describeKind(last.kind)}${about}`;
}

/** The name of an issue that is in the fleet's rows or loaded; an empty text for any other issue. */
export function nameOf({ issues, fleet }: State, uid: string): string {
  const nameInFleet = fleet.rows?.find(({ at }) => at.uid === uid)?.at.name;
  return nameInFleet ?? issues.get(uid)?.qualified_id ?? "";
}
