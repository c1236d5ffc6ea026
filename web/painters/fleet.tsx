import type { ReactElement } from "react";
import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { counted } from "../../src/base/counted.ts";
import { letterOf } from "../../src/screen/board/relations.ts";
import { letterFor } from "../../src/screen/detail/shown.ts";
import { holdingSaid, leaseOf, seenSaid } from "../../src/screen/fleet/facts.ts";
import { fleetCounts, fleetRow, fleetRows, isSilent } from "../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { State } from "../../src/screen/state.ts";
import { ago } from "../../src/screen/times.ts";
import type { PainterProps } from "../painter.ts";
import { Cell, Lines } from "../parts/lines.tsx";
import { Acts, Below, RowsScreen } from "../parts/screen.tsx";
import { Sign } from "../parts/sign.tsx";
import { Person } from "../parts/words.tsx";
import { rowHeight } from "../room.ts";

const keyOf = ({ at, holder }: FleetRow): string => `${at.uid} ${holder}`;

/**
 * Draws the fleet screen: for each holder, the issues that they hold, until when, and how long ago their last event
 * was. Who has been silent longest comes first.
 */
export function Fleet({ state, send }: PainterProps): ReactElement {
  const rows = fleetRows(state);
  const isFirst = ({ holder }: FleetRow, at: number): boolean => rows[at - 1]?.holder !== holder;
  const row = fleetRow(state);
  return (
    <RowsScreen
      name="fleet"
      about={state.fleet.rows === undefined ? "" : aboutOf(state)}
      acts={<Filters state={state} send={send} />}
      error={state.fleet.error}
      below={row === undefined ? null : <Holder state={state} send={send} row={row} />}
    >
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
    </RowsScreen>
  );
}

function aboutOf(state: State): string {
  const { silentAfterMs, truncated } = state.fleet;
  const { holders, issues, silent } = fleetCounts(state);
  const about = `${counted(holders, "holder")} of ${counted(issues, "issue")}${truncated ? ", and more" : ""}`;
  return `${about} · ${silent} silent for ${age(0, silentAfterMs)} or longer`;
}

function Filters({ state, send }: PainterProps): ReactElement {
  const { text, silentOnly } = state.fleet;
  const isFiltered = text !== "" || silentOnly;
  return (
    <Acts
      {...{ state, send }}
      acts={[
        { command: "fleet-silent", label: silentOnly ? "Everybody" : "Only the silent" },
        { command: "fleet-filter", label: text === "" ? "Filter" : text, icon: "filter" },
        ...(isFiltered ? [{ command: "fleet-clear", label: "Clear", icon: "close" } as const] : []),
      ]}
    />
  );
}

interface HeldProps {
  readonly state: State;
  readonly row: FleetRow;
  /** Whether this is the first row of its holder. */
  readonly isFirst: boolean;
}

/** One issue that somebody holds. The name is seen only in the holder's first row; a screen reader says it in each. */
function Held({ state, row, isFirst }: HeldProps): ReactElement {
  const { at, holder, last, status, title } = row;
  const issue = state.issues.get(at.uid);
  const lease = leaseOf(row, instantToMs(state.now));
  const silent = isSilent(state, row);
  return (
    <>
      <Cell name="holder">
        <span className={isFirst ? "who-holds" : "hidden"}>
          <Person name={holder} />
          <span className="silence" data-silent={silent}>
            {last === undefined
              ? "no event"
              : `${silent ? "silent " : ""}${ago(last.at, state.now)}`}
          </span>
        </span>
      </Cell>
      <Cell name="title">
        <Sign
          letter={issue === undefined ? letterFor(status ?? "open", false) : letterOf(state, issue)}
        />
        <span className="text">{title}</span>
      </Cell>
      <Cell name="lease">
        {lease === "-" ? (
          "owns it"
        ) : (
          <span data-lease={lease}>
            {lease === "held" || lease === "expired" ? `lease ${lease}` : `${lease} left`}
          </span>
        )}
      </Cell>
      <Cell name="id wide">{state.projects.scope.project === undefined ? at.name : at.ref}</Cell>
    </>
  );
}

/** More about the row under the cursor: the issue, its holder's last event, and buttons for what can be done. */
function Holder({ state, send, row }: PainterProps & { readonly row: FleetRow }): ReactElement {
  const { at, title } = row;
  return (
    <Below
      label="the holder"
      title={
        <>
          <strong>{title}</strong> <span className="id">{at.name}</span>
        </>
      }
      acts={
        <Acts
          {...{ state, send }}
          acts={[
            { command: "fleet-message", label: "Ask about it", icon: "comment", look: "strong" },
            { command: "fleet-open", label: "Open the issue", look: "bordered" },
            { command: "fleet-release", label: "End the lease …" },
            { command: "fleet-steal", label: "Take it over …" },
          ]}
        />
      }
    >
      <p className="below-fact">{holdingSaid(state, row)}</p>
      <p className="below-fact" data-warn={isSilent(state, row)}>
        {seenSaid(state, row)}
      </p>
    </Below>
  );
}
