import { expect, test } from "vitest";
import { initialState } from "../../src/screen/initial-state.ts";
import { type State, withSlice } from "../../src/screen/state.ts";
import { bannerOf } from "../../web/notices.ts";
import { START } from "../tui/support.ts";

const LIVE = withSlice(initialState({ ...START, columns: 80, rows: 24 }), "connection", {
  live: "live",
});
const SINCE = "2026-11-20T12:00:00.000Z";

test.each<[Partial<State["connection"]>, string | undefined]>([
  [{}, undefined],
  [{ silentSince: SINCE }, "Nothing has come from the daemon for a while"],
  [{ behind: true }, "Some changes could not be read yet"],
  [{ live: "reconnecting" }, "The daemon does not answer"],
  [{ live: "reconnecting", silentSince: SINCE, behind: true }, "The daemon does not answer"],
  [{ live: "refused", readOnly: "the token was revoked" }, "The daemon does not accept this page"],
  [{ api: "99.0.0" }, "svc was updated since this page was loaded"],
  [{ readOnly: "no token" }, "You can read here and change nothing: no token"],
])("the banner for the connection %j is %s", (connection, text) => {
  const banner = bannerOf(withSlice(LIVE, "connection", connection))?.text;
  if (text === undefined) expect(banner).toBeUndefined();
  else expect(banner).toContain(text);
});
