import type { StoredEvent } from "../../contract/events.ts";
import type { Change, State } from "../state.ts";
import type { Rows } from "../tables/tables.ts";
import { type Evolver, subjectOf } from "./evolver.ts";

type BridgeKind =
  | "issue.external_root_bound"
  | "issue.external_root_paused"
  | "issue.external_root_resumed"
  | "issue.external_root_unbound";

/** The last bind of an issue counts, so an event about an earlier bridge changes nothing. */
function bridgeEvolver<K extends BridgeKind>(
  change: (
    state: State,
    event: StoredEvent<K> & { readonly issue_uid: string },
  ) => readonly Change[],
): Evolver<K> {
  return {
    touches: ({ issue_uid }) =>
      issue_uid === undefined ? {} : { issues: [issue_uid], rows: { external_root: [issue_uid] } },
    evolve: (state, event) => {
      const issue = subjectOf(state, event);
      return issue === undefined ? [] : change(state, { ...event, issue_uid: issue.uid });
    },
  };
}

export const rootBound = bridgeEvolver<"issue.external_root_bound">(
  (_, { issue_uid, payload: { binding_uid, connector_instance } }) => [
    put({ issue_uid, binding_uid, connector_instance, enabled: 1 }),
  ],
);

export const rootPaused = bridgeEvolver<"issue.external_root_paused">((state, event) =>
  changed(state, event, (root) => put({ ...root, enabled: 0 })),
);

export const rootResumed = bridgeEvolver<"issue.external_root_resumed">((state, event) =>
  changed(state, event, (root) => put({ ...root, enabled: 1 })),
);

export const rootUnbound = bridgeEvolver<"issue.external_root_unbound">((state, event) =>
  changed(state, event, ({ issue_uid }) => ({ table: "external_root", remove: { issue_uid } })),
);

function put(row: Rows["external_root"]): Change {
  return { table: "external_root", put: row };
}

function changed(
  state: State,
  { issue_uid, payload }: StoredEvent<BridgeKind> & { readonly issue_uid: string },
  change: (root: Rows["external_root"]) => Change,
): readonly Change[] {
  const root = state.row("external_root", issue_uid);
  return root === undefined || root.binding_uid !== payload.binding_uid ? [] : [change(root)];
}
