import type { ReactElement } from "react";
import { age } from "../../src/base/age.ts";
import { counted } from "../../src/base/counted.ts";
import { holdingText, lastSeenText } from "../../src/screen/fleet/facts.ts";
import { fleetCounts, fleetRow, isSilent } from "../../src/screen/fleet/fleet.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { State } from "../../src/screen/state.ts";
import type { PainterProps } from "../painter.ts";
import { FleetLanes } from "../parts/fleet/lanes.tsx";
import { FleetList } from "../parts/fleet/list.tsx";
import { Acts, Below, RowsScreen, Toggle } from "../parts/screen.tsx";
import { useShown } from "../parts/use-shown.ts";

/**
 * Draws for each holder the issues that they hold, until when, and how long ago their last event was. The holder who
 * has been silent longest comes first.
 */
export function Fleet({ state, send }: PainterProps): ReactElement {
  const [isLaned, toggleLanes] = useShown("lanes");
  const row = fleetRow(state);
  return (
    <RowsScreen
      name="fleet"
      about={state.fleet.rows === undefined ? "" : aboutOf(state)}
      acts={
        <>
          <Filters state={state} send={send} />
          <Toggle
            label="Lanes"
            title="Show a lane for each person, or a list"
            isOn={isLaned}
            toggle={toggleLanes}
          />
        </>
      }
      error={state.fleet.error}
      below={row === undefined ? null : <Holder state={state} send={send} row={row} />}
    >
      {isLaned ? <FleetLanes state={state} send={send} /> : <FleetList state={state} send={send} />}
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
      <p className="below-fact">{holdingText(state, row)}</p>
      <p className="below-fact" data-warn={isSilent(state, row)}>
        {lastSeenText(state, row)}
      </p>
    </Below>
  );
}
