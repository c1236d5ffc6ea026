/** What `svc import` loads for a file of beads; it does not load the store. */

export { readBeadsFile } from "../beads/read.ts";
export { sendItems } from "../send.ts";
export { reportAccount } from "./report.ts";
