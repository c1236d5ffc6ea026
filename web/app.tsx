import {
  lazy,
  type ReactElement,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from "react";
import { detailUid } from "../src/screen/detail/detail.ts";
import { paneOf } from "../src/screen/detail/panes.ts";
import { issueInGraph } from "../src/screen/graph/nodes.ts";
import type { Message } from "../src/screen/message.ts";
import { placeOf } from "../src/screen/place/place-of.ts";
import type { State } from "../src/screen/state.ts";
import type { Store } from "../src/screen/store.ts";
import { currentList } from "./focus.ts";
import { LATER } from "./later.ts";
import type { Send } from "./painter.ts";
import { usePainter } from "./painter-context.ts";
import { Detail } from "./painters/detail.tsx";
import { Acting } from "./parts/acting.tsx";
import { useDetailWidth } from "./parts/detail-width.tsx";
import { Drawer, useDrawer } from "./parts/drawer.tsx";
import { Header } from "./parts/header.tsx";
import { useIssueMenu } from "./parts/issue-menu.tsx";
import { Banner, NoticeView } from "./parts/notice.tsx";
import { ScreenButton, Sidebar } from "./parts/sidebar.tsx";
import { Spoken } from "./parts/spoken.tsx";
import { shapeOf } from "./room.ts";

/** Draws the open dialog. Its script is loaded after the first rows, and at the latest when a dialog opens. */
const OpenDialog = lazy(LATER.dialogs);

export interface AppProps {
  readonly store: Store<Message>;
  readonly pane: RefObject<HTMLElement | null>;
  readonly changeActor: (() => void) | undefined;
  readonly signOut: (() => void) | undefined;
}

export function App({ store, pane, changeActor, signOut }: AppProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const send: Send = store.dispatch;
  const shape = shapeOf(state.window.columns);
  const [isDrawerOpen, setDrawerOpen] = useDrawer(state);
  const openDrawer = useCallback(() => setDrawerOpen(true), [setDrawerOpen]);
  const closeDrawer = useCallback(() => setDrawerOpen(false), [setDrawerOpen]);
  const [width, handle] = useDetailWidth();
  const isOpen = state.detail.open.length > 0;
  const isSideways = state.fit.board(state)?.detail === true;
  const hasDetail = isOpen || (isSideways && detailUid(state) !== undefined);
  const { handlers, menu } = useIssueMenu({ state, send });
  const { Painter } = usePainter(state.screen);
  useTitle(state);
  useFocusedPane(state, pane);
  return (
    <div
      className="page"
      data-shape={shape}
      data-open={isOpen}
      data-beside={hasDetail && isSideways}
    >
      <a className="skip" href="#list">
        Skip to the list
      </a>
      <Banner state={state} send={send} />
      <div className="panes" role="presentation" style={{ "--detail": width }} {...handlers}>
        {shape === "side" ? (
          <Sidebar state={state} send={send} changeActor={changeActor} signOut={signOut} />
        ) : null}
        <main id="list" className="list" inert={isOpen && shape === "column"}>
          <Header state={state} send={send} openSidebar={openDrawer} />
          <Suspense fallback={null}>
            <Painter state={state} send={send} />
          </Suspense>
          {hasDetail && isSideways ? handle : null}
        </main>
        {hasDetail ? <Detail state={state} send={send} pane={pane} /> : null}
      </div>
      {shape === "column" ? (
        <div className="foot-bar">
          <nav aria-label="screens">
            {BAR_SCREENS.map((screen) => (
              <ScreenButton key={screen} state={state} send={send} screen={screen} />
            ))}
          </nav>
          <Acting state={state} open={openDrawer} />
        </div>
      ) : null}
      {menu}
      <NoticeView state={state} send={send} />
      <Spoken state={state} />
      {isDrawerOpen ? (
        <Drawer close={closeDrawer}>
          <Sidebar state={state} send={send} changeActor={changeActor} signOut={signOut} />
        </Drawer>
      ) : null}
      <Suspense fallback={null}>
        {state.dialog === undefined ? null : <OpenDialog state={state} send={send} />}
      </Suspense>
    </div>
  );
}

/** The screens in the bar at the bottom of a phone. The cron screen has no button there. */
const BAR_SCREENS = ["board", "inbox", "graph", "fleet", "projects"] as const;

/** Moves the browser's focus to the pane that the keys act on, so that a screen reader reads that pane. */
function useFocusedPane(state: State, pane: RefObject<HTMLElement | null>): void {
  const isInDetail = state.detail.open.length > 0 || paneOf(state) === "detail";
  const isFree = state.dialog === undefined;
  useLayoutEffect(() => {
    if (!isFree) return;
    const wanted = isInDetail ? pane.current : currentList();
    if (wanted !== null && !wanted.contains(document.activeElement))
      wanted.focus({ preventScroll: true });
  }, [isInDetail, isFree, pane, state.loading.stage]);
}

function useTitle(state: State): void {
  const { project, issue, isOpen, source } = placeOf(state);
  const open = issue === undefined || !isOpen ? undefined : state.issues.get(issue);
  const graph = source === undefined ? undefined : issueInGraph(state, source)?.qualified_id;
  const title =
    open !== undefined
      ? `${open.qualified_id} ${open.title}`
      : graph !== undefined
        ? `graph of ${graph}`
        : (project ?? "all projects");
  const waiting = state.inbox.requests?.length ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} · svc`;
  }, [title, waiting]);
}
