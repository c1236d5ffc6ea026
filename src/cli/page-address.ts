import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { SvcError } from "../contract/errors.ts";
import { readUILaunchTarget } from "../contract/ui-launch-target.ts";
import { readUIReferences } from "../contract/ui-references.ts";
import { UnavailableError } from "../shared/answer-errors.ts";

/** The first API version in which the daemon reports the address of its web page. */
export const PAGES_API = "0.17.0";

const PAGE = "/svc";

/**
 * Returns the address of the daemon's web page. For a remote daemon, this only checks that the daemon answers. No token
 * is needed, since people sign in on the page.
 */
export async function pageAddress(client: Client): Promise<string> {
  if (client.target.kind === "remote") return checked((await client.endpoint()).address + PAGE);
  const { origin } = await call(client, readUIReferences, { query: { limit: 1 } });
  return checked(origin + PAGE);
}

export async function issueAddress(client: Client, issue_uid: string): Promise<string> {
  const { url } = await call(client, readUILaunchTarget, { query: { issue_uid } });
  if (url === undefined) throw new SvcError("ui_unavailable");
  return checked(url);
}

/**
 * Refuses an address that is not the web page of a daemon. The programs that open web pages also open files and
 * programs, so a daemon must not be able to name anything else.
 */
export function checked(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.pathname === PAGE && url.username === "" && url.password === "") return url.href;
  throw new UnavailableError("the daemon gave an address that is no page of it");
}
