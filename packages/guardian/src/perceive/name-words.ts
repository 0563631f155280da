/** The words of a name in lower case: `getUserInfo` and `get_user-info` alike. May begin or end with an empty word. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}
