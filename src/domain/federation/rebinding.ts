/**
 * Moves a copy to another address of its hub (docs/contract/federation.md#6-rebind). The address is stored in two
 * places, the binding and the credential, which no single write can change together. So a rebind reads both, does one
 * thing at a time, and reads both again after each. If a rebind is interrupted, another rebind continues from whatever
 * is stored.
 */

/** An address of a hub, with whether a token may be sent there by plain HTTP. */
export interface Endpoint {
  readonly hub_url: string;
  readonly allow_insecure: boolean;
}

/** The stored data about a copy on which the steps of a rebind depend. */
export interface RebindView {
  /** Undefined if the project is not federated. */
  readonly binding:
    | (Endpoint & {
        readonly role: "hub" | "spoke";
        readonly project_uid: string;
        readonly hub_project_id: number;
        readonly hub_project_uid: string;
      })
    | undefined;
  /** Undefined if nothing is stored for the project, or only for another database. */
  readonly credential:
    | (Endpoint & {
        readonly hub_project_id: number;
        /** The `[[daemon]]` entry of the credential, if the daemon made the credential for a project of config.toml. */
        readonly hub_catalog: string | undefined;
      })
    | undefined;
  readonly leaving: boolean;
}

/** What the hub answered at the new address. */
export type RebindAnswer =
  | { readonly hub_project_id: number; readonly hub_project_uid: string }
  | { readonly refused: "token" | "project" | "unavailable" };

export type RebindRefusal =
  | "not_bound"
  | "not_a_spoke"
  | "leaving"
  | "no_credential"
  | "other_catalog"
  /** The binding, the credential and the project do not name the same project of the hub. */
  | "other_project"
  /** The binding and the credential name two addresses, and neither is the new one. */
  | "disagreement"
  /** The hub does not accept the token. */
  | "token"
  /** The hub has no such project, or another one. */
  | "project"
  | "unavailable"
  /** Somebody else changed the credential or the binding during the rebind. */
  | "changed"
  | "outcome_unknown";

export type RebindOutcome = "rebound" | "resumed" | "unchanged";

interface Began {
  readonly target: Endpoint & { readonly hub_catalog: string };
  /** The stored data as it was when the rebind began. */
  readonly first: RebindView;
  readonly outcome: RebindOutcome;
  /** How many times it was unknown whether a change was made. */
  readonly unknown: number;
}

export type RebindState =
  | { readonly at: "begin"; readonly target: Began["target"] }
  | (Began & { readonly at: "ask" | "drain" })
  | (Began & { readonly at: "look" })
  | (Began & { readonly at: "move_credential" | "move_binding" })
  | (Began & { readonly at: "done" })
  | { readonly at: "refused"; readonly refusal: RebindRefusal };

/** What happened: the result of the step that the state asks for. */
export type RebindEvent =
  /** The result of `begin` and `look`. */
  | { readonly type: "seen"; readonly view: RebindView }
  | { readonly type: "answered"; readonly answer: RebindAnswer }
  | { readonly type: "drained" }
  /** The result of a move. False: the stored data has changed since it was read, so nothing was moved. */
  | { readonly type: "moved"; readonly moved: boolean }
  /** It is unknown whether a move was made. */
  | { readonly type: "unknown" };

/**
 * Returns the next state, which says what to do next. An event that does not belong to the state is a fault of the
 * caller: the rebind is then refused with `changed`.
 */
export function nextRebind(state: RebindState, event: RebindEvent): RebindState {
  if (state.at === "begin" && event.type === "seen") return stateAtBegin(state.target, event.view);
  if (state.at === "ask" && event.type === "answered") return stateAfterAnswer(state, event.answer);
  if (state.at === "drain" && event.type === "drained") return { ...state, at: "look" };
  if (state.at === "look" && event.type === "seen") return stateAfterDrain(state, event.view);
  if (state.at === "move_credential" || state.at === "move_binding") {
    if (event.type === "moved") return event.moved ? { ...state, at: "look" } : refused("changed");
    if (event.type === "unknown")
      return state.unknown > 0
        ? refused("outcome_unknown")
        : { ...state, at: "look", unknown: state.unknown + 1 };
  }
  return refused("changed");
}

function refused(refusal: RebindRefusal): RebindState {
  return { at: "refused", refusal };
}

function stateAtBegin(target: Began["target"], view: RebindView): RebindState {
  const refusal = refusalOf(target, view);
  if (refusal !== undefined) return refused(refusal);
  const { binding, credential } = view;
  const places = [credential, binding].filter((place) => place !== undefined);
  const moved = places.filter((place) => isAt(place, target)).length;
  const outcome = moved === 2 ? "unchanged" : moved === 1 ? "resumed" : "rebound";
  return { at: "ask", target, first: view, outcome, unknown: 0 };
}

/** Returns why the copy may not be moved, or `undefined` if it may. */
function refusalOf(
  target: Began["target"],
  { binding, credential, leaving }: RebindView,
): RebindRefusal | undefined {
  if (binding === undefined) return "not_bound";
  if (binding.role === "hub") return "not_a_spoke";
  if (leaving) return "leaving";
  if (credential === undefined) return "no_credential";
  const { hub_catalog } = credential;
  if (hub_catalog !== undefined && hub_catalog !== target.hub_catalog) return "other_catalog";
  const isSame =
    binding.hub_project_uid === binding.project_uid &&
    binding.hub_project_id === credential.hub_project_id;
  if (!isSame) return "other_project";
  const agree =
    isAt(credential, target) ||
    isAt(binding, target) ||
    // The credential may permit plain HTTP although the binding does not, but not the other way round.
    (credential.hub_url === binding.hub_url &&
      (credential.allow_insecure || !binding.allow_insecure));
  return agree ? undefined : "disagreement";
}

function stateAfterAnswer(state: Began, answer: RebindAnswer): RebindState {
  if ("refused" in answer) return refused(answer.refused);
  const { binding } = state.first;
  const isSame =
    answer.hub_project_id === binding?.hub_project_id &&
    answer.hub_project_uid === binding.hub_project_uid;
  return isSame ? { ...state, at: "drain" } : refused("project");
}

/** No request to the hub is under way now. The stored data may have changed since it was first read. */
function stateAfterDrain(state: Began, view: RebindView): RebindState {
  const { target, first } = state;
  const refusal = refusalOf(target, view);
  if (refusal !== undefined) return refused(refusal);
  const { binding, credential } = view;
  const isFirst = (place: Endpoint | undefined, before: Endpoint | undefined): boolean =>
    place !== undefined && before !== undefined && (isAt(place, before) || isAt(place, target));
  const isSame =
    isFirst(credential, first.credential) &&
    isFirst(binding, first.binding) &&
    binding?.hub_project_id === first.binding?.hub_project_id &&
    binding?.hub_project_uid === first.binding?.hub_project_uid;
  if (!isSame || credential === undefined || binding === undefined) return refused("changed");
  if (!isAt(credential, target)) return { ...state, at: "move_credential" };
  if (!isAt(binding, target)) return { ...state, at: "move_binding" };
  return { ...state, at: "done" };
}

function isAt(place: Endpoint, { hub_url, allow_insecure }: Endpoint): boolean {
  return place.hub_url === hub_url && place.allow_insecure === allow_insecure;
}
