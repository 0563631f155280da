import { z } from "zod";

/** A sentence with commands and amounts marked, so that a page needs no markup in a text. */
export const sentenceSchema = z.array(
  z.union([z.object({ text: z.string() }), z.object({ code: z.string() }), z.object({ strong: z.string() })]),
);
export type Sentence = z.infer<typeof sentenceSchema>;

/** Dollars; null if a price is unknown. */
export const usdSchema = z.number().nullable();

/** Milliseconds since 1970. */
export const timeSchema = z.number();

export const levelSchema = z.enum(["hint", "warn", "block", "halt"]);
export type Level = z.infer<typeof levelSchema>;
