import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { objectField, optional, tokensField } from "../fields.ts";

/** What of a request besides its tokens decides its price. */
export type RequestModes = Pick<RecordedUsage, "isFast" | "isUsOnly" | "serviceTier" | "webSearches">;

/** Reads the modes in a `usage` object. `earlier` are those of other entries about the same request. */
export function requestModes(usage: unknown, earlier: RequestModes = {}): RequestModes {
  const { speed, inference_geo: geo, service_tier: tier, server_tool_use: serverTools } = objectField(usage);
  const searches = tokensField(objectField(serverTools)["web_search_requests"]) ?? 0;
  const webSearches = Math.max(searches, earlier.webSearches ?? 0);
  return {
    ...(speed === "fast" || earlier.isFast === true ? { isFast: true } : {}),
    ...(geo === "us" || earlier.isUsOnly === true ? { isUsOnly: true } : {}),
    ...optional("serviceTier", tier === "batch" || tier === "priority" ? tier : earlier.serviceTier),
    ...optional("webSearches", webSearches || undefined),
  };
}
