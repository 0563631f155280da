/** The number in a field; undefined unless it is one of at least 0. A comma for the decimals is understood. */
export function readAmount(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^(\d*),(\d{1,2})$/, "$1.$2")
    .replaceAll(",", "");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return undefined;
  return Number(plain);
}
