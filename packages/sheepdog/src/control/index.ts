export type { Order } from "./control-message.ts";
export { obeyOrders } from "./receive-messages.ts";
export { sendOrder } from "./send-message.ts";
