/** What a pass needs to know of the binding that it reads for. */
export interface Replica {
  readonly project_uid: string;
  readonly hub_url: string;
  readonly hub_project_id: number;
  readonly hub_project_uid: string;
  /** When the project was bound. A later binding of the same project has another time. */
  readonly created_at: string;
  readonly cursor: number;
  readonly epoch: string | null;
  readonly chain: string | null;
  readonly stamp: string | null;
  readonly allow_insecure: boolean;
  /** Whether the copy sends its changes to the hub. */
  readonly pushes: boolean;
  /** The hub has every event of this daemon's log up to this id, except events that are never sent. */
  readonly push_cursor: number;
  /** Whether the copy begins to send its changes once it has read all that the hub has. */
  readonly pushes_once_read: boolean;
  /** Events up to this id are sent as parts of an adoption; 0 if the project was not handed over. */
  readonly adopted_through: number;
}
