import { editIssue } from "../../contract/issues.ts";
import { type Links, linksDelta } from "../../shared/links.ts";
import { arg, commentFlag, fenceFlag } from "../flags/flags.ts";
import { SvcCommand } from "./svc-command.ts";

const NO_LINKS: Links = {};

/**
 * Base of commands that add or remove one link between two issues. The change is sent as an edit of the issue `ref`.
 */
export abstract class LinkCommand extends SvcCommand {
  protected async change(
    ref: string,
    { add = NO_LINKS, remove = NO_LINKS }: { readonly add?: Links; readonly remove?: Links },
    flags: { readonly comment?: string | undefined },
  ): Promise<void> {
    const params = await this.target(ref);
    const edited = await this.call(editIssue, {
      params,
      body: { links_delta: linksDelta(add, remove), actor: await this.actor() },
    });
    await this.print(edited, "changes", ({ editView }) => editView(["links"]));
    await this.alsoComment(params, flags.comment);
  }
}

export const linkCommandFlags = { ...commentFlag, ...fenceFlag };

export const blockArgs = () => ({
  blocker: arg("the issue that has to be closed first"),
  blocked: arg("the issue that waits for it"),
});

export const dependencyArgs = () => ({
  ref: arg("the issue that waits"),
  dependency: arg("the issue that it waits for"),
});
