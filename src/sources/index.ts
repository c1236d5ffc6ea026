/** The modules that `svc import` loads to import the files of other trackers. They do not load the store. */
export { readSource } from "./formats.ts";
export { mappingOf } from "./neutral/map-file.ts";
export { reportAccount } from "./neutral/report.ts";
export { sendItems } from "./send.ts";
