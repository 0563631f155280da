export { obeyOrders } from "./obey-orders.ts";
export type { Order } from "./order.ts";
export { tellLimits, toldLimits } from "./run-limits.ts";
export { sendOrder } from "./send-order.ts";
