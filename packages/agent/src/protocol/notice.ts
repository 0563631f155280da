import type { Intervention } from "@sheepdog/guardian";

const tag = "sheepdog-notice";

/** The guardian's words as the model reads them: one user-role message, each notice with its id. */
export function noticeText(interventions: readonly Intervention[]): string {
  return interventions.map(({ id, message }) => `<${tag} id="${id}">${withoutNotices(message)}</${tag}>`).join("\n");
}

/** Text from tools, files and people, in which no notice can be forged. */
export function withoutNotices(text: string): string {
  return text.includes("<") ? text.replace(forged, "&lt;$1") : text;
}

const forged = new RegExp(`<(/?\\s*${tag})`, "gi");
