/** The form of a record; deployments of different ages differ in this, and faults change it. */
export interface RecordStyle {
  /** Members of a bot's output; 13 leaves out `metrics`. */
  members: 13 | 14;
  /** Without its `id`, only `url` names the run. */
  id: boolean;
  /** The output echoes the request's fields; reply members without a value are absent, not null. */
  wide: boolean;
}

export const usualStyle: RecordStyle = { members: 14, id: true, wide: false };
