import type { Input, Output } from "../../contract/route.ts";
import type { readUILaunchTarget as contract } from "../../contract/ui-launch-target.ts";
import { launchUrl } from "../../domain/launch-url.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { noIssue } from "../find.ts";
import { isHidden } from "../out/issues.ts";

/**
 * Returns the URL at which a browser opens the issue. `origin` is the origin of the daemon's pages, which comes from
 * the settings and never from a request; absent if the daemon serves no pages.
 */
export async function readUILaunchTarget(
  { store }: Pick<ReadDeps, "store">,
  _who: Principal,
  { query: { issue_uid }, origin }: Input<typeof contract> & { readonly origin?: string },
): Promise<Output<typeof contract>> {
  const uid = issue_uid.toUpperCase();
  const issue = await store.read(async (reader) => await reader.issues.find(uid));
  if (issue === undefined || isHidden(issue)) throw noIssue(issue_uid);
  const url = launchUrl(origin, uid);
  return url === undefined
    ? { available: false, reason: "browser_origin_unavailable" }
    : { available: true, url };
}
