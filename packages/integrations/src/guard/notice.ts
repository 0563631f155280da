import type { Intervention } from "@sheepdog/guardian";

/** A message of the guardian to the model. Its id makes it possible to say it once. */
export interface Notice {
  readonly id: string;
  /** `<sheepdog-notice id="…">…</sheepdog-notice>` */
  readonly text: string;
}

/** The notice of an intervention. A line that it quotes cannot close or forge the tag. */
export function noticeOf({ id, message }: Intervention): Notice {
  const quoted = message.replace(/<(?=\s*\/?\s*sheepdog-)/gi, "&lt;");
  return { id, text: `<sheepdog-notice id="${id}">${quoted}</sheepdog-notice>` };
}

/** The notices that none of these texts has, in one text; undefined if all are there. */
export function missingNotices(notices: readonly Notice[], texts: readonly string[]): string | undefined {
  const missing = notices.filter(({ id }) => !texts.some((text) => text.includes(`<sheepdog-notice id="${id}">`)));
  return missing.length === 0 ? undefined : missing.map(({ text }) => text).join("\n");
}
