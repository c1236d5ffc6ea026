import type { Dialog } from "../forms/dialog.ts";
import { type State, withSlice } from "../state.ts";
import type { Done } from "./done.ts";
import { uidOf, type Write } from "./writes.ts";

/**
 * The key under which the failure of a write is kept: the uid of what the write changes or, for something new, the key
 * of the form.
 */
export function subjectOf(write: Write, input: Dialog | undefined): string | undefined {
  const isNew =
    input?.dialog === "form" && (input.kind.form === "new" || input.kind.form === "new-series");
  return isNew ? input.kind.key : uidOf(write);
}

/** The refused write of an issue; `undefined` if there is none, or if the person has seen the refusal. */
export function failureOf(
  { writes: { failed, done } }: Pick<State, "writes">,
  uid: string | undefined,
): Done | undefined {
  const id = uid === undefined ? undefined : failed.get(uid);
  return id === undefined ? undefined : done.find((one) => one.id === id);
}

/** Dismisses the failures of all writes that were sent together with the write `id`. */
export function dismissFailure(state: State, id: number): State {
  const batch = state.writes.done.find((one) => one.id === id)?.batch.id;
  const ids = state.writes.done.filter((one) => one.batch.id === batch).map((one) => one.id);
  const failed = new Map([...state.writes.failed].filter(([, one]) => !ids.includes(one)));
  return withSlice(state, "writes", { failed });
}
