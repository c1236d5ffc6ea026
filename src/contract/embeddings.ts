import { z } from "zod";
import { embeddingsFields } from "./health.ts";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";
import { Count } from "./values.ts";

const route = routesOf("search and readiness");

const SkippedIssue = () =>
  z.looseObject({
    qualified_id: z.string(),
    uid: z.string(),
    reason: z
      .string()
      .describe(
        "refused_400, refused_413 or refused_422: the status with which its text was refused; failed_500 or another of failed_5xx: the provider failed at its text and took others",
      ),
  });

export const showEmbeddings = route({
  id: "showEmbeddings",
  method: "GET",
  path: "/search/embeddings",
  access: "read",
  summary: "say how far the index of meanings is",
  response: component("Embeddings", () => {
    const { configured, ...others } = embeddingsFields();
    return z
      .looseObject(others)
      .partial()
      .extend({
        configured,
        model: z.string().optional(),
        dims: z.int().optional().describe("how many numbers the model gives for a text"),
        total: Count().optional().describe("issues that are to be in the index"),
        generation: z
          .enum(["active", "building", "none"])
          .optional()
          .describe(
            "active: searches by meaning are answered; building: they are as soon as the backlog is done",
          ),
        skipped_issues: z
          .array(SkippedIssue())
          .optional()
          .describe("issues whose text the provider did not embed; at most 100"),
        error_cure: z.string().optional().describe("what to do about the last error"),
      })
      .describe("`configured` alone if config.toml names no provider");
  }),
});

export const reindexEmbeddings = route({
  id: "reindexEmbeddings",
  method: "POST",
  path: "/search/embeddings/actions/reindex",
  access: "write",
  summary: "embed every issue anew; the present index answers until that is done",
  body: component("ReindexEmbeddingsRequest", () => z.strictObject({})),
  response: component("ReindexEmbeddingsResponse", () =>
    z.looseObject({ total: Count().describe("issues that are to be embedded") }),
  ),
});

/** Embeds one word, which is no word of an issue. */
export const testEmbeddings = route({
  id: "testEmbeddings",
  method: "POST",
  path: "/search/embeddings/actions/test",
  access: "write",
  summary: "ask the provider to embed one word, within 5 seconds",
  body: component("TestEmbeddingsRequest", () => z.strictObject({})),
  response: component("TestEmbeddingsResponse", () =>
    z.looseObject({
      result: z.enum(["ok", "failed"]),
      ms: z.int().optional().describe("how long the answer took"),
      status: z.int().optional().describe("of a failure: the HTTP status of the answer, if any"),
      reason: z.string().optional().describe("of a failure: what to do about it"),
    }),
  ),
});
