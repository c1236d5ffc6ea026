import type { ReactElement } from "react";
import { isLanes } from "../../src/screen/board/lanes.ts";
import { VIEWS, type View } from "../../src/screen/board/state.ts";
import { parseQuery, type StatusFilter, withStatus } from "../../src/screen/issues/query.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import { ORDERS, orderOf, reverseSort } from "../../src/screen/issues/sort.ts";
import { minuteOf } from "../../src/screen/minute.ts";
import { scopeLabel } from "../../src/screen/scope/copies.ts";
import { totalCounts } from "../../src/screen/scope/counts.ts";
import type { State } from "../../src/screen/state.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { usePainter } from "../painter-context.ts";
import { shapeOf } from "../room.ts";
import { Acting } from "./acting.tsx";
import { CommandButton } from "./button.tsx";
import { drawnFor } from "./drawn-for.ts";
import { FilterBar } from "./filter-bar.tsx";
import { Icon } from "./icon.tsx";
import { MarkedBar } from "./marked-bar.tsx";
import { isSeries } from "./sidebar.tsx";

/** What the heading of a board calls its project. */
function boardName(state: State): string {
  const { missing, project } = state.scope;
  return missing?.name ?? (project === undefined ? "All projects" : scopeLabel(state));
}

interface HeaderProps extends PainterProps {
  openSidebar(): void;
}

function HeaderView({ state, send, openSidebar }: HeaderProps): ReactElement {
  const isNarrow = shapeOf(state.window.columns) !== "side";
  const isBoard = state.screen === "board";
  const { title } = usePainter(state.screen);
  // The series have a heading of their own, though they are a tab of the cron screen.
  const name = isSeries(state) ? "Recurrences" : title;
  // On a phone the line with the filter has no room for the columns button.
  const isPhone = shapeOf(state.window.columns) === "column";
  const columns =
    !isBoard || isLanes(state) ? null : (
      <CommandButton
        state={state}
        send={send}
        command="columns"
        label="Columns"
        icon="columns"
        words={false}
      />
    );
  return (
    <header className="head">
      <div className="head-line">
        {isNarrow ? (
          <button
            type="button"
            className="button plain"
            aria-label="screens and views"
            onClick={openSidebar}
          >
            <Icon name="menu" />
          </button>
        ) : null}
        {isNarrow && !isPhone ? <Acting state={state} open={openSidebar} /> : null}
        <h1 className="place-name">{isBoard ? boardName(state) : name}</h1>
        {isBoard ? <Counts state={state} send={send} /> : null}
        <span className="space" />
        {isPhone ? columns : null}
        <CommandButton
          state={state}
          send={send}
          command="palette"
          label="Commands"
          icon="commands"
          words={false}
        />
        <CommandButton
          state={state}
          send={send}
          command="help"
          label="Keys and signs"
          icon="help"
          words={false}
        />
        <CommandButton
          state={state}
          send={send}
          command="new"
          label="New issue"
          icon="plus"
          look="strong"
          words={!isNarrow}
        />
      </div>
      {isBoard ? (
        <div className="head-line filters">
          {isMarking(state) ? (
            <MarkedBar state={state} send={send} />
          ) : (
            <FilterBar state={state} send={send} />
          )}
          <span className="space" />
          <div className="picks">
            {isPhone ? null : columns}
            <Pick
              label="view"
              value={state.board.view}
              options={VIEWS.map((view) => [view, VIEW_NAMES[view]])}
              pick={(view) => send(pointMessage({ is: "view", view }))}
            />
            <Pick
              label="order"
              value={orderOf(state.board.order)}
              options={ORDERS.map((order) => [order, ORDER_NAMES[order]])}
              pick={(order) => send(pointMessage({ is: "order", order }))}
            />
            <button
              type="button"
              className="button plain reverse"
              aria-label="reverse the order"
              aria-pressed={state.board.order.startsWith("-")}
              title="Reverse the order  O"
              onClick={() =>
                send(pointMessage({ is: "order", order: reverseSort(state.board.order) }))
              }
            >
              {state.board.order.startsWith("-") ? "↑" : "↓"}
            </button>
          </div>
        </div>
      ) : null}
    </header>
  );
}

/**
 * Whether the commands on the marked issues take the place of the filter. The filter stays in two cases: while an issue
 * is open, because commands then act on that issue, and while the filter is being typed.
 */
function isMarking({ marks, detail, dialog }: State): boolean {
  if (detail.open.length > 0) return false;
  return marks.size > 0 && !(dialog?.dialog === "prompt" && dialog.kind === "filter");
}

export const Header = drawnFor(HeaderView, (state) => {
  const { screen, issues, scope, board, loading, dialog, window, connection, cron, now } = state;
  const { actor } = state.session;
  const { query, view, order, search } = board;
  const here = [screen, cron.tab, window.columns, dialog, scope, connection, loading, actor];
  return [
    ...here,
    issues,
    state.marks,
    state.detail.open,
    query,
    view,
    order,
    search,
    minuteOf(now),
  ];
});

const VIEW_NAMES: Readonly<Record<View, string>> = {
  nested: "Nested",
  flat: "Flat",
  states: "Lanes by state",
  owners: "Lanes by owner",
  "by-state": "Grouped by state",
  "by-owner": "Grouped by owner",
  "by-priority": "Grouped by priority",
  "by-project": "Grouped by project",
};

const ORDER_NAMES: Readonly<Record<(typeof ORDERS)[number], string>> = {
  updated: "Changed",
  created: "Created",
  priority: "Priority",
  blockers: "Blockers",
  due: "Due",
  title: "Title",
  owner: "Owner",
  author: "Author",
  labels: "Labels",
  id: "Id",
};

interface PickProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  pick(value: Value): void;
}

function Pick<Value extends string>({
  label,
  value,
  options,
  pick,
}: PickProps<Value>): ReactElement {
  return (
    <label className="pick">
      <span className="hidden">{label}</span>
      <select
        value={value}
        onChange={({ target }) => {
          const option = options.find(([one]) => one === target.value);
          if (option !== undefined) pick(option[0]);
          // While this drop-down list has the focus, the keys of the page do not work.
          target.blur();
        }}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const COUNTED: readonly StatusFilter[] = ["open", "ready", "blocked", "waiting", "closed"];

function Counts({ state, send }: PainterProps): ReactElement {
  const counts: Readonly<Partial<Record<StatusFilter, number>>> =
    totalCounts(state) ?? relationsOf(state).counts().statuses;
  const { status } = parseQuery(state.board.query);
  return (
    <ul className="counts-line" aria-label="counts">
      {COUNTED.flatMap((name) =>
        counts[name] === undefined ? (
          []
        ) : (
          <li key={name}>
            <button
              type="button"
              aria-pressed={status === name}
              onClick={() =>
                send(pointMessage({ is: "query", query: withStatus(state.board.query, name) }))
              }
            >
              <span className="number">{counts[name]}</span> {name}
            </button>
          </li>
        ),
      )}
    </ul>
  );
}
