import * as contract from "../../contract/comments.ts";
import { createComment } from "../../ops/comments/create.ts";
import { editComment } from "../../ops/comments/edit.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function commentRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.createComment, createComment);
  bind(app, deps, contract.editComment, editComment);
}
