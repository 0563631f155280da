import type { Intervention } from "@sheepdog/guardian";
import { escapeForgedTags } from "../protocol/forged-tags.ts";

const TAG = "sheepdog-notice";
const forgedTag = /^\/?sheepdog-/;

/** The guardian's messages as the model reads them: one user-role message, each notice with its id. */
export function noticeText(interventions: readonly Intervention[]): string {
  return interventions.map(({ id, message }) => `<${TAG} id="${id}">${escapeNotices(message)}</${TAG}>`).join("\n");
}

/** Escapes the notice tag in all its spellings, so that text from tools, files and users cannot forge a notice. */
export function escapeNotices(text: string): string {
  return escapeForgedTags(text, forgedTag);
}
