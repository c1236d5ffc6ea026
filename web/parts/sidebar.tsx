import { memo, type ReactElement } from "react";
import { type BrowseRow, browseSections } from "../../src/screen/board/browse.ts";
import {
  type ConnectionStatus,
  connectionStatus,
} from "../../src/screen/connection/connection-status.ts";
import type { Command } from "../../src/screen/keys.ts";
import { minuteOf } from "../../src/screen/minute.ts";
import type { Screen, State } from "../../src/screen/state.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { usePainter } from "../painter-context.ts";
import { drawnFor } from "./drawn-for.ts";
import { Icon } from "./icon.tsx";
import { Person } from "./words.tsx";

interface SidebarProps extends PainterProps {
  /** Asks again who uses the page; `undefined` if the token decides that, or if the page writes nothing. */
  readonly changeActor: (() => void) | undefined;
  /** Ends the session; `undefined` if no person typed a token for it. */
  readonly signOut: (() => void) | undefined;
}

function SidebarView({ state, send, changeActor, signOut }: SidebarProps): ReactElement {
  return (
    <nav
      className="sidebar"
      aria-label="screens and views"
      data-focused={state.window.focus === "browse"}
    >
      <ul className="places">
        {state.screens.map(({ name: screen }) => (
          <li key={screen}>
            <ScreenButton state={state} send={send} screen={screen} />
          </li>
        ))}
        <li>
          <button
            type="button"
            className="place"
            aria-current={isSeries(state) ? "page" : undefined}
            onClick={() => send(pointMessage({ is: "command", command: "series" }))}
          >
            <Icon name="repeat" />
            <span>Recurrences</span>
          </button>
        </li>
      </ul>
      <div className="browse">
        {state.screen === "board" ? <Browse state={state} send={send} /> : null}
      </div>
      <footer className="who">
        <Connection state={state} />
        <button
          type="button"
          className="button plain"
          title={changeActor === undefined ? whoSays(state) : "you are somebody else?"}
          onClick={changeActor}
        >
          <Person name={state.session.actor} />
        </button>
        {signOut === undefined ? null : (
          <button type="button" className="button plain" onClick={signOut}>
            Sign out
          </button>
        )}
      </footer>
    </nav>
  );
}

function whoSays({ connection }: State): string {
  return connection.readOnly === undefined
    ? "the token says who you are"
    : "this page changes nothing, so it asks for no name";
}

export const Sidebar = drawnFor(SidebarView, (state) => {
  const { screen, cron, issues, scope, board, inbox, window, session, connection, now } = state;
  const { query, views, browse } = board;
  const here = [
    screen,
    cron.tab,
    window.focus,
    window.rows,
    inbox.requests,
    session.actor,
    connection,
  ];
  return [...here, issues, scope, query, views, browse, minuteOf(now)];
});

export function ScreenButton({
  state,
  send,
  screen,
}: PainterProps & { readonly screen: Screen }): ReactElement {
  const { icon, title } = usePainter(screen);
  const isHere = state.screen === screen && !isSeries(state);
  const waiting = screen === "inbox" ? (state.inbox.requests?.length ?? 0) : 0;
  return (
    <button
      type="button"
      className="place"
      aria-current={isHere ? "page" : undefined}
      onClick={() => send(pointMessage({ is: "screen", screen }))}
    >
      <Icon name={icon} />
      <span>{title}</span>
      {waiting > 0 ? <span className="count">{waiting}</span> : null}
    </button>
  );
}

/** Whether the series are shown. They are a tab of the cron screen, but have a line of their own in the sidebar. */
export function isSeries({ screen, cron }: Pick<State, "screen" | "cron">): boolean {
  return screen === "cron" && cron.tab === "series";
}

const TITLES: Readonly<Record<string, string>> = {
  VIEWS: "Views",
  PROJECTS: "Projects",
  LABELS: "Labels",
  OWNERS: "Owners",
};

function Browse({ state, send }: PainterProps): ReactElement {
  const cursor = state.window.focus === "browse" ? state.board.browse : undefined;
  return (
    <>
      {browseSections(state).map(({ title, rows, more }) =>
        rows.length === 0 ? null : (
          <section key={title}>
            <h2>{TITLES[title] ?? title}</h2>
            <ul>
              {rows.map(({ key, name, count, isOn }) => (
                <li key={key}>
                  <BrowseButton
                    rowKey={key}
                    isCursor={cursor === key}
                    {...{ send, name, count, isOn }}
                  />
                </li>
              ))}
            </ul>
            {more === 0 ? null : <MoreRows state={state} send={send} title={title} more={more} />}
          </section>
        ),
      )}
    </>
  );
}

interface BrowseButtonProps extends Pick<PainterProps, "send"> {
  readonly rowKey: string;
  readonly name: string;
  readonly count: BrowseRow["count"];
  readonly isOn: boolean;
  readonly isCursor: boolean;
}

/**
 * Draws a row of the sidebar as a button. The props are plain values, so that the button is drawn again only if one of
 * them has changed.
 */
const BrowseButton = memo(function BrowseButton(props: BrowseButtonProps): ReactElement {
  const { send, rowKey: key, name, count, isOn, isCursor } = props;
  return (
    <button
      type="button"
      className="browse-row"
      aria-pressed={isOn}
      data-cursor={isCursor}
      onClick={() => send(pointMessage({ is: "browse", key, applies: true }))}
    >
      <span className="name">{name}</span>
      <span className="count">{count}</span>
    </button>
  );
});

const MORE: Readonly<Record<string, Command>> = {
  PROJECTS: "projects",
  LABELS: "filter-form",
  OWNERS: "filter-form",
};

function MoreRows({
  send,
  title,
  more,
}: PainterProps & { readonly title: string; readonly more: number }): ReactElement {
  return (
    <button
      type="button"
      className="browse-row more"
      onClick={() => send(pointMessage({ is: "command", command: MORE[title] ?? "show-view" }))}
    >
      {more} more …
    </button>
  );
}

export const CONNECTION_WORDS = {
  starting: "connecting",
  live: "live",
  polling: "every 5 s",
  reconnecting: "reconnecting",
  refused: "refused",
  silent: "silent",
  behind: "behind",
} as const;

const CONNECTION_HINTS: Readonly<Partial<Record<ConnectionStatus, string>>> = {
  polling: "Asking for changes every 5 s: no event stream can be opened.",
};

export function Connection({ state }: { readonly state: State }): ReactElement {
  const status = connectionStatus(state);
  return (
    <span className="connection" data-status={status} title={CONNECTION_HINTS[status]}>
      {CONNECTION_WORDS[status]}
    </span>
  );
}
