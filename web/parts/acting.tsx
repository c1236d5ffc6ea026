import type { ReactElement } from "react";
import { connectionStatus } from "../../src/screen/connection/connection-status.ts";
import type { State } from "../../src/screen/state.ts";
import { CONNECTION_WORDS } from "./sidebar.tsx";
import { Initials } from "./words.tsx";

interface ActingProps {
  readonly state: State;
  open(): void;
}

/**
 * Shows the person's initials, with a dot for the state of the connection, on a page too narrow for the sidebar. On a
 * phone this is in the bar at the bottom, because an open issue covers the header.
 */
export function Acting({ state, open }: ActingProps): ReactElement {
  const { actor } = state.session;
  const status = connectionStatus(state);
  const words = `You are ${actor}, connection: ${CONNECTION_WORDS[status]}`;
  return (
    <button type="button" className="acting" title={words} data-status={status} onClick={open}>
      <Initials name={actor} />
      <span className="hidden">{words}</span>
    </button>
  );
}
