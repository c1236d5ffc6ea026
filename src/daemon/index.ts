/** The door of this room: commands open it with import() when they need a daemon in their own process. */
export { runDaemon } from "./main.ts";
export type { DaemonSettings } from "./settings.ts";
export { type Daemon, startDaemon } from "./start.ts";
export { StartError, unavailable } from "./start-error.ts";
