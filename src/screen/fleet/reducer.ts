import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withFleet } from "./fleet.ts";

export const fleetReducer: ScreenReducer<"fleet"> = {
  fleet: (state, { project_id, fleet }) =>
    step(project_id === state.scope.project?.id ? withFleet(state, fleet) : state),
};
