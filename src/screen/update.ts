import { writeAnswersReducer } from "./answers/reducer.ts";
import { connectionReducer } from "./daemons/reducer.ts";
import { followCursor } from "./detail/detail.ts";
import { detailReducer } from "./detail/reducer.ts";
import { eventsReducer } from "./events.ts";
import { dropUnneededDrafts } from "./forms/drafts.ts";
import { updateForm } from "./forms/form-record.ts";
import { formsReducer } from "./forms/reducer.ts";
import { inputReducer } from "./input/reducer.ts";
import { loadingReducer } from "./loading/reducer.ts";
import type { Message } from "./message.ts";
import { messagesReducer } from "./messages/reducer.ts";
import { afterArrival } from "./place/arrive.ts";
import { placeReducer } from "./place/reducer.ts";
import { projectsReducer } from "./projects/reducer.ts";
import type { Reducer, ScreenMessage } from "./reducer.ts";
import { sessionReducer } from "./session/reducer.ts";
import { withoutWrites } from "./session/replay.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";
import { windowReducer } from "./window/reducer.ts";

/**
 * The messages that belong to no single screen. The compiler accepts this table only if each of these messages is in
 * the reducer of a folder. It accepts the record of a screen only if the record's reducer handles each message of the
 * screen.
 */
const SHARED: Reducer<Exclude<Message["type"], ScreenMessage>> = {
  ...inputReducer,
  ...windowReducer,
  ...loadingReducer,
  ...detailReducer,
  ...projectsReducer,
  ...placeReducer,
  ...connectionReducer,
  ...eventsReducer,
  ...writeAnswersReducer,
  ...formsReducer,
  ...messagesReducer,
  ...sessionReducer,
};

/** The only way in which the state changes. It is pure, so a recorded session gives the same screens again. */
export function update(state: State, message: Message): Step {
  const reduced = afterArrival(reducerOf(state, message)(state, message), message);
  const next = withoutWrites(state, followCursor(state, reduced), message);
  return updateForm(dropUnneededDrafts(state, next));
}

type Reduce = (state: State, message: Message) => Step;

function reducerOf({ screens }: State, { type }: Message): Reduce {
  const tables: readonly object[] = [SHARED, ...screens.map(({ reducer = {} }) => reducer)];
  const found = tables.find((table) => type in table);
  if (found === undefined) throw new Error(`nothing handles the message ${type}`);
  // The cast is safe: in these tables, the function under a type of message accepts the messages of that type.
  return (found as Readonly<Record<string, Reduce>>)[type] as Reduce;
}
