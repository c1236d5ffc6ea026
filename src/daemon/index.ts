export { openLogs } from "./log-file.ts";
export { runDaemon } from "./main.ts";
export { type DaemonSettings, settingsFrom } from "./settings.ts";
export { type Daemon, startApp, startDaemon } from "./start.ts";
export { StartError, unavailable } from "./start-error.ts";
