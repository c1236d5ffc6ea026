import { type FormEvent, type ReactElement, useId, useState } from "react";

interface LoginProps {
  readonly ended: boolean;
  /** Whether somebody has signed in with a token in this browser before, and has not signed out. */
  readonly before: boolean;
  /** Whether the owner can also sign in with a one-time code, which `svc ui` gives. */
  readonly byCode: boolean;
  /** Signs in. Returns the reason if the daemon refused. */
  login(token: string): Promise<string | undefined>;
}

/** Asks for a token, for a daemon that gives no session without one. The token goes to the daemon and is not kept. */
export function Login({ login, ended, before, byCode }: LoginProps): ReactElement {
  const id = useId();
  const [why, setWhy] = useState<string>();
  const [isSent, setSent] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = typedIn(event.currentTarget, "token");
    setSent(true);
    void login(token)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((refused) => {
        setWhy(refused);
        setSent(false);
      });
  };
  return (
    <main className="gate">
      <form onSubmit={onSubmit}>
        <h1>Sign in to svc</h1>
        {ended ? (
          <p role="status">Your session has ended. Sign in to go on; what you typed is kept.</p>
        ) : before ? (
          <p role="status">
            You signed in here before. A session lasts as long as its page, so a reload or a new tab
            signs in again.
          </p>
        ) : null}
        <p>
          This daemon asks for a token, which whoever runs it makes with{" "}
          <code>svc tokens create</code>. It is sent to the daemon only, and this page does not keep
          it.
        </p>
        <label htmlFor={id}>Token</label>
        <input
          id={id}
          name="token"
          type="password"
          autoComplete="off"
          required
          ref={focusNow}
          aria-describedby={`${id}-why`}
        />
        <p id={`${id}-why`} className="said error" role="alert" hidden={why === undefined}>
          {why}
        </p>
        <button type="submit" className="button strong" disabled={isSent}>
          {isSent ? "Signing in …" : "Sign in"}
        </button>
        {byCode ? <ByCode /> : null}
      </form>
    </main>
  );
}

function ByCode(): ReactElement {
  return (
    <p>
      or run <code>svc ui</code> on the daemon's machine, as the user who runs the daemon: it opens
      the page without a token.
    </p>
  );
}

interface NoWayProps {
  /** The other origin at which the daemon's pages are; `undefined` if there is none. */
  readonly origin: string | undefined;
  /** Whether the owner can sign in with a one-time code, which `svc ui` gives. */
  readonly byCode: boolean;
}

/** Says why nobody can sign in at this address, and where the daemon's pages are. */
export function NoWay({ origin, byCode }: NoWayProps): ReactElement {
  return (
    <main className="gate">
      <div role="alert">
        {origin === undefined ? (
          <>
            <h1>No pages at this address</h1>
            <p>
              This daemon takes no token, so nobody can sign in here. Give it one with{" "}
              <code>[auth] token</code>, or open its pages on its own machine, at a loopback address
              (<code>[web] listen</code>).
            </p>
            {byCode ? <ByCode /> : null}
          </>
        ) : (
          <>
            <h1>The pages are at another address</h1>
            <p>
              The daemon serves its pages at <code>{origin}</code> and takes no changes from{" "}
              <code>{location.origin}</code>.
            </p>
            <a
              className="button strong"
              href={origin + location.pathname + location.search + location.hash}
            >
              Open this page at {origin}
            </a>
          </>
        )}
      </div>
    </main>
  );
}

interface WhoProps {
  readonly known: readonly string[];
  readonly now: string | undefined;
  choose(actor: string): void;
}

/** Asks who uses this page, because changes are recorded under a name. */
export function Who({ known, now, choose }: WhoProps): ReactElement {
  const id = useId();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = typedIn(event.currentTarget, "actor");
    if (name !== "") choose(name);
  };
  return (
    <main className="gate">
      <form onSubmit={onSubmit}>
        <h1>Who are you?</h1>
        <p>
          What you change is recorded under this name, as with <code>--as</code> on the command
          line.
        </p>
        <label htmlFor={id}>Name</label>
        <input
          id={id}
          name="actor"
          type="text"
          autoComplete="username"
          required
          defaultValue={now}
          ref={focusNow}
          spellCheck={false}
        />
        <button type="submit" className="button strong">
          Go on
        </button>
        {known.length === 0 ? null : (
          <div className="known">
            <p>Or one of those who work here:</p>
            <ul>
              {known.map((name) => (
                <li key={name}>
                  <button type="button" className="button bordered" onClick={() => choose(name)}>
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </main>
  );
}

function focusNow(element: HTMLElement | null): void {
  element?.focus();
}

function typedIn(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}
