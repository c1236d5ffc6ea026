import type { H3Event } from "h3";
import { SvcError } from "../contract/errors.ts";
import { headerOf } from "./event.ts";

/**
 * How a route treats pages of other origins. `api`: the routes for programs. `shell`: the page itself, which other sites
 * may link to.
 */
export type Door = "api" | "shell";

/** Refuses requests that pages send. A GET of a page has no `Origin`, but browsers name the relation of the page. */
export function refuseOtherPages(event: H3Event, door: Door): void {
  if (door === "shell") return;
  const site = headerOf(event, "sec-fetch-site")?.trim().toLowerCase();
  const foreign = site === "cross-site" || site === "same-site";
  if (foreign || headerOf(event, "origin") !== undefined) throw new SvcError("origin_forbidden");
}
