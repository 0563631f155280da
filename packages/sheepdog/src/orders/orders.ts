export { obeyOrders } from "./obey-orders.ts";
export type { Order } from "./order.ts";
export { type SentOrder, sendOrder } from "./send-order.ts";
