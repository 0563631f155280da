import { base } from "./base.ts";
import { charts } from "./charts.ts";
import { narrow } from "./narrow.ts";
import { runs } from "./runs.ts";
import { tokens } from "./tokens.ts";
import { worst } from "./worst.ts";

/** The style of the page. */
export const pageStyle: string = [tokens, base, charts, worst, runs, narrow].join("");
