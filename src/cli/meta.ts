import { textFlag } from "./flags.ts";

export const ifMatchFlag = {
  "if-match": textFlag("refuse when it has another revision by now", "<n|rev-n>"),
};
