import { NO_FILTER } from "../src/screen/board/query.ts";

/** Whether taking this part out of the filter changes nothing, since it is what an empty filter means. */
export function leadsNowhere(part: string): boolean {
  return part === NO_FILTER;
}
