import { age } from "../../base/age.ts";
import { shortCount } from "../short-count.ts";
import type { RunSums } from "./state.ts";

/**
 * The number of runs on an issue and what they have cost. For example, `7, 1 failed, 120k/8k tokens in/out, 2h` are seven
 * runs, of which one failed.
 */
export function runsText({ runs, failed, input_tokens, output_tokens, seconds }: RunSums): string {
  const hasTokens = input_tokens + output_tokens > 0;
  return [
    String(runs),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(hasTokens
      ? [`${shortCount(input_tokens)}/${shortCount(output_tokens)} tokens in/out`]
      : []),
    ...(seconds === 0 ? [] : [age(0, seconds * 1000)]),
  ].join(", ");
}
