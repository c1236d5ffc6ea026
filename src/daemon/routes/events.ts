import * as contract from "../../contract/activity.ts";
import type { Deps } from "../../ops/deps.ts";
import { pollEvents } from "../../ops/events/poll.ts";
import { pollProjectEvents } from "../../ops/events/poll-project.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function eventRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract.pollEvents, pollEvents);
  bind(app, deps, contract.pollProjectEvents, pollProjectEvents);
}
