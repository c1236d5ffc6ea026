/** What `svc import` loads for the files of other trackers; it does not load the store. */
export { sendItems } from "../send.ts";
export { readSource } from "./formats.ts";
export { mappingOf } from "./map-file.ts";
export { reportAccount } from "./report.ts";
