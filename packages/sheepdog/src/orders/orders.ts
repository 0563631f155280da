export { obeyOrders } from "./obey-orders.ts";
export type { Order } from "./order.ts";
export { sendOrder } from "./send-order.ts";
