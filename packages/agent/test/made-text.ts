const digits = "0123456789";
const small = "abcdefghijklmnopqrstuvwxyz";
const large = small.toUpperCase();

/** The alphabets of `{h32}`: hex digits, `{a…}`: small letters and digits, `{A…}`: letters and digits, and so on. */
const alphabets: Readonly<Record<string, string>> = {
  d: digits,
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  a: small + digits,
  l: small,
  L: small + large,
  A: small + large + digits,
  U: large + digits,
  b: `${small}${large}${digits}+/`,
  w: `${small}${large}${digits}_-`,
};

/** A text, and the parts of it that are secret. */
export interface MadeText {
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * Fills a pattern: `ghp_{A36}` becomes a made-up token of this form. No example is written out, so that no scanner
 * takes it for a real one. `{u}` is a UUID, and `{=x y}` is the secret "x y" itself.
 */
export function madeText(pattern: string, seed = 7): MadeText {
  const secrets: string[] = [];
  let state = seed;
  const character = (alphabet: string): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet.charAt(Math.floor((state / 2_147_483_648) * alphabet.length));
  };
  const word = (kind: string, length: number): string => {
    const alphabet = alphabets[kind];
    if (alphabet === undefined) throw new Error(`Expected a known alphabet, got ${kind}.`);
    return Array.from({ length }, () => character(alphabet)).join("");
  };
  const text = pattern.replace(
    /\{(?:=([^}]*)|u|([a-zA-Z])(\d+))\}/g,
    (_, literal?: string, kind?: string, size?: string) => {
      const uuid = () => [8, 4, 4, 4, 12].map((length) => word("h", length)).join("-");
      const secret = literal ?? (kind === undefined ? uuid() : word(kind, Number(size)));
      secrets.push(secret);
      return secret;
    },
  );
  return { text, secrets };
}
