import type { ReactElement } from "react";
import { fleetRows, isSilent } from "../../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../../src/screen/fleet/state.ts";
import { placeOf } from "../../../src/screen/place/place-of.ts";
import type { State } from "../../../src/screen/state.ts";
import type { PainterProps } from "../../painter.ts";
import { issueUrls } from "../../place.ts";
import { rowHeight } from "../../room.ts";
import { Cell, IssueTitle, Lines } from "../lines.tsx";
import { Person } from "../words.tsx";
import { HeldSign, Lease, Silence } from "./facts.tsx";

const keyOf = ({ at, holder }: FleetRow): string => `${at.uid} ${holder}`;

export function FleetList({ state, send }: PainterProps): ReactElement {
  const rows = fleetRows(state);
  const hrefOf = issueUrls(placeOf(state));
  const isFirst = ({ holder }: FleetRow, at: number): boolean => rows[at - 1]?.holder !== holder;
  return (
    <Lines
      state={state}
      send={send}
      label="who holds what"
      linksSelect
      rows={rows}
      keyOf={keyOf}
      rowHeight={rowHeight(state.window.columns)}
      draw={(one, at) => (
        <Held state={state} row={one} isFirst={isFirst(one, at)} href={hrefOf(one.at.uid)} />
      )}
      lookOf={(one, at) => ({ "data-first": isFirst(one, at), "data-issue": one.at.uid })}
    />
  );
}

interface HeldProps {
  readonly state: State;
  readonly row: FleetRow;
  readonly isFirst: boolean;
  readonly href: string;
}

/** The holder's name is visible only in their first row, but screen readers read it in each row. */
function Held({ state, row, isFirst, href }: HeldProps): ReactElement {
  const { at, holder, last, title } = row;
  return (
    <>
      <Cell name="holder">
        <span className={isFirst ? "who-holds" : "hidden"}>
          <Person name={holder} />
          <Silence state={state} lastSeen={last?.at} isSilent={isSilent(state, row)} />
        </span>
      </Cell>
      <Cell name="title">
        <HeldSign state={state} row={row} />
        <IssueTitle className="text" href={href} title={title} />
      </Cell>
      <Cell name="lease">
        <Lease state={state} row={row} />
      </Cell>
      <Cell name="id wide">{state.scope.project === undefined ? at.name : at.ref}</Cell>
    </>
  );
}
