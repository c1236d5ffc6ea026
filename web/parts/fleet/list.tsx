import type { ReactElement } from "react";
import { fleetRows, isSilent } from "../../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../../src/screen/fleet/state.ts";
import type { State } from "../../../src/screen/state.ts";
import type { PainterProps } from "../../painter.ts";
import { rowHeight } from "../../room.ts";
import { Cell, Lines } from "../lines.tsx";
import { Person } from "../words.tsx";
import { HeldSign, Lease, Silence } from "./facts.tsx";

const keyOf = ({ at, holder }: FleetRow): string => `${at.uid} ${holder}`;

/** What each person holds as a list, one row for each issue. */
export function FleetList({ state, send }: PainterProps): ReactElement {
  const rows = fleetRows(state);
  const isFirst = ({ holder }: FleetRow, at: number): boolean => rows[at - 1]?.holder !== holder;
  return (
    <Lines
      state={state}
      send={send}
      label="who holds what"
      rows={rows}
      keyOf={keyOf}
      rowHeight={rowHeight(state.window.columns)}
      draw={(one, at) => <Held state={state} row={one} isFirst={isFirst(one, at)} />}
      lookOf={(one, at) => ({ "data-first": isFirst(one, at) })}
    />
  );
}

interface HeldProps {
  readonly state: State;
  readonly row: FleetRow;
  /** Whether the row is the first one of its holder. */
  readonly isFirst: boolean;
}

/** An issue that somebody holds. The holder's name is seen on their first row only; screen readers read it on each. */
function Held({ state, row, isFirst }: HeldProps): ReactElement {
  const { at, holder, last, title } = row;
  return (
    <>
      <Cell name="holder">
        <span className={isFirst ? "who-holds" : "hidden"}>
          <Person name={holder} />
          <Silence state={state} heard={last?.at} isSilent={isSilent(state, row)} />
        </span>
      </Cell>
      <Cell name="title">
        <HeldSign state={state} row={row} />
        <span className="text">{title}</span>
      </Cell>
      <Cell name="lease">
        <Lease state={state} row={row} />
      </Cell>
      <Cell name="id wide">{state.projects.scope.project === undefined ? at.name : at.ref}</Cell>
    </>
  );
}
