/** A large number as people say it: `950`, `12.3 k`, `1.2 M`. */
export function shortNumber(number: number): string {
  if (number < 1_000) return String(Math.round(number));
  const [size, unit] = number < 999_950 ? [1e3, "k"] : number < 999_950_000 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / size).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
