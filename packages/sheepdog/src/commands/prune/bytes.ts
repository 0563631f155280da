const units: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** A size as in `500MB` or `1.5 GB`, in bytes; undefined where the text is none. */
export function readBytes(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d{1,12}(?:\.\d{1,6})?) ?(?<unit>[kmgt]?)b?$/i.exec(text.trim())?.groups ?? {};
  return number === undefined ? undefined : Math.round(Number(number) * (units[(unit ?? "").toLowerCase()] ?? 1));
}

/** A size as people say it: `950 B`, `12.3 kB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  const [size, unit] =
    bytes < 1e3 ? [1, "B"] : bytes < 999_950 ? [1e3, "kB"] : bytes < 999_950_000 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / size).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
