/** What `svc import` loads for a file of beads; it does not load the store. */
export { sendItems } from "../send.ts";
export { readBeadsFile } from "./read.ts";
export { reportAccount } from "./report.ts";
