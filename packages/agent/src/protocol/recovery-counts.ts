/** How often a run was asked to continue after a cut-off reply, and after an empty or incomplete one. */
export interface RecoveryCounts {
  readonly maxTokens: number;
  readonly emptyReply: number;
}

export const noRecoveries: RecoveryCounts = { maxTokens: 0, emptyReply: 0 };
