import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { minute, withFleet } from "./fleet.ts";

export const fleetReducer: Reducer<"fleet" | "minute"> = {
  fleet: (state, { project_id, fleet }) =>
    step(project_id === state.projects.scope.project?.id ? withFleet(state, fleet) : state),
  minute: (state) => step(state, ...minute(state)),
};
