import { expect, test } from "vitest";
import { msToInstant } from "../../../src/base/clock.ts";
import { dueAtMs, isClaimed, newStatus, scansParents } from "../../../src/domain/issue-sync/run.ts";

const NOW_MS = 1_800_000_000_000;
const HALF_AN_HOUR = 30 * 60_000;
const BINDING = {
  project_uid: "P",
  provider: "github",
  source_key: "github:R_1",
  remote_id: "R_1",
  display_name: "ann/web",
  config: { host: "github.com", owner: "ann", repo: "web", repo_id: "1", title_prefix: true },
  enabled: 1,
  interval_seconds: 300,
  last_cursor_at: msToInstant(NOW_MS),
  created_at: msToInstant(NOW_MS),
  updated_at: msToInstant(NOW_MS),
} as const;

function ago(ms: number) {
  return msToInstant(NOW_MS - ms);
}

test.each([
  ["began now", 0, true],
  ["began almost half an hour ago", HALF_AN_HOUR - 1, true],
  ["began half an hour ago", HALF_AN_HOUR, false],
  ["will begin in almost half an hour", -HALF_AN_HOUR + 1, true],
  ["will begin in half an hour, as the clock was set back", -HALF_AN_HOUR, false],
])("a sync run that %s (%i ms before now) counts as running: %s", (_what, ms, expected) => {
  const status = { ...newStatus("P"), sync_started_at: ago(ms) };
  expect(isClaimed(status, NOW_MS)).toBe(expected);
  expect(dueAtMs(BINDING, status, NOW_MS)).toBe(expected ? undefined : NOW_MS);
});

test.each([
  ["a minute ago", 60_000, 240_000],
  ["an hour ago", 3_600_000, -3_300_000],
  ["now", 0, 300_000],
  ["in a second, as the clock was set back", -1000, 0],
  ["in a year, as the clock was set back", -31_536_000_000, 0],
])(
  "after an attempt %s (%i ms before now), the next run is due in %i ms",
  (_what, ms, expected) => {
    const status = { ...newStatus("P"), last_attempt_at: ago(ms) };
    expect(dueAtMs(BINDING, status, NOW_MS)).toBe(NOW_MS + expected);
    expect(dueAtMs({ ...BINDING, enabled: 0 }, status, NOW_MS)).toBeUndefined();
  },
);

test.each([
  ["a minute ago", 60_000, false],
  ["almost a day ago", 86_400_000 - 1, false],
  ["a day ago", 86_400_000, true],
  ["in a minute, as the clock was set back", -60_000, true],
])(
  "if all parents were read from the host %s (%i ms before now), they are read again: %s",
  (_what, ms, expected) => {
    const binding = { ...BINDING, config: { ...BINDING.config, parents_scanned_at: ago(ms) } };
    expect(scansParents(binding, NOW_MS, false)).toBe(expected);
    expect(scansParents(binding, NOW_MS, true)).toBe(true);
    expect(scansParents({ ...binding, last_cursor_at: null }, NOW_MS, false)).toBe(true);
  },
);
