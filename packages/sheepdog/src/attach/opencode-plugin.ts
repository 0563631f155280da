/** Whether a plugin file was written by Sheepdog, in this or an earlier version. */
export function isOurPlugin(text: string): boolean {
  return text.startsWith(firstLine);
}

const firstLine = "// Written by `sheepdog attach`";

/** The plugin that is copied into opencode's folder. */
export function pluginText(hookScript: string): string {
  return `${firstLine}\n${hookScript}\n`;
}
