import {
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { systemClock } from "../src/base/clock.ts";
import { API_SCHEMA_VERSION } from "../src/contract/version.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { PAGE_PATH } from "../src/screen/issues/issue-address.ts";
import type { Message } from "../src/screen/message.ts";
import type { Store } from "../src/screen/store.ts";
import type { Transport } from "../src/shared/transport.ts";
import { compareVersions } from "../src/shared/versions.ts";
import { App } from "./app.tsx";
import { followPage, measure, sizeOf, visibility } from "./browser.ts";
import { streamOf } from "./event-stream.ts";
import { LATER, loadAhead } from "./later.ts";
import { takeCode } from "./owner-code.ts";
import { Painters } from "./painter-context.ts";
import { Away } from "./painters/away.tsx";
import { PAGE_PAINTERS } from "./painters.ts";
import { placeIn } from "./place.ts";
import { Sessions, type SignIn } from "./session.ts";
import { browserWindows } from "./shared-stream/windows.ts";
import { keepTyped, start } from "./start.ts";
import { BROWSER_KEEP, remember, storedValue } from "./storage.ts";
import { transportOf } from "./transport.ts";

const Login = lazy(LATER.login);
const NoWay = lazy(LATER.noWay);
const Who = lazy(LATER.who);

const send: typeof fetch = async (...request) => await fetch(...request);
// Takes the one-time code out of the page's address, before anything else is done.
const sessions = new Sessions(send, takeCode(window));
const daemon: Transport = transportOf(sessions, send);
const stream = streamOf({ sessions, send, daemon, visibility, windows: browserWindows });

type Instance = Awaited<ReturnType<typeof readInstance>>;

async function readInstance() {
  const [instance, { api_schema_version }] = await Promise.all([
    daemon.call("instance", {}),
    daemon.call("health", {}),
  ]);
  const api = api_schema_version;
  return { ...instance, api, fits: api !== undefined && fits(api) };
}

/** Whether the page can work with a daemon of this API version. An older daemon may refuse what the page sends. */
function fits(api: string): boolean {
  return compareVersions(api, API_SCHEMA_VERSION) >= 0;
}

export function Root(): ReactElement | null {
  const signIn = useSyncExternalStore(sessions.subscribe, sessions.get);
  const [instance, setInstance] = useState<Instance>();
  const [failure, setFailure] = useState<string>();
  const [actor, setActor] = useState(() => storedValue(BROWSER_KEEP, "actor"));
  // After a session has ended, its actor is used until the person has signed in again, so that the page does not
  // change.
  const session = sessions.last();
  const isIdentity = session?.actor_policy === "identity";
  const isWritable = session?.writable !== false;
  const who =
    (isIdentity ? (session?.actor ?? instance?.auth.actor) : actor) ??
    (isWritable ? undefined : READER_NAME);
  const forget = useCallback(() => setActor(undefined), []);
  const read = (): void => {
    setFailure(undefined);
    readInstance().then(setInstance, (error: unknown) => setFailure(textOf(error)));
  };
  useEffect(read, []);
  useEffect(followCodes, []);
  const signOut = (): void => {
    void sessions.logout();
    remember(BROWSER_KEEP, "signedIn", undefined);
    // While `instance` is unknown, only the form to sign in is drawn, so no data stays on the page.
    setInstance(undefined);
    read();
  };
  const gate = gateOf(signIn, instance !== undefined);
  if (failure !== undefined && instance === undefined && gate === null)
    return (
      <Away
        title="svc does not answer"
        why={`${failure}. The daemon may have stopped; svc ui starts it.`}
        act="Try again"
        again={read}
      />
    );
  if (instance === undefined) return gate;
  if (!instance.fits)
    return (
      <Away
        title="This page does not fit the daemon"
        why="The daemon is older than this page. Update svc, restart the daemon, and load the page again."
        act="Load again"
        again={() => location.reload()}
      />
    );
  if (who === undefined)
    return (
      <WhoAsked
        suggested={signIn.is === "in" ? signIn.session.suggested_actor : undefined}
        choose={(name) => {
          remember(BROWSER_KEEP, "actor", name);
          setActor(name);
        }}
      />
    );
  return (
    <>
      <Running
        key={who}
        actor={who}
        instance={instance}
        changeActor={isIdentity || !isWritable ? undefined : forget}
        signOut={signIn.is === "in" && signIn.typed ? signOut : undefined}
      />
      {gate === null ? null : <Over>{gate}</Over>}
    </>
  );
}

/**
 * Signs in with a code in an address that somebody opens in this tab. Only the fragment of the address changes, so the
 * browser does not load the page again.
 */
function followCodes(): () => void {
  const signIn = (): void => {
    const code = takeCode(window);
    if (code !== undefined) void sessions.useCode(code).catch(() => undefined);
  };
  window.addEventListener("hashchange", signIn);
  return () => window.removeEventListener("hashchange", signIn);
}

/** The actor of a page that writes nothing, so that nobody has to give a name. */
const READER_NAME = "reader";

function gateOf(signIn: SignIn, again: boolean): ReactElement | null {
  switch (signIn.is) {
    case "asked":
      return (
        <Suspense fallback={null}>
          <Login
            login={logIn}
            ended={again}
            byCode={signIn.code}
            before={storedValue(BROWSER_KEEP, "signedIn") !== undefined}
          />
        </Suspense>
      );
    case "elsewhere":
    case "closed":
      return (
        <Suspense fallback={null}>
          <NoWay
            origin={signIn.is === "elsewhere" ? signIn.origin : undefined}
            byCode={signIn.is === "closed" && signIn.code}
          />
        </Suspense>
      );
    case "waiting":
    case "in":
    case "away":
      return null;
  }
}

/**
 * Signs in with a token. The browser's storage remembers that somebody has signed in, so that the form can say after a
 * reload why it asks again.
 */
async function logIn(token: string): Promise<string | undefined> {
  const refused = await sessions.login(token);
  if (refused === undefined) remember(BROWSER_KEEP, "signedIn", "yes");
  return refused;
}

/** Shows something over the whole page, even over an open dialog. Keys pressed in it do not reach the page. */
function Over({ children }: { readonly children: ReactNode }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="over"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
      // Chrome closes the dialog at the second Escape although `cancel` is prevented, so it is opened again.
      onClose={() => dialog.current?.showModal()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}

interface WhoAskedProps {
  readonly suggested: string | undefined;
  choose(actor: string): void;
}

function WhoAsked({ suggested, choose }: WhoAskedProps): ReactElement {
  const [known, setKnown] = useState<readonly string[]>([]);
  useEffect(() => {
    // If the people cannot be read, the page asks without suggestions.
    void readPeople().then(setKnown, () => undefined);
  }, []);
  return (
    <Suspense fallback={null}>
      <Who known={known} now={storedValue(BROWSER_KEEP, "actor") ?? suggested} choose={choose} />
    </Suspense>
  );
}

const MAX_PEOPLE = 12;
const RECENT_EVENTS = 200;

async function readPeople(): Promise<readonly string[]> {
  const { issues } = await daemon.call("listAllIssues", { query: { limit: RECENT_EVENTS } });
  const names = issues.flatMap(({ author, owner }) => [
    author,
    ...(owner === undefined ? [] : [owner]),
  ]);
  return [...new Set(names)].slice(0, MAX_PEOPLE);
}

/**
 * When a new session replaces an earlier one, shows a message and reads the daemon's contract version, which may have
 * changed since then. If another daemon answers at this address, the page is loaded again, because it still shows the
 * data of the previous daemon.
 */
function tellNewSessions({ dispatch, get }: Store<Message>, signal: AbortSignal): void {
  let times = timesOf(sessions.get());
  const unsubscribe = sessions.subscribe(() => {
    const now = timesOf(sessions.get());
    if (now === undefined || now === times) return;
    times = now;
    dispatch({ type: "said", text: "signed in again" });
    readInstance().then(
      ({ instance_uid, api }) => {
        if (instance_uid !== get().connection.daemon) location.reload();
        dispatch({ type: "api", api });
      },
      () => undefined,
    );
  });
  signal.addEventListener("abort", unsubscribe);
}

function timesOf(signIn: SignIn): number | undefined {
  return signIn.is === "in" ? signIn.times : undefined;
}

interface RunningProps {
  readonly actor: string;
  readonly instance: Instance;
  readonly changeActor: (() => void) | undefined;
  readonly signOut: (() => void) | undefined;
}

function Running({ actor, instance, changeActor, signOut }: RunningProps): ReactElement | null {
  const [store, setStore] = useState<Store<Message>>();
  const [failure, setFailure] = useState<string>();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    let running: Store<Message> | undefined;
    const options = {
      ...{ daemon, stream, shown: visibility.shown, actor, instance, signal },
      keep: BROWSER_KEEP,
      page: location.origin + PAGE_PATH,
      place: placeIn(location, history.state),
      size: sizeOf(window),
      calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
      measured: () => measure(pane.current),
      copy: async (text: string) => await navigator.clipboard.writeText(text),
    };
    start(options).then(
      (made) => {
        if (signal.aborted) return;
        followPage(made, BROWSER_KEEP, pane, signal);
        running = made;
        setStore(made);
        tellNewSessions(made, signal);
        void loadAhead(systemClock, signal).catch(() => undefined);
      },
      (error: unknown) => setFailure(textOf(error)),
    );
    return () => {
      ended.abort();
      // The person has signed out, or another person has signed in. What was typed is kept and offered at the next
      // visit.
      if (running !== undefined) keepTyped(BROWSER_KEEP, running.get());
    };
  }, [actor, instance]);
  if (failure !== undefined)
    return (
      <Away
        title="The page did not start"
        why={failure}
        act="Reload"
        again={() => location.reload()}
      />
    );
  return store === undefined ? null : (
    <Painters.Provider value={PAGE_PAINTERS}>
      <App store={store} pane={pane} changeActor={changeActor} signOut={signOut} />
    </Painters.Provider>
  );
}
