import { expect, test } from "vitest";
import { errorCure, providerCure } from "../../../src/domain/meaning/cures.ts";

test.each([
  [400, /base_url and model/],
  [401, /does not accept the key .* svc daemon reload/],
  [403, /may not embed.* svc daemon reload/],
  [404, /no such page or model/],
  [413, /batch_size/],
  [418, /refuses the request.*base_url and model/],
  [422, /base_url and model/],
  [429, /waits by itself/],
  [302, /another address.*base_url/],
  [500, /a fault of its own/],
  [599, /a fault of its own/],
  [undefined, /cannot be reached.*base_url and dims/],
])(
  "after a call of the provider that ended with status %s, the cure matches %s",
  (status, cure) => {
    expect(providerCure(status)).toMatch(cure);
  },
);

test("the cure of a failed index is shown instead of that of the provider", () => {
  expect(errorCure({ last_error_status: 401 })).toBe(providerCure(401));
  expect(errorCure({ last_error_status: 401, index_failed: true })).toMatch(/index.*disk.*rights/);
});
