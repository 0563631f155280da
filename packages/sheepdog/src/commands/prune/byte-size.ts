const unitBytes: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Reads a size such as `500MB` or `1.5 GB`, in bytes; undefined if the text is not one. */
export function readBytes(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d{1,12}(?:\.\d{1,6})?) ?(?<unit>[kmgt]?)b?$/i.exec(text.trim())?.groups ?? {};
  return number === undefined ? undefined : Math.round(Number(number) * (unitBytes[(unit ?? "").toLowerCase()] ?? 1));
}

const units = [
  { factor: 1e9, unit: "GB" },
  { factor: 1e6, unit: "MB" },
  { factor: 1e3, unit: "kB" },
];

/** A size with its unit: `950 B`, `12.3 kB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  // 999,950 bytes would be rounded to "1,000 kB"
  const { factor, unit } = units.find((each) => bytes >= each.factor * 0.99995) ?? { factor: 1, unit: "B" };
  return `${(bytes / factor).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
