/** Says which text an issue has, without the text. `content_revision` grows with each change of title or body. */
export interface ContentMark {
  /** The local id of the issue. */
  readonly id: number;
  readonly uid: string;
  readonly project_uid: string;
  readonly content_revision: number;
}

export interface ContentText extends ContentMark {
  readonly title: string;
  readonly body: string;
}

/** Event ids: events after the first one, up to the second one. */
export interface EventRange {
  readonly after: number;
  readonly upTo: number;
}

/** Which issues have which text. Deleted issues and issues of archived projects are left out. */
export interface Contents {
  /** At most `most` issues with a local id above `afterId`, sorted by it. */
  marks(afterId: number, most: number): Promise<readonly ContentMark[]>;
  marksOf(uids: readonly string[]): Promise<readonly ContentMark[]>;
  /** The local ids of these issues, also of those that are left out elsewhere. */
  idsOf(uids: readonly string[]): Promise<readonly number[]>;
  /** The texts of the issues with these local ids, in no order. */
  texts(ids: readonly number[]): Promise<readonly ContentText[]>;
  count(): Promise<number>;
  /** The uids of issues whose text or project may have changed, or which may have appeared or disappeared. */
  touched(range: EventRange): Promise<readonly string[]>;
  /** Whether all issues of a project may have appeared, disappeared or moved to another project. */
  touchedProjects(range: EventRange): Promise<boolean>;
  /** The uids of issues that were purged since the reset `id` (`Events.resetAfter`), also together with their projects. */
  purgedAfter(id: number): Promise<readonly string[]>;
}
