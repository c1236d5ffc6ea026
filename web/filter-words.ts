import { NO_FILTER } from "../src/screen/board/query.ts";

/** Whether removing this part of the filter changes nothing, because an empty filter means the same. */
export function leadsNowhere(part: string): boolean {
  return part === NO_FILTER;
}
