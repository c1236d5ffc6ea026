/** What `svc import` loads to take in a file of beads: nothing of the store. */
export { sendItems } from "../send.ts";
export { readBeadsFile } from "./read.ts";
export { reportAccount } from "./report.ts";
