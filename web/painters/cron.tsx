import { type ReactElement, useLayoutEffect, useRef } from "react";
import { cronCount } from "../../src/screen/cron/cron.ts";
import { rowFacts } from "../../src/screen/cron/facts.ts";
import { CRON_TABS, type CronScreenTab } from "../../src/screen/cron/state.ts";
import type { State } from "../../src/screen/state.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { CommandButton } from "../parts/button.tsx";
import { Definitions } from "../parts/cron/definitions.tsx";
import { CronCells, type CronLine, cronLines } from "../parts/cron/lines.tsx";
import { Lines } from "../parts/lines.tsx";
import { Below, ReadError } from "../parts/screen.tsx";
import { rowHeight } from "../room.ts";

const NAMES: Readonly<Record<CronScreenTab, string>> = {
  runs: "Runs",
  jobs: "Jobs",
  workflows: "Workflows",
  ledger: "Ledger",
  preview: "Preview",
  series: "Series",
};

/**
 * Draws the cron screen: tabs with the runs, jobs, workflows and series of a project, the ledger of a job (its past due
 * times, each with what happened), and the preview of its next due times.
 */
export function Cron({ state, send }: PainterProps): ReactElement {
  const { cron } = state;
  const facts = rowFacts(state);
  return (
    <div className="screen cron">
      <div className="head-line tools">
        <Tabs state={state} send={send} />
        <About state={state} />
        <span className="space" />
        <Acts state={state} send={send} />
      </div>
      <ReadError error={cron.error} />
      {cron.page === undefined ? (
        <Lines<CronLine>
          state={state}
          send={send}
          label={NAMES[cron.tab]}
          rows={cronLines(state)}
          keyOf={({ key }) => key}
          rowHeight={rowHeight(state.window.columns)}
          draw={(line) => <CronCells line={line} />}
        />
      ) : (
        <Definitions state={state} send={send} page={cron.page} />
      )}
      {cron.page !== undefined || facts.length === 0 ? null : (
        <Below label="about this line">
          {facts.map((text) => (
            <p key={text} className="below-fact">
              {text}
            </p>
          ))}
        </Below>
      )}
    </div>
  );
}

function Tabs({ state, send }: PainterProps): ReactElement {
  const { cron } = state;
  const tabs = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // On a phone not all tabs fit, so the chosen tab is scrolled into view.
    const chosen = tabs.current?.querySelector("[aria-selected=true]");
    chosen?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [cron.tab]);
  return (
    <div ref={tabs} className="cron-tabs" role="tablist" aria-label="cron">
      {CRON_TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === cron.tab}
          onClick={() => send(pointMessage({ is: "tab", tab }))}
        >
          {NAMES[tab]}
          {tab === cron.tab && cronCount(state) > 0 ? (
            <span className="count">{cronCount(state)}</span>
          ) : null}
        </button>
      ))}
    </div>
  );
}

function About({ state }: { readonly state: State }): ReactElement | null {
  const { tab, job } = state.cron;
  if (job === undefined || (tab !== "ledger" && tab !== "preview")) return null;
  return <span className="showing">of {job.name}</span>;
}

function Acts({ state, send }: PainterProps): ReactElement {
  const { tab } = state.cron;
  const isJobs = tab === "jobs";
  return (
    <>
      {isJobs ? (
        <CommandButton
          {...{ state, send }}
          command="cron-toggle"
          label="On or off"
          look="bordered"
        />
      ) : null}
      {isJobs ? <CommandButton {...{ state, send }} command="cron-open" label="Ledger" /> : null}
      {isJobs || tab === "ledger" ? (
        <CommandButton {...{ state, send }} command="cron-preview" label="Preview" />
      ) : null}
      {tab === "series" ? (
        <>
          <CommandButton
            {...{ state, send }}
            command="series-new"
            label="New series"
            icon="plus"
            look="bordered"
          />
          <CommandButton {...{ state, send }} command="series-edit" label="Edit" look="bordered" />
          <CommandButton {...{ state, send }} command="cron-open" label="Its issue" />
          <CommandButton {...{ state, send }} command="series-delete" label="End it" />
        </>
      ) : (
        <CommandButton {...{ state, send }} command="cron-versions" label="Definition" />
      )}
    </>
  );
}
