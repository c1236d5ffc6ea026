import { writesReducer } from "./answers/reducer.ts";
import { boardReducer } from "./board/reducer.ts";
import { cronReducer } from "./cron/reducer.ts";
import { connectionReducer } from "./daemons/reducer.ts";
import { followCursor } from "./detail/detail.ts";
import { detailReducer } from "./detail/reducer.ts";
import { eventsReducer } from "./events.ts";
import { fleetReducer } from "./fleet/reducer.ts";
import { forgettingDrafts } from "./forms/drafts.ts";
import { formsReducer } from "./forms/reducer.ts";
import { askingDays } from "./forms/series-days.ts";
import { graphReducer } from "./graph/reducer.ts";
import { inboxReducer } from "./inbox/reducer.ts";
import { inputReducer } from "./input/reducer.ts";
import { loadingReducer } from "./loading/reducer.ts";
import type { Message } from "./message.ts";
import { messagesReducer } from "./messages/reducer.ts";
import { afterArrival } from "./place/arrive.ts";
import { placeReducer } from "./place/reducer.ts";
import { projectsReducer } from "./projects/reducer.ts";
import type { Reducer } from "./reducer.ts";
import { sessionReducer } from "./session/reducer.ts";
import { withoutWrites } from "./session/replay.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";
import { windowReducer } from "./window/reducer.ts";

/** The compiler accepts this table only if each message is in the reducer of a folder. */
const REDUCER: Reducer<Message["type"]> = {
  ...inputReducer,
  ...windowReducer,
  ...loadingReducer,
  ...boardReducer,
  ...detailReducer,
  ...inboxReducer,
  ...graphReducer,
  ...cronReducer,
  ...fleetReducer,
  ...projectsReducer,
  ...placeReducer,
  ...connectionReducer,
  ...eventsReducer,
  ...writesReducer,
  ...formsReducer,
  ...messagesReducer,
  ...sessionReducer,
};

/** The only way in which the state changes. It is pure, so a recorded session gives the same screens again. */
export function update(state: State, message: Message): Step {
  // The cast is safe: in this table, the function under a type of message accepts the messages of that type.
  const reduce = REDUCER[message.type] as (state: State, message: Message) => Step;
  const next = withoutWrites(
    state,
    followCursor(state, afterArrival(reduce(state, message), message)),
    message,
  );
  return askingDays(forgettingDrafts(state, next));
}
