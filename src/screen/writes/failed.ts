import type { Dialog } from "../forms/dialog.ts";
import { type State, withSlice } from "../state.ts";
import type { SentWrite } from "./done.ts";
import { uidOf, type Write } from "./writes.ts";

/**
 * The key under which the failure of a write is kept: the uid of what the write changes or, for something new, the key
 * of the form.
 */
export function subjectOf(write: Write, input: Dialog | undefined): string | undefined {
  const kind = input?.dialog === "form" ? input.kind : undefined;
  const isNew = kind !== undefined && "key" in kind && !("uid" in kind);
  return isNew ? kind.key : uidOf(write);
}

/** The refused write of an issue; `undefined` if there is none, or if the person has seen the refusal. */
export function failureOf(
  { writes: { failed, sent } }: Pick<State, "writes">,
  uid: string | undefined,
): SentWrite | undefined {
  const id = uid === undefined ? undefined : failed.get(uid);
  return id === undefined ? undefined : sent.find((one) => one.id === id);
}

/** Dismisses the failures of all writes that were sent together with the write `id`. */
export function dismissFailure(state: State, id: number): State {
  const batch = state.writes.sent.find((one) => one.id === id)?.batch.id;
  const ids = state.writes.sent.filter((one) => one.batch.id === batch).map((one) => one.id);
  const failed = new Map([...state.writes.failed].filter(([, one]) => !ids.includes(one)));
  return withSlice(state, "writes", { failed });
}
