import { expect, onTestFinished, test } from "vitest";
import { providerAt } from "../support.ts";
import { startProvider } from "./start-provider.ts";

test("the provider of the tests runs in its own process and is controlled by messages", async () => {
  const { baseUrl, state, close } = await startProvider();
  onTestFinished(close);
  const { embed } = providerAt(baseUrl, { dims: 768 });
  expect(await embed(["slow pages", "other"])).toMatchObject({ vectors: [{}, {}] });
  await state.poison("slow");
  expect(await embed(["slow pages"])).toEqual({ status: 400 });
  expect(await embed(["other"])).toHaveProperty("vectors");
  await state.next({ status: 429, headers: { "retry-after": "2" } });
  expect(await embed(["other"])).toEqual({ status: 429, retryAfterMs: 2000 });
  expect(await state.inputs()).toEqual(["slow pages", "other", "slow pages", "other", "other"]);
});
