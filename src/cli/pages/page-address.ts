import { call } from "../../client/call.ts";
import type { Client } from "../../client/client.ts";
import { type OwnerCode, ownerCode } from "../../client/owner-code.ts";
import { SvcError } from "../../contract/errors.ts";
import { readUILaunchTarget } from "../../contract/ui-launch-target.ts";
import { readUIReferences } from "../../contract/ui-references.ts";
import { UnavailableError } from "../../shared/answer-errors.ts";

/** The first API version in which the daemon reports the address of its web page. */
export const PAGES_API = "0.17.0";

const PAGE = "/svc";

/** The address of a page, and when the one-time code in it expires. An address without a code does not expire. */
export interface PageAddress {
  readonly url: string;
  readonly expires_at?: string;
}

/**
 * Returns the address of the daemon's web page, or of the issue's page if `issueUid` is given. If this user runs the
 * daemon, the address has a one-time code that opens the page without a token. If the address has no code, people sign
 * in on the page.
 */
export async function pageAddress(client: Client, issueUid?: string): Promise<PageAddress> {
  const url = issueUid === undefined ? undefined : await issueAddress(client, issueUid);
  // The code lasts a minute, so it is asked for last.
  const code = await ownerCode(client);
  if (code !== undefined) return withCode(url ?? checkedAddress(code.origin + PAGE), code);
  return { url: url ?? (await plainAddress(client)) };
}

/** For a remote daemon, this only checks that the daemon answers, so no token is needed. */
async function plainAddress(client: Client): Promise<string> {
  if (client.target.kind === "remote")
    return checkedAddress((await client.endpoint()).address + PAGE);
  const { origin } = await call(client, readUIReferences, { query: { limit: 1 } });
  return checkedAddress(origin + PAGE);
}

/**
 * Puts the code into the fragment of the address, because a browser never sends the fragment. The code is valid only at
 * the origin that the daemon names.
 */
function withCode(text: string, { code, origin, expires_at }: OwnerCode): PageAddress {
  const url = new URL(text);
  if (url.origin !== origin) return { url: text };
  url.hash = `direct=1&code=${encodeURIComponent(code)}`;
  return { url: url.href, expires_at };
}

async function issueAddress(client: Client, issue_uid: string): Promise<string> {
  const { url } = await call(client, readUILaunchTarget, { query: { issue_uid } });
  if (url === undefined) throw new SvcError("ui_unavailable");
  return checkedAddress(url);
}

/**
 * Refuses an address that is not the web page of a daemon. The programs that open web pages also open files and
 * programs, so a daemon must not be able to name anything else.
 */
export function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.pathname === PAGE && url.username === "" && url.password === "") return url.href;
  throw new UnavailableError("the daemon gave an address that is no page of it");
}
