import { age } from "../../base/age.ts";
import { instantToMs } from "../../base/clock.ts";
import { short } from "../issues/root.ts";
import { type Times, timePhrase } from "../times.ts";
import type { BridgeWords } from "./bridge-rows.ts";

export function bridgeWords(how: Times): BridgeWords {
  return {
    phrase: (instant) => timePhrase(how, instant),
    left: (instant) => age(instantToMs(how.now), instantToMs(instant)),
    short,
  };
}
