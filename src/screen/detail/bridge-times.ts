import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import { type Times, timePhrase } from "../times.ts";
import type { BridgeTimes } from "./bridge-rows.ts";

export function bridgeTimes(how: Times): BridgeTimes {
  return {
    phrase: (instant) => timePhrase(how, instant),
    left: (instant) => age(instantToMs(how.now), instantToMs(instant)),
  };
}
