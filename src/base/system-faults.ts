export interface Fault {
  readonly what: string;
  readonly hint: string;
}

const DISK_FULL: Fault = {
  what: "the disk is full",
  hint: "free some space there, then repeat the command",
};
const NO_PERMISSION: Fault = {
  what: "permission is denied",
  hint: "check the owner and the rights of the path",
};

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ["ENOSPC", DISK_FULL],
  ["EDQUOT", DISK_FULL],
  ["EFBIG", DISK_FULL],
  ["EACCES", NO_PERMISSION],
  ["EPERM", NO_PERMISSION],
  ["EISDIR", { what: "it is a folder", hint: "name a file" }],
  ["ENOENT", { what: "there is no such file", hint: "check the path" }],
  ["ENOTDIR", { what: "a part of the path is no folder", hint: "check the path" }],
  ["EROFS", { what: "its file system is read-only", hint: "name a place that can be written to" }],
]);

export function faultOf(code: string): Fault | undefined {
  return FAULTS.get(code);
}
