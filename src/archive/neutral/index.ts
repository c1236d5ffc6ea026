/** What `svc import` loads to import the files of other trackers. These modules do not load the store. */
export { sendItems } from "../send.ts";
export { readSource } from "./formats.ts";
export { mappingOf } from "./map-file.ts";
export { reportAccount } from "./report.ts";
