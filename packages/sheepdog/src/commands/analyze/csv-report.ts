import type { Report } from "./report.ts";

export const csvReport: Report = async () => {};
