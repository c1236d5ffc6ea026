export { openLogs } from "./files/log-file.ts";
export { type Daemon, startApp, startDaemon } from "./lifecycle/start.ts";
export { runDaemon } from "./main.ts";
export { type DaemonSettings, settingsFrom } from "./settings.ts";
export { StartError, unavailable } from "./start-error.ts";
