export { redactSecrets } from "@sheepdog/guardian";
