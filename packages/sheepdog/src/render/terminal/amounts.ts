export { counted, dollars } from "@sheepdog/agent/timeline";
