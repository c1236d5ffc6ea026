import { z } from "zod";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Uid } from "./ui-objects.ts";

const route = routesOf("browser");

export const readUILaunchTarget = route({
  id: "readUILaunchTarget",
  method: "GET",
  path: "/ui/launch-target",
  access: "read",
  local: true,
  summary: "give the address at which a browser opens an issue",
  query: shape(() => z.object({ issue_uid: Uid() })),
  response: component("UILaunchTarget", () =>
    z.looseObject({
      available: z.boolean(),
      url: z.string().optional().describe("present if available"),
      reason: z
        .enum(["browser_origin_unavailable"])
        .optional()
        .describe("present if unavailable: the daemon serves no pages at a plain origin"),
    }),
  ),
  errors: ["issue_not_found"],
});
