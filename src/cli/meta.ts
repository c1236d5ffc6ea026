import { textFlag } from "./flags.ts";

export const ifMatchFlag = {
  "if-match": textFlag("refuse if its revision has changed", "<n|rev-n>"),
};
